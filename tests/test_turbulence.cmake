an_test(NAME test_turbulence SOURCES test_turbulence.c LIBS an_kernels)
