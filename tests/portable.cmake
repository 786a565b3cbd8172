# The CPU engine on another processor: cross-compiled, run under qemu, same bits. Minutes of
# compiling: it runs with ctest --test-dir build/cpu -C long -R test_aarch64.
add_executable(bits bits.c)
target_compile_options(bits PRIVATE ${AN_WARNINGS})
target_link_libraries(bits PRIVATE an_kernels)
set_target_properties(bits PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
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
if(AN_PYTHON)
  add_test(NAME test_aarch64 CONFIGURATIONS long COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_aarch64.py ${CMAKE_BINARY_DIR}
           ${CMAKE_CURRENT_BINARY_DIR}/aarch64)
  set_tests_properties(test_aarch64 PROPERTIES LABELS "unit;long" TIMEOUT 1800 SKIP_RETURN_CODE 77)
  if(AN_HAVE_CUDA)
    add_test(NAME test_architectures COMMAND ${AN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_architectures.py ${CMAKE_BINARY_DIR}
             ${CMAKE_CUDA_ARCHITECTURES})
    set_tests_properties(test_architectures PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
  endif()
endif()
