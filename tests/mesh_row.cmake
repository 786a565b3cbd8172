an_test(NAME test_mesh_row SOURCES test_mesh_row.c mesh_file.c TIMEOUT 300)
add_dependencies(test_mesh_row mesh_row annulus)
an_test(NAME test_mesh_row_parts SOURCES test_mesh_row_parts.c LIBS an_row TIMEOUT 120)
an_test(NAME test_mesh_row_report SOURCES test_mesh_row_report.c LIBS an_row TIMEOUT 60)

# Axial rows made from a seed (tools/mesh_row/family): 20 small ones in every run, 60 of 1e5 cells with
# ctest -C long -L long
find_program(AN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(AN_PYTHON python3)
if(AN_PYTHON)
  set(family ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/mesh_row/family --bin $<TARGET_FILE:mesh_row>)
  add_test(NAME mesh_row_family COMMAND ${family} --count 20 --step 7 --cells 3e4 --walls functions
    --levels 3 --folder ${CMAKE_BINARY_DIR}/mesh_row_family --least 100 --least-good 95)
  set_tests_properties(mesh_row_family PROPERTIES LABELS unit TIMEOUT 400)
  add_test(NAME mesh_row_family_long CONFIGURATIONS long COMMAND ${family} --count 60 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_family_long --least 99 --least-good 95)
  set_tests_properties(mesh_row_family_long PROPERTIES LABELS long TIMEOUT 3600)
endif()
