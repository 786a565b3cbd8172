# Flat plates against published friction: laminar, turbulent, with transition.
if(AN_PYTHON AND TARGET annulus AND TARGET annulus_emulated AND TARGET mesh_cascade AND TARGET mesh_plot3d)
  # Minutes: ctest -C long -R validate_transition
  add_test(NAME validate_transition CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/validate_transition.py ${CMAKE_BINARY_DIR}/bin)
  set_tests_properties(validate_transition PROPERTIES LABELS "validate;long" PROCESSORS 2 TIMEOUT 1800
    SKIP_RETURN_CODE 77)
  foreach(name plate wall_function)
    add_test(NAME validate_${name} COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/validate_${name}.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(validate_${name} PROPERTIES LABELS validate TIMEOUT 600 COST 30 SKIP_RETURN_CODE 77)
  endforeach()
  # A minute on two cores: ctest -C long -R validate_sst
  add_test(NAME validate_sst CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/validate_sst.py ${CMAKE_BINARY_DIR}/bin)
  set_tests_properties(validate_sst PROPERTIES LABELS "validate;long" PROCESSORS 2 TIMEOUT 1500
    SKIP_RETURN_CODE 77)
endif()
