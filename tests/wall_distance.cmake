an_test(NAME test_wall_tree SOURCES test_wall_tree.c LIBS an_solver)
