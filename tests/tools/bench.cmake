# The command `annulus bench`: documents are complete, numbers plausible, faults named.
add_test(NAME test_bench COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_bench.py $<TARGET_FILE:annulus>
  $<TARGET_FILE:mesh_duct>)
set_tests_properties(test_bench PROPERTIES LABELS unit TIMEOUT 300 COST 60
  ENVIRONMENT "OMP_NUM_THREADS=1;AN_SOURCE=${CMAKE_SOURCE_DIR};${AN_MPI_ENVIRONMENT}")
if(AN_HAVE_CUDA AND AN_PYTHON)
  add_test(NAME test_issue_report COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/dev/issue_report ${CMAKE_BINARY_DIR})
  set_tests_properties(test_issue_report PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
endif()
