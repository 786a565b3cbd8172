an_test(NAME test_block_matrix SOURCES test_block_matrix.c LIBS an_solver LABELS unit)
an_test(NAME test_block_card SOURCES test_block_card.c LIBS an_solver an_emulated)
