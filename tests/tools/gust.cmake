# The waves that a gust makes on flat plates, by the script of cases/gust_cascade.
if(AN_PYTHON)
  add_test(NAME test_gust COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_gust.py ${CMAKE_CURRENT_BINARY_DIR}/gust_waves)
  set_tests_properties(test_gust PROPERTIES LABELS unit TIMEOUT 100 SKIP_RETURN_CODE 77 ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR}")
endif()
