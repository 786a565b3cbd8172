an_test(NAME test_mesh_row SOURCES test_mesh_row.c mesh_file.c TIMEOUT 300)
add_dependencies(test_mesh_row mesh_row annulus)
an_test(NAME test_mesh_row_parts SOURCES test_mesh_row_parts.c LIBS an_row TIMEOUT 120)
an_test(NAME test_mesh_row_report SOURCES test_mesh_row_report.c LIBS an_row TIMEOUT 60)
