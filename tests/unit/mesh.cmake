# AN_CGNS_DATA=<folder> makes test_mesh read every *.cgns there, too.
an_test(NAME test_mesh SOURCES test_mesh.c ../support/mesh_writer.c LIBS an_io an_kernels LABELS unit TIMEOUT 120)
an_test(NAME test_mesh_faults SOURCES test_mesh_faults.c ../support/mesh_writer.c LIBS an_io an_kernels
  LABELS unit TIMEOUT 120)
an_test(NAME test_mesh_forms SOURCES test_mesh_forms.c ../support/mesh_writer.c LIBS an_io an_kernels
  LABELS unit TIMEOUT 120)
an_test(NAME test_mesh_planes SOURCES test_mesh_planes.c LIBS an_io an_kernels LABELS unit TIMEOUT 60)
an_test(NAME test_mesh_abut SOURCES test_mesh_abut.c LIBS an_solver an_io an_kernels LABELS unit TIMEOUT 60)
an_test(NAME test_mesh_damage SOURCES test_mesh_damage.c ../support/mesh_writer.c LIBS an_io an_kernels
  LABELS unit TIMEOUT 300)
