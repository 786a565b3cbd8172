# Figures of small cases, one for each feature, against a table; and whether the list of wrong changes fits
# the sources.
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_duct)
  add_test(NAME test_pinned COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/pinned --bin ${CMAKE_BINARY_DIR}/bin
           --work ${CMAKE_CURRENT_BINARY_DIR}/pinned)
  set_tests_properties(test_pinned PROPERTIES LABELS unit TIMEOUT 300 COST 15 SKIP_RETURN_CODE 77
    ENVIRONMENT "${AN_MPI_ENVIRONMENT}")
endif()
if(AN_PYTHON)
  # The report finds the kernels that were just built; with optimisation by GCC the residuals and stages of each flux
  # are vector code: once a condition in Roe's flux made them five times as slow, and no figure told of it.
  set(share)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_BUILD_TYPE STREQUAL Release)
    set(share --fail-below 50 --kind fused)
  endif()
  add_test(NAME test_simd_report COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/dev/simd_report ${CMAKE_BINARY_DIR} ${share})
  set_tests_properties(test_simd_report PROPERTIES LABELS unit TIMEOUT 120
    PASS_REGULAR_EXPRESSION "roe_flux +directional +[0-9]+ bits" FAIL_REGULAR_EXPRESSION "below 50 %: ")
  add_test(NAME test_mutants COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/dev/mutants --check)
  set_tests_properties(test_mutants PROPERTIES LABELS unit TIMEOUT 60)
endif()
