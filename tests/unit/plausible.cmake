an_test(NAME test_plausible SOURCES test_plausible.c LIBS an_io an_kernels LABELS unit)
