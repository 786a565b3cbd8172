# The CPU engine on another processor: cross-compiled, run under qemu, same bits. Minutes of
# compiling: it runs with ctest --test-dir build/cpu -C long -R test_aarch64.
add_executable(bits bits.c)
target_compile_options(bits PRIVATE ${AN_WARNINGS})
target_link_libraries(bits PRIVATE an_kernels)
set_target_properties(bits PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
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
