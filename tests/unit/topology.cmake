an_test(NAME test_topology SOURCES test_topology.c LIBS an_kernels LABELS unit)
