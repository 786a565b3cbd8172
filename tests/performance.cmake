an_test(NAME test_flow_average SOURCES test_flow_average.c LIBS an_solver LABELS unit)
