if(AN_PYTHON)
  add_test(NAME test_python COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_python.py
           ${CMAKE_CURRENT_BINARY_DIR}/python)
  add_test(NAME test_report COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_report.py
           ${CMAKE_CURRENT_BINARY_DIR}/python)
  add_test(NAME test_stages COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_stages.py
           ${CMAKE_CURRENT_BINARY_DIR}/stages)
  add_test(NAME test_orders COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_orders.py
           ${CMAKE_CURRENT_BINARY_DIR}/orders)
  add_test(NAME test_damage COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_damage.py
           ${CMAKE_CURRENT_BINARY_DIR}/python ${CMAKE_CURRENT_BINARY_DIR}/damage)
  add_test(NAME test_exchange COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_exchange.py
           ${CMAKE_CURRENT_BINARY_DIR}/python)
  add_test(NAME test_unsteady COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_unsteady.py
           ${CMAKE_CURRENT_BINARY_DIR}/unsteady ${CMAKE_CURRENT_BINARY_DIR}/python)
  add_test(NAME test_programs COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_programs.py
           ${CMAKE_CURRENT_BINARY_DIR}/programs)
  add_test(NAME test_turbine COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_turbine.py ${CMAKE_CURRENT_BINARY_DIR}/turbine)
  add_test(NAME test_vanes COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_vanes.py)
  set_tests_properties(test_programs test_turbine test_vanes PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR}")
  set_tests_properties(test_python PROPERTIES FIXTURES_SETUP python_run)
  set_tests_properties(test_report test_damage test_exchange test_unsteady PROPERTIES FIXTURES_REQUIRED python_run)
  set_tests_properties(test_python test_report test_stages test_damage test_orders test_exchange test_unsteady PROPERTIES LABELS unit TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1")
endif()
