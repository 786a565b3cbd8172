an_test(NAME test_acceleration SOURCES test_acceleration.c LIBS an_solver LABELS unit)
