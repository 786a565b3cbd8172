# Figures of small cases, one for each feature, against a table; and whether the list of wrong changes fits
# the sources.
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_duct)
  add_test(NAME test_pinned COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/pinned --bin ${CMAKE_BINARY_DIR}/bin
           --work ${CMAKE_CURRENT_BINARY_DIR}/pinned)
  set_tests_properties(test_pinned PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "${AN_MPI_ENVIRONMENT}")
endif()
if(AN_PYTHON)
  add_test(NAME test_mutants COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/mutants --check)
  set_tests_properties(test_mutants PROPERTIES LABELS unit TIMEOUT 60)
endif()
