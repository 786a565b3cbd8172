# End-to-end tests of the command line, label regress: scripts regress_<name>.py in Python with h5py
# and numpy (skipped without them). They work in <build>/regress and share small meshes made once.
# A test takes one of ctest's jobs though some of its runs have more ranks: a core stands idle for most of the
# time that a run takes to start and to end.
# The system's Python has the packages of the distribution; another one may come first in PATH.
find_program(AN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(AN_PYTHON python3)
if(AN_PYTHON AND TARGET annulus AND TARGET annulus_emulated AND TARGET mesh_cascade)
  add_executable(regress_box regress_box.c mesh_writer.c)
  target_compile_options(regress_box PRIVATE ${AN_WARNINGS})
  target_include_directories(regress_box PRIVATE ${CGNS_INCLUDE_DIR})
  target_link_libraries(regress_box PRIVATE an_kernels ${CGNS_LIBRARY} m)

  function(an_regress name processors timeout)
    add_test(NAME regress_${name} COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/regress_${name}.py ${CMAKE_BINARY_DIR}/bin ${ARGN})
    set_tests_properties(regress_${name} PROPERTIES LABELS regress PROCESSORS ${processors}
      TIMEOUT ${timeout} SKIP_RETURN_CODE 77)
    if(NOT name STREQUAL "mesh")
      set_tests_properties(regress_${name} PROPERTIES FIXTURES_REQUIRED regress_mesh)
    endif()
  endfunction()

  an_regress(mesh 1 60)
  set_tests_properties(regress_mesh PROPERTIES FIXTURES_SETUP regress_mesh)
  an_regress(cli 1 120)
  an_regress(ranks 4 300)
  an_regress(whole 2 200)
  an_regress(restart 1 300)
  an_regress(scalars 1 300)
  an_regress(modes 1 200)
  if(TARGET mesh_plot3d)
    an_regress(des 1 300)
    an_regress(orders 1 200)
    an_regress(low_mach 1 300)
    an_regress(transition_low_mach 1 120)
  endif()
  an_regress(transition 1 300)
  an_regress(gas 1 120)
  an_regress(mixture 1 200)
  an_regress(restarts 1 200)
  an_regress(kill 4 200)
  an_regress(late 1 300)
  an_regress(start 2 300)
  an_regress(slurm 1 200)
  an_regress(replay 1 300)
  an_regress(one_pass 1 120)
  an_regress(stop 2 400) # its ranks wait busily, as those of users do
  an_regress(watch 1 120)
  an_regress(embed 1 60)
  an_regress(catalyst 2 120)
  an_regress(system 1 120)
  set_tests_properties(regress_system PROPERTIES FIXTURES_REQUIRED "")
  an_regress(diverge 1 120)
  an_regress(guard 1 300)
  an_regress(faults 1 400)
  an_regress(cgnscheck 1 120)
  # Faults on purpose: a few of them here, all places and ranks with ctest -C long -R faults_long
  add_test(NAME faults COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/faults ${CMAKE_BINARY_DIR}/bin --short)
  set_tests_properties(faults PROPERTIES LABELS regress TIMEOUT 120 SKIP_RETURN_CODE 77)
  add_test(NAME faults_long CONFIGURATIONS long COMMAND ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/faults
    ${CMAKE_BINARY_DIR}/bin --jobs 2)
  set_tests_properties(faults_long PROPERTIES LABELS "regress;long" TIMEOUT 1800 SKIP_RETURN_CODE 77)
  # Minutes, and root: ctest -C long -R 'regress_(hosts|slurmd)'
  foreach(name hosts slurmd)
    add_test(NAME regress_${name} CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/regress_${name}.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(regress_${name} PROPERTIES LABELS "regress;long" TIMEOUT 600 SKIP_RETURN_CODE 77
      FIXTURES_REQUIRED regress_mesh RUN_SERIAL ON)
  endforeach()
  if(TARGET mesh_row)
    add_test(NAME regress_stall CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/regress_stall.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(regress_stall PROPERTIES LABELS "regress;long" TIMEOUT 300 SKIP_RETURN_CODE 77)
  endif()
  if(TARGET mesh_duct)
    an_regress(duct 1 60)
    set_tests_properties(regress_duct PROPERTIES FIXTURES_REQUIRED "")
  endif()
  if(TARGET mesh_duct AND TARGET mesh_plot3d)
    an_regress(doubts 1 120)
    set_tests_properties(regress_doubts PROPERTIES FIXTURES_REQUIRED "")
  endif()
  if(TARGET mesh_duct AND TARGET mesh_join)
    an_regress(values 1 300)
    set_tests_properties(regress_values PROPERTIES FIXTURES_REQUIRED "")
  endif()

  if(TARGET mesh_plot3d)
    an_regress(acceleration 1 600)
    an_regress(leaves 1 300)
    an_regress(continued 2 600)
    set_tests_properties(regress_continued PROPERTIES FIXTURES_REQUIRED "")
    # Minutes: ctest -C long -R 'regress_inner|validate_transition'
    add_test(NAME regress_inner CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/regress_inner.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(regress_inner PROPERTIES LABELS "regress;long" TIMEOUT 1800 SKIP_RETURN_CODE 77)
    add_test(NAME validate_transition CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/validate_transition.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(validate_transition PROPERTIES LABELS "validate;long" PROCESSORS 2 TIMEOUT 1800
      SKIP_RETURN_CODE 77)
    foreach(name plate wall_function)
      add_test(NAME validate_${name} COMMAND ${AN_PYTHON} -B
        ${CMAKE_CURRENT_SOURCE_DIR}/validate_${name}.py ${CMAKE_BINARY_DIR}/bin)
      set_tests_properties(validate_${name} PROPERTIES LABELS validate TIMEOUT 600 SKIP_RETURN_CODE 77)
    endforeach()
    # A minute on two cores: ctest -C long -R validate_sst
    add_test(NAME validate_sst CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/validate_sst.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(validate_sst PROPERTIES LABELS "validate;long" PROCESSORS 2 TIMEOUT 1500
      SKIP_RETURN_CODE 77)
  endif()
  an_regress(walls 1 200)
  an_regress(turned 1 200)
  an_regress(conservation 1 300)
  an_regress(outlets 1 400)
  an_regress(map 1 400)
  an_regress(stopped_map 1 400)
  if(TARGET mesh_row)
    an_regress(rows 1 400)
    an_regress(python 1 200)
    an_regress(copy 1 400)
    an_regress(cooling 1 400)
    an_regress(leakage 1 300)
    if(TARGET mesh_axis)
      an_regress(axis 1 120)
      an_regress(cgns 1 300)
      an_regress(autogrid 1 200)
    endif()
    # a turbine with cut-off edges and a leakage over its shroud, a compressor with a cantilevered stator; 20 minutes on one
    # core: ctest -C long -R regress_machines
    add_test(NAME regress_machines CONFIGURATIONS long COMMAND ${AN_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/regress_machines.py ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(regress_machines PROPERTIES LABELS long TIMEOUT 4000 SKIP_RETURN_CODE 77)
    an_regress(mixing 1 600)
    an_regress(planes 1 200)
    an_regress(passing 1 120)
  endif()
endif()
