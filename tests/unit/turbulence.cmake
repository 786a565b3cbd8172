an_test(NAME test_turbulence SOURCES test_turbulence.c LIBS an_kernels)
an_test(NAME test_wall_function SOURCES test_wall_function.c LIBS an_kernels)
