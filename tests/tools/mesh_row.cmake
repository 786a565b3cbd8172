an_test(NAME test_mesh_row SOURCES test_mesh_row.c mesh_file.c TIMEOUT 300 COST 50)
add_dependencies(test_mesh_row mesh_row annulus)
an_test(NAME test_mesh_row_edges SOURCES test_mesh_row_edges.c mesh_file.c TIMEOUT 600 COST 30)
add_dependencies(test_mesh_row_edges mesh_row annulus)
an_test(NAME test_mesh_row_splitters SOURCES test_mesh_row_splitters.c mesh_file.c TIMEOUT 300 COST 20)
add_dependencies(test_mesh_row_splitters mesh_row annulus)
an_test(NAME test_mesh_row_fillets SOURCES test_mesh_row_fillets.c mesh_file.c TIMEOUT 120)
add_dependencies(test_mesh_row_fillets mesh_row)
an_test(NAME test_mesh_row_metal SOURCES test_mesh_row_metal.c metal_mesh.c mesh_file.c TIMEOUT 300 COST 30)
add_dependencies(test_mesh_row_metal mesh_row)
an_test(NAME test_mesh_row_vanes SOURCES test_mesh_row_vanes.c metal_mesh.c mesh_file.c TIMEOUT 120)
add_dependencies(test_mesh_row_vanes mesh_row mesh_cascade)
an_test(NAME test_mesh_row_project SOURCES test_mesh_row_project.c mesh_file.c TIMEOUT 300 COST 30)
add_dependencies(test_mesh_row_project mesh_row annulus)
an_test(NAME test_mesh_row_parts SOURCES test_mesh_row_parts.c LIBS an_row TIMEOUT 120)
an_test(NAME test_mesh_row_formats SOURCES test_mesh_row_formats.c LIBS an_row TIMEOUT 60)
an_test(NAME test_mesh_profile SOURCES test_mesh_profile.c LIBS an_row TIMEOUT 120)
an_test(NAME test_mesh_row_report SOURCES test_mesh_row_report.c LIBS an_row TIMEOUT 60)
an_test(NAME test_mesh_row_shapes SOURCES test_mesh_row_shapes.c LIBS an_row TIMEOUT 60)
an_test(NAME test_mesh_row_vary SOURCES test_mesh_row_vary.c LIBS an_row TIMEOUT 120)
add_dependencies(test_mesh_row_vary mesh_row)

# an impeller with splitters whose mesh has 14.5 degrees without plane meshes and trials polished behind a barrier
add_test(NAME mesh_row_barrier COMMAND mesh_row ${CMAKE_SOURCE_DIR}/cases/hecc/row.yaml --cells 1e5 --quality)
set_tests_properties(mesh_row_barrier PROPERTIES LABELS unit TIMEOUT 300 COST 20
  PASS_REGULAR_EXPRESSION "smallest angle  +(19|2[0-9])")

# with all passes that even out its volumes, the first cells are 8 um high at the front of its blades; wanted: 20 um
add_test(NAME mesh_row_first_long CONFIGURATIONS long COMMAND mesh_row ${CMAKE_SOURCE_DIR}/cases/hecc/row.yaml --quality)
set_tests_properties(mesh_row_first_long PROPERTIES LABELS long TIMEOUT 1200
  PASS_REGULAR_EXPRESSION "evened: largest ratio of neighbours [0-6].*first cells, blade +1[.][3-9][0-9]*e-05")

# the impeller has 2.6 degrees with trials that are polished behind a barrier
add_test(NAME mesh_row_stage_long CONFIGURATIONS long COMMAND mesh_row ${CMAKE_SOURCE_DIR}/cases/hecc/stage.yaml --quality)
set_tests_properties(mesh_row_stage_long PROPERTIES LABELS long TIMEOUT 1200
  PASS_REGULAR_EXPRESSION "again without a barrier: smallest angle 1[0-9]")

# Rows made from a seed (tools/programs/mesh_row/family): 20 small axial ones in every run, 60 of 1e5 cells with
# ctest -C long -L long
if(AN_PYTHON)
  add_test(NAME test_mesh_slow COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_mesh_slow.py
    $<TARGET_FILE:mesh_row> ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/mesh_slow)
  set_tests_properties(test_mesh_slow PROPERTIES LABELS unit TIMEOUT 120)
  set(family ${AN_PYTHON} -B ${CMAKE_SOURCE_DIR}/tools/programs/mesh_row/family --bin $<TARGET_FILE:mesh_row>)
  add_test(NAME mesh_row_family COMMAND ${family} --count 20 --step 7 --cells 3e4 --walls functions
    --levels 3 --folder ${CMAKE_BINARY_DIR}/mesh_row_family --least 100 --least-good 95)
  set_tests_properties(mesh_row_family PROPERTIES LABELS unit TIMEOUT 400 COST 30)
  # one member of a family: what follows the name are options of the tool
  function(add_member name)
    add_test(NAME mesh_row_${name} COMMAND ${family} ${ARGN} --folder ${CMAKE_BINARY_DIR}/mesh_row_${name})
    set_tests_properties(mesh_row_${name} PROPERTIES LABELS unit TIMEOUT 120)
  endfunction()
  # a wide gap with low first cells in a small mesh: without limits of the growth along the span the ratio is 38
  add_member(even --gaps --first 4 --count 1 --cells 3e4 --most-ratio 10)
  # lines that fan out round thin edges: with heights in geometric progression the ratio is 8.8
  add_member(fans --gaps --first 6 --count 1 --cells 1e5 --most-ratio 5)
  # the passages and the outlet block do not continue each other: without smoothing the keys on the ratio is 8.1
  add_member(blocks --gaps --first 21 --count 1 --cells 1e5 --most-ratio 5 --least-good 100)
  # few layers in the gap: when the layers beside the blade are not spared the ratio is 16.5
  add_member(layers --radial --splitters 1 --first 2 --count 1 --cells 1e5 --most-ratio 6 --least-good 100)
  # an inclined blade, whose lines along the span lean less with another way from the plane meshes to the layers
  add_member(span --radial --first 32 --count 1 --cells 1e5 --least-good 100)
  # the ring of a gap in a thin section: without smoothing its final rows on the smallest angle is 7.5 degrees
  add_member(ring --radial --first 4 --count 1 --cells 1e5 --least-good 100 --most-ratio 6)
  # counts in steps of eight: with four multigrid levels, which the file allows, the smallest angle is 19.4 degrees
  add_member(fewer --blunt --first 21 --count 1 --cells 1e5 --least-good 100 --most-ratio 6)
  # turbine vanes and blades, twisted, tapered and leaned, whose metal has 3 to 12 coolant holes: ten in every run, 60 with
  # ctest -C long -L long
  set(cooled ${family} --holes --walls functions --levels 3 --least 100 --least-metal 25)
  add_test(NAME mesh_row_holes COMMAND ${cooled} --count 10 --step 3 --cells 2e4
    --folder ${CMAKE_BINARY_DIR}/mesh_row_holes)
  set_tests_properties(mesh_row_holes PROPERTIES LABELS unit TIMEOUT 240 COST 20)
  add_test(NAME mesh_row_holes_long CONFIGURATIONS long COMMAND ${cooled} --count 60 --cells 3e4
    --folder ${CMAKE_BINARY_DIR}/mesh_row_holes_long)
  set_tests_properties(mesh_row_holes_long PROPERTIES LABELS long TIMEOUT 1200)
  # cut-off trailing edges, whose corners are nodes of the metal's surface, and gaps at both ends
  add_test(NAME mesh_row_holes_blunt COMMAND ${cooled} --blunt --gaps --first 1 --count 1 --cells 3e4
    --folder ${CMAKE_BINARY_DIR}/mesh_row_holes_blunt)
  set_tests_properties(mesh_row_holes_blunt PROPERTIES LABELS unit TIMEOUT 120)
  add_test(NAME mesh_row_blunt_long CONFIGURATIONS long COMMAND ${family} --blunt --count 24 --cells 3e4
    --folder ${CMAKE_BINARY_DIR}/mesh_row_blunt_long --least 99 --least-good 95)
  set_tests_properties(mesh_row_blunt_long PROPERTIES LABELS long TIMEOUT 3600)
  add_test(NAME mesh_row_gaps_long CONFIGURATIONS long COMMAND ${family} --gaps --count 24 --cells 3e4
    --folder ${CMAKE_BINARY_DIR}/mesh_row_gaps_long --least 95 --least-good 90)
  set_tests_properties(mesh_row_gaps_long PROPERTIES LABELS long TIMEOUT 3600)
  # an inflow turbine whose mesh has 17.0 degrees before the second search for the corners
  add_test(NAME mesh_row_search COMMAND ${family} --radial --first 44 --count 1 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_search --least-good 100)
  set_tests_properties(mesh_row_search PROPERTIES LABELS unit TIMEOUT 200)
  # impellers and inflow turbines: one small one in every run, 60 with ctest -C long -L long
  add_test(NAME mesh_row_radial COMMAND ${family} --radial --first 2 --count 1 --cells 1.5e4 --walls functions
    --levels 3 --folder ${CMAKE_BINARY_DIR}/mesh_row_radial --least 100)
  set_tests_properties(mesh_row_radial PROPERTIES LABELS unit TIMEOUT 120)
  # the ring at the nose, in the gap, is much thinner than the core's cells: without shift_end the ratio is 7.0
  add_test(NAME mesh_row_core COMMAND ${family} --radial --first 18 --count 1 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_core --most-ratio 4)
  set_tests_properties(mesh_row_core PROPERTIES LABELS unit TIMEOUT 120)
  add_test(NAME mesh_row_splitters COMMAND ${family} --radial --splitters 1 --count 2 --cells 3e4 --walls functions
    --levels 3 --folder ${CMAKE_BINARY_DIR}/mesh_row_splitters --least 100)
  set_tests_properties(mesh_row_splitters PROPERTIES LABELS unit TIMEOUT 240)
  add_test(NAME mesh_row_splitters_long CONFIGURATIONS long COMMAND ${family} --radial --splitters 1 --count 40 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_splitters_long --least 80)
  set_tests_properties(mesh_row_splitters_long PROPERTIES LABELS long TIMEOUT 7200)
  add_test(NAME mesh_row_radial_long CONFIGURATIONS long COMMAND ${family} --radial --count 60 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_radial_long --least 90 --least-good 65)
  set_tests_properties(mesh_row_radial_long PROPERTIES LABELS long TIMEOUT 3600)
  add_test(NAME mesh_row_family_long CONFIGURATIONS long COMMAND ${family} --count 60 --cells 1e5
    --folder ${CMAKE_BINARY_DIR}/mesh_row_family_long --least 99 --least-good 95)
  set_tests_properties(mesh_row_family_long PROPERTIES LABELS long TIMEOUT 3600)
endif()
