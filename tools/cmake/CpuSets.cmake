# What kernels/CMakeLists.txt needs to choose what the CPU engine is built for.

# The best instruction set that the processor of this machine runs, as kernels/cpu/cpu_engine.c finds it.
function(an_native_set result)
  set(best baseline)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
    set(avx2 avx2 fma bmi2)
    set(avx512 ${avx2} avx512f avx512bw avx512cd avx512dq avx512vl)
    foreach(isa avx2 avx512)
      list(REMOVE_ITEM ${isa} ${flags}) # leaves what the processor lacks
      if(NOT ${isa})
        set(best ${isa})
      endif()
    endforeach()
  endif()
  message(STATUS "AN_CPU_SETS: native is ${best}")
  set(${result} ${best} PARENT_SCOPE)
endfunction()

# Stops the configuration unless the list `variable` holds words of ${ARGN} only, and at least one. what: what they are.
function(an_check_list variable what)
  if(NOT ${variable})
    message(FATAL_ERROR "${variable} is empty; ${what} are ${ARGN}")
  endif()
  foreach(word ${${variable}})
    if(NOT word IN_LIST ARGN)
      message(FATAL_ERROR "${variable}: ${word} is none of ${what}: ${ARGN}")
    endif()
  endforeach()
endfunction()
