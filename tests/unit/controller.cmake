an_test(NAME test_controller SOURCES test_controller.c LIBS an_solver LABELS unit)
