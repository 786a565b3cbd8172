set(reduce SOURCES test_reduce.c LIBS an_mpi an_kernels)
an_test(NAME test_reduce ${reduce} LABELS unit)
an_test(NAME test_reduce ${reduce} LABELS mpi NP 2)
an_test(NAME test_reduce ${reduce} LABELS mpi NP 4)
