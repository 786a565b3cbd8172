an_test(NAME test_rows SOURCES test_rows.c LIBS an_solver LABELS unit)
an_test(NAME test_mean_line SOURCES test_mean_line.c LIBS an_solver LABELS unit)
