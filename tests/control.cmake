an_test(NAME test_control SOURCES test_control.c LIBS an_solver LABELS unit)
an_test(NAME test_jet SOURCES test_jet.c LIBS an_solver LABELS unit)
an_test(NAME test_mixing_sums SOURCES test_mixing_sums.c LIBS an_solver LABELS unit)
an_test(NAME test_giles SOURCES test_giles.c LIBS an_bc LABELS unit)
