# Two curves of measured film effectiveness, by the script of cases/film, on coarse meshes.
if(AN_PYTHON AND TARGET mesh_plot3d)
  add_test(NAME validate_film COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/validate_film.py ${CMAKE_BINARY_DIR}/bin
    ${CMAKE_CURRENT_BINARY_DIR}/film)
  set_tests_properties(validate_film PROPERTIES LABELS validate TIMEOUT 300 COST 30 SKIP_RETURN_CODE 77 ENVIRONMENT
    "AN_SOURCE=${CMAKE_SOURCE_DIR};OMP_NUM_THREADS=1")
endif()
