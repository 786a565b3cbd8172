an_test(NAME test_mesh_cascade SOURCES test_mesh_cascade.c mesh_file.c TIMEOUT 300)
add_dependencies(test_mesh_cascade mesh_cascade)
an_test(NAME test_mesh_solid SOURCES test_mesh_solid.c metal_mesh.c mesh_file.c TIMEOUT 300)
add_dependencies(test_mesh_solid mesh_cascade)
