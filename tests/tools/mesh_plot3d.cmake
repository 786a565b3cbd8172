an_test(NAME test_mesh_plot3d SOURCES test_mesh_plot3d.c LIBS an_io an_kernels TIMEOUT 120)
add_dependencies(test_mesh_plot3d mesh_plot3d)
