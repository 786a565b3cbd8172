an_test(NAME test_profile SOURCES test_profile.c LIBS an_bc an_kernels LABELS unit)
an_test(NAME test_wall_sections SOURCES test_wall_sections.c LIBS an_solver LABELS unit)
an_test(NAME test_wall_profile SOURCES test_wall_profile.c LIBS an_bc an_kernels LABELS unit)
an_test(NAME test_units SOURCES test_units.c LIBS an_kernels LABELS unit)
