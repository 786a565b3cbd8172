an_test(NAME test_partition SOURCES test_partition.c synthetic.c LIBS an_mpi an_kernels LABELS unit
  TIMEOUT 120)
