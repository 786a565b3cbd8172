add_test(NAME test_install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_install.sh ${CMAKE_BINARY_DIR}
         ${CMAKE_CURRENT_BINARY_DIR}/install)
set_tests_properties(test_install PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77)
# The package in a bare system of its own, down to the pictures. Minutes, root, and the package archive:
# ctest -C long -R test_deb
add_test(NAME test_deb CONFIGURATIONS long COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_deb.sh ${CMAKE_BINARY_DIR}
         ${CMAKE_CURRENT_BINARY_DIR}/deb)
set_tests_properties(test_deb PROPERTIES LABELS "unit;long" TIMEOUT 1800 SKIP_RETURN_CODE 77)
add_test(NAME test_build_options COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_build_options.sh $<TARGET_FILE:annulus>)
set_tests_properties(test_build_options PROPERTIES LABELS unit TIMEOUT 60)
