an_test(NAME test_lock SOURCES test_lock.c LIBS an_io an_kernels LABELS unit TIMEOUT 120)
