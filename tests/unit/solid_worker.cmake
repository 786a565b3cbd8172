an_test(NAME test_solid_worker SOURCES test_solid_worker.c LIBS an_solver LABELS unit TIMEOUT 60)
