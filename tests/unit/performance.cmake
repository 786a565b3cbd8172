an_test(NAME test_figures SOURCES test_figures.c LIBS an_solver)
an_test(NAME test_flow_average SOURCES test_flow_average.c LIBS an_solver LABELS unit)
an_test(NAME test_map_steps SOURCES test_map_steps.c LIBS an_solver LABELS unit)
an_test(NAME test_inlet_face SOURCES test_inlet_face.c LIBS an_bc LABELS unit)
