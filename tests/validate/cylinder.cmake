# The cylinder of cases/cylinder, an hour on one core: ctest -C long -R validate_cylinder
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_plot3d)
  add_test(NAME validate_cylinder CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/validate_cylinder.py ${CMAKE_BINARY_DIR}/bin ${CMAKE_BINARY_DIR}/cylinder)
  set_tests_properties(validate_cylinder PROPERTIES LABELS long TIMEOUT 14400)
endif()
