an_test(NAME test_gas SOURCES test_gas.c LIBS an_kernels)
