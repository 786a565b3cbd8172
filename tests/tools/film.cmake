# Meshes of resolved film-cooling holes, by the script of cases/film.
if(AN_PYTHON AND TARGET mesh_plot3d)
  add_test(NAME test_film COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_film.py ${CMAKE_BINARY_DIR}/bin
    ${CMAKE_CURRENT_BINARY_DIR}/film)
  set_tests_properties(test_film PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT
    "AN_SOURCE=${CMAKE_SOURCE_DIR};OMP_NUM_THREADS=1")
endif()
