an_test(NAME test_rows SOURCES test_rows.c LIBS an_solver LABELS unit)
