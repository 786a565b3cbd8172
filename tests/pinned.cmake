# Figures of small cases, one for each feature, against a table; and whether the list of wrong changes fits
# the sources.
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_duct)
  add_test(NAME test_pinned COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/pinned --bin ${CMAKE_BINARY_DIR}/bin
           --work ${CMAKE_CURRENT_BINARY_DIR}/pinned)
  set_tests_properties(test_pinned PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "${AN_MPI_ENVIRONMENT}")
endif()
if(AN_PYTHON)
  # the report finds the kernels that were just built
  add_test(NAME test_simd_report COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/simd_report ${CMAKE_BINARY_DIR})
  set_tests_properties(test_simd_report PROPERTIES LABELS unit TIMEOUT 120
    PASS_REGULAR_EXPRESSION "roe_flux +directional +[0-9]+ bits")
  add_test(NAME test_mutants COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/mutants --check)
  set_tests_properties(test_mutants PROPERTIES LABELS unit TIMEOUT 60)
endif()
