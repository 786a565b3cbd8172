an_test(NAME test_temporary SOURCES test_temporary.c LIBS an_io an_kernels LABELS unit)
