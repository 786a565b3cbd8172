an_test(NAME test_watch SOURCES test_watch.c LIBS an_mpi an_kernels LABELS mpi NP 3 TIMEOUT 60)
