# tools/robustness: the rules (unit), twelve tiny cases (regress), the 44 small ones (long: ctest -C long -L long)
if(AN_PYTHON)
  add_test(NAME test_robustness COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_robustness.py)
  set_tests_properties(test_robustness PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77)
  if(TARGET annulus AND TARGET mesh_row AND TARGET mesh_duct AND TARGET mesh_cascade AND TARGET mesh_plot3d)
    set(suite ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/robustness/suite --bin ${CMAKE_BINARY_DIR}/bin --engine cpu)
    add_test(NAME regress_robustness COMMAND ${suite} --work ${CMAKE_BINARY_DIR}/regress/robustness --again --jobs 2
      --twelve --iterations 350 --continue sample --limit 600 --least 75 --no-silent --adjoint --least-adjoint 95 --markdown -)
    set_tests_properties(regress_robustness PROPERTIES LABELS regress PROCESSORS 2 COST 1100 TIMEOUT 1500 SKIP_RETURN_CODE 77)
    add_test(NAME robustness_small CONFIGURATIONS long COMMAND ${suite} --work ${CMAKE_BINARY_DIR}/robustness --again
      --jobs 8 --size s --limit 1800 --no-silent --markdown -)
    set_tests_properties(robustness_small PROPERTIES LABELS long PROCESSORS 8 TIMEOUT 14400 SKIP_RETURN_CODE 77)
  endif()
endif()
