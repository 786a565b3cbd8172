if(TARGET annulus)
  add_test(NAME test_bundle COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_bundle.sh)
  set_tests_properties(test_bundle PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77
    ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR};AN_BIN=${CMAKE_BINARY_DIR}/bin")
endif()
