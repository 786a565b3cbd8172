# The flat plates of cases/gust_cascade on a coarse mesh.
find_program(AN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(AN_PYTHON)
  add_test(NAME test_gust COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_gust.py ${CMAKE_CURRENT_BINARY_DIR}/gust_waves)
  set_tests_properties(test_gust PROPERTIES LABELS unit TIMEOUT 100 SKIP_RETURN_CODE 77 ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR}")
endif()
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_plot3d)
  add_test(NAME validate_gust COMMAND ${AN_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/validate_gust.py ${CMAKE_BINARY_DIR}/bin ${CMAKE_BINARY_DIR}/gust)
  set_tests_properties(validate_gust PROPERTIES LABELS validate TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
