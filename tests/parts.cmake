an_test(NAME test_parts SOURCES test_parts.c LIBS an_solver LABELS unit)
