# Stops the configuration if CGNS and the program would use two HDF5 libraries that collide. Each pair of
# libraries is asked once.
set(asked "${HDF5_C_LIBRARIES};${CGNS_LIBRARY}")
if(NOT "${AN_HDF5_CHECKED}" STREQUAL "${asked}" AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  unset(AN_HDF5_COMPILES CACHE)
  unset(AN_HDF5_RUNS CACHE)
  try_run(AN_HDF5_RUNS AN_HDF5_COMPILES ${CMAKE_BINARY_DIR}/hdf5_check ${CMAKE_CURRENT_LIST_DIR}/hdf5_check.c
          CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${HDF5_C_INCLUDE_DIRS};${CGNS_INCLUDE_DIR}"
          LINK_LIBRARIES ${CGNS_LIBRARY} ${HDF5_C_LIBRARIES} MPI::MPI_C ${CMAKE_DL_LIBS}
          COMPILE_OUTPUT_VARIABLE compiler RUN_OUTPUT_VARIABLE said ARGS ${CMAKE_BINARY_DIR}/hdf5_check.cgns)
  string(STRIP "${said}" said)
  if(NOT AN_HDF5_COMPILES)
    message(FATAL_ERROR "A program with CGNS and HDF5 cannot be linked:\n${compiler}")
  elseif(NOT AN_HDF5_RUNS EQUAL 0)
    message(FATAL_ERROR "CGNS (${CGNS_LIBRARY}) and HDF5 (${HDF5_C_LIBRARIES}) do not work in one program: ${said}\n"
            "Use a CGNS that was built with the same parallel HDF5 (CGNS_LIBRARY, CGNS_INCLUDE_DIR), or another HDF5 (HDF5_ROOT).")
  endif()
  message(STATUS "${said}")
  set(AN_HDF5_CHECKED "${asked}" CACHE INTERNAL "libraries that hdf5_check found to work together")
endif()
