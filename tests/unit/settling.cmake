an_test(NAME test_settling SOURCES test_settling.c LIBS an_solver LABELS unit)
an_test(NAME test_period SOURCES test_period.c LIBS an_solver LABELS unit)
