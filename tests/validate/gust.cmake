# The flat plates of cases/gust_cascade on a coarse mesh.
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_plot3d)
  add_test(NAME validate_gust COMMAND ${AN_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/validate_gust.py ${CMAKE_BINARY_DIR}/bin ${CMAKE_BINARY_DIR}/gust)
  set_tests_properties(validate_gust PROPERTIES LABELS validate TIMEOUT 300 COST 30 SKIP_RETURN_CODE 77)
endif()
