an_test(NAME test_conduction SOURCES test_conduction.c LIBS an_solid)
