an_test(NAME test_gas SOURCES test_gas.c LIBS an_kernels)
an_test(NAME test_flux SOURCES test_flux.c LIBS an_kernels)
an_test(NAME test_low_mach SOURCES test_low_mach.c LIBS an_kernels)
an_test(NAME test_gas_flux SOURCES test_gas_flux.c LIBS an_kernels)
