# tools/release: its list against the pages, and the command on a small list of its own
if(AN_PYTHON)
  add_test(NAME test_release COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_release.py)
  set_tests_properties(test_release PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77)
endif()
