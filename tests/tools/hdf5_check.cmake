# tools/cmake/Hdf5Check.cmake against the library of this build, and against faulty ones
set(hdf5 ${HDF5_C_LIBRARIES})
list(FILTER hdf5 INCLUDE REGEX "hdf5[^/]*\\.so")
if(hdf5)
  list(GET hdf5 0 hdf5)
  set(folders ${HDF5_C_INCLUDE_DIRS} ${MPI_C_INCLUDE_DIRS})
  list(TRANSFORM folders PREPEND -I)
  add_test(NAME test_hdf5_check COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_hdf5_check.sh ${CMAKE_CURRENT_BINARY_DIR}/hdf5_check
           ${CMAKE_C_COMPILER} ${folders} ${hdf5})
  set_tests_properties(test_hdf5_check PROPERTIES LABELS unit TIMEOUT 60)
endif()
