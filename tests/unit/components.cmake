an_test(NAME test_components SOURCES test_components.c LIBS an_solver LABELS unit)
