an_test(NAME test_case SOURCES test_case.c case_file.c LIBS an_io)
an_test(NAME test_case_faults SOURCES test_case_faults.c case_file.c LIBS an_io TIMEOUT 120)
