# `annulus bench`: the command on top of the engines and the designs.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench*.c
  ${CMAKE_CURRENT_SOURCE_DIR}/count*.cc)
list(APPEND sources ${AN_COUNT_SOURCES})
set_source_files_properties(${AN_COUNT_SOURCES} PROPERTIES COMPILE_OPTIONS -O1) # they run on small blocks
add_library(an_bench STATIC ${sources})
target_compile_options(an_bench PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${AN_WARNINGS}>)
target_link_libraries(an_bench PUBLIC an_solver an_designs PkgConfig::JANSSON PRIVATE OpenMP::OpenMP_C m)
if(AN_HAVE_CUDA)
  target_sources(an_bench PRIVATE bench_cuda.cu)
  target_compile_options(an_bench PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${AN_WERROR}>>:-Werror=all-warnings>)
  target_compile_definitions(an_bench PRIVATE AN_HAVE_CUDA)
  target_link_libraries(an_bench PRIVATE CUDA::cudart_static)
endif()
# The benchmark is a program of its own, which `annulus bench` becomes: the flow program has none of its stencils.
add_executable(annulus_bench ${CMAKE_SOURCE_DIR}/solver/app/main.c ${CMAKE_SOURCE_DIR}/solver/app/bench_input.c)
target_compile_options(annulus_bench PRIVATE ${AN_WARNINGS})
target_link_libraries(annulus_bench PRIVATE an_bench an_solver)
