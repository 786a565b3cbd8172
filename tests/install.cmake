add_test(NAME test_install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_install.sh ${CMAKE_BINARY_DIR}
         ${CMAKE_CURRENT_BINARY_DIR}/install)
set_tests_properties(test_install PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77)
