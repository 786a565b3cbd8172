# The list of stencils, and the files of each group, made from the definitions stencils/*/*.stencil.
# Every definition says its name, kind and group in lines of its head:
#
#     #include "kernels/physics/flux.h"      point physics it needs, if any
#     #define AN_STENCIL_NAME roe_flux       the name of the file
#     #define AN_STENCIL_KIND DIRECTIONAL    CELL, DIRECTIONAL, FACE or LINE (engine.h)
#     #define AN_STENCIL_GROUP roe           stencils that an engine compiles together
#
# Written only where they change, one into the source tree, as part of the repository:
#
#     kernels/engine/stencil_list.h   AN_STENCIL_LIST of all stencils, in alphabetical order
#
# and below ${AN_GENERATED}:
#
#     kernels/stencils/all.inc        definitions of all stencils (stencils.h)
#     kernels/stencils/GROUP.h        point physics of the group and AN_GROUP_LIST
#     kernels/stencils/GROUP.inc      definitions of the group (stencils.h)
#
#     kernels/stencils/gasless.h      AN_GASLESS_name of each stencil: 1: it does not depend on the gas
#
# Sets AN_GAS_GROUPS and AN_GASLESS_GROUPS, the names of the groups that depend on the gas and of those that do not: these
# are built once for both kinds of gas (AN_GAS 2 in kernels/physics/fields.h). A stencil in the wrong one does not compile.
# A definition that changes is read again.
set(AN_GASLESS_GROUPS geometry mirrors mixing multigrid steps sums)
file(GLOB definitions CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/*.stencil)
list(SORT definitions COMPARE FILE_BASENAME) # the order of AN_STENCIL_LIST does not depend on folders
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${definitions})

# Writes a file unless it holds the text already.
function(an_write file text)
  set(before "")
  if(EXISTS ${file})
    file(READ ${file} before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE ${file} "${text}")
  endif()
endfunction()

# The word behind "#define what" in the head of a definition; must match `pattern`.
function(an_head file lines what pattern out)
  if(NOT lines MATCHES "#define ${what} (${pattern})(;|$)")
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${file})
    message(FATAL_ERROR "${name}: a line '#define ${what} ...' is missing or is not ${pattern}")
  endif()
  set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

set(AN_GROUPS "")
set(all "")
set(all_inc "")
set(gasless "")
foreach(file ${definitions})
  get_filename_component(stencil ${file} NAME_WE)
  file(STRINGS ${file} lines REGEX "^#(define AN_STENCIL_|include \"kernels/physics/)")
  an_head(${file} "${lines}" AN_STENCIL_NAME ${stencil} name)
  an_head(${file} "${lines}" AN_STENCIL_KIND "CELL|DIRECTIONAL|FACE|LINE" kind)
  an_head(${file} "${lines}" AN_STENCIL_GROUP "[a-z][a-z0-9_]*" group)
  set(entry " \\\n    ${kind}(${stencil})")
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
  set(inc "#define AN_STENCIL \"${path}\"\n")
  string(APPEND inc "#include AN_TEMPLATE_${kind}\n#undef AN_STENCIL\n")
  string(APPEND all "${entry}")
  string(APPEND all_inc "${inc}")
  set(free 0)
  if(group IN_LIST AN_GASLESS_GROUPS)
    set(free 1)
  endif()
  string(APPEND gasless "#define AN_GASLESS_${stencil} ${free}\n")
  if(NOT group IN_LIST AN_GROUPS)
    list(APPEND AN_GROUPS ${group})
    set(list_of_${group} "")
    set(inc_of_${group} "")
    set(physics_of_${group} "")
  endif()
  string(APPEND list_of_${group} "${entry}")
  string(APPEND inc_of_${group} "${inc}")
  foreach(line ${lines})
    if(line MATCHES "^#include")
      list(APPEND physics_of_${group} ${line})
    endif()
  endforeach()
endforeach()
list(SORT AN_GROUPS)
set(AN_GAS_GROUPS ${AN_GROUPS})
list(REMOVE_ITEM AN_GAS_GROUPS ${AN_GASLESS_GROUPS})

set(from "/* Made by kernels/stencils/stencils.cmake from the stencil definitions. */\n")
set(parameters "(CELL, DIRECTIONAL, FACE, LINE)")
an_write(${CMAKE_SOURCE_DIR}/kernels/engine/stencil_list.h "${from}/* clang-format off */
#define AN_STENCIL_LIST${parameters}${all}\n/* clang-format on */\n")
an_write(${AN_GENERATED}/kernels/stencils/all.inc "${from}${all_inc}")
an_write(${AN_GENERATED}/kernels/stencils/gasless.h "${from}${gasless}")
foreach(group ${AN_GROUPS})
  list(REMOVE_DUPLICATES physics_of_${group})
  list(SORT physics_of_${group})
  list(JOIN physics_of_${group} "\n" physics)
  an_write(${AN_GENERATED}/kernels/stencils/${group}.h
           "${from}${physics}\n#define AN_GROUP_LIST${parameters}${list_of_${group}}\n")
  an_write(${AN_GENERATED}/kernels/stencils/${group}.inc "${from}${inc_of_${group}}")
endforeach()

# Makes the source of a group for the CPU engine: ${AN_GENERATED}/kernels/cpu/GROUP.c.
function(an_cpu_source group)
  an_write(${AN_GENERATED}/kernels/cpu/${group}.c "${from}#include \"kernels/stencils/${group}.h\"
#define AN_GROUP \"kernels/stencils/${group}.inc\"
#include \"kernels/cpu/cpu_group.h\"
")
endfunction()

# Makes the sources of all groups for the counting reference of `annulus bench`,
# ${AN_GENERATED}/bench/count_GROUP.cc, and lists them in `out`.
function(an_count_sources out)
  set(sources "")
  foreach(group ${AN_GROUPS})
    set(file ${AN_GENERATED}/bench/count_${group}.cc)
    an_write(${file} "${from}#include \"bench/counted.h\"
#include \"kernels/stencils/${group}.h\"
#define AN_GROUP \"kernels/stencils/${group}.inc\"
#include \"bench/count_group.h\"
")
    list(APPEND sources ${file})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Makes the sources of an engine that runs the CUDA kernels, ${AN_GENERATED}/kernels/ENGINE/*.SUFFIX, and lists them, with
# the table, in `gas`, and those that do not depend on the gas in `gasless`. language: the text that brings the language.
function(an_cuda_sources engine suffix language gas gasless)
  set(${gas} cuda/cuda_table.c)
  set(${gasless} "")
  foreach(group ${AN_GROUPS})
    set(file ${AN_GENERATED}/kernels/${engine}/${group}.${suffix})
    an_write(${file} "${from}${language}#include \"kernels/stencils/${group}.h\"
#define AN_GROUP \"kernels/stencils/${group}.inc\"
#include \"kernels/cuda/cuda_group.cuh\"
")
    if(group IN_LIST AN_GASLESS_GROUPS)
      list(APPEND ${gasless} ${file})
    else()
      list(APPEND ${gas} ${file})
    endif()
  endforeach()
  foreach(kernel copy sparse follow_planes fused rans sa_planes sst_planes viscous_planes)
    set(file ${AN_GENERATED}/kernels/${engine}/${kernel}.${suffix})
    string(REPLACE _planes "" template ${kernel})
    an_write(${file} "${from}${language}#include \"kernels/cuda/cuda_${template}.cuh\"\n")
    if(kernel STREQUAL copy)
      list(APPEND ${gasless} ${file})
    elseif(kernel STREQUAL sparse) # in double precision alone
      set(${gasless}_64 ${file})
    else()
      list(APPEND ${gas} ${file})
    endif()
  endforeach()
  set(${gas} ${${gas}} PARENT_SCOPE)
  set(${gasless} ${${gasless}} PARENT_SCOPE)
  set(${gasless}_64 ${${gasless}_64} PARENT_SCOPE)
endfunction()
