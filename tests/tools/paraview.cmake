# tools/paraview_run.py with a stand-in for ParaView
if(AN_PYTHON)
  add_test(NAME test_paraview_run COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_paraview_run.py
           ${CMAKE_CURRENT_BINARY_DIR}/paraview_run)
  set_tests_properties(test_paraview_run PROPERTIES LABELS unit TIMEOUT 60 ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR}")
endif()
