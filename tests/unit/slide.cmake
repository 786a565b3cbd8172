an_test(NAME test_slide SOURCES test_slide.c LIBS an_bc LABELS unit)
