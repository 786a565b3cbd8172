an_test(NAME test_worker SOURCES test_worker.c LIBS an_solver LABELS unit TIMEOUT 60)
