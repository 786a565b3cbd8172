an_test(NAME test_history SOURCES test_history.c LIBS an_io an_kernels PkgConfig::JANSSON LABELS unit)
