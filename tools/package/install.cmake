# cmake --install: the programs, the Python package with its command line, headers and static libraries
# with a package file for find_package(annulus), man pages and completion for bash, documentation.
# Nothing installed names the source or the build folder, so the prefix can be moved.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # tests need not be built to make a package
include(CMakePackageConfigHelpers)

set(programs annulus)
foreach(tool mesh_row mesh_cascade mesh_duct mesh_join mesh_plot3d mesh_axis passage_copy)
  if(TARGET ${tool})
    list(APPEND programs ${tool})
  endif()
endforeach()
set(started "") # by others: neither manual page nor completion
if(TARGET annulus_bench)
  set(started annulus_bench)
endif()
install(TARGETS ${programs} ${started} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The mesh tools' and the solver's own libraries stay inside the programs.
set(packages ${CMAKE_INSTALL_LIBDIR}/cmake/annulus)
foreach(library kernels bc mpi io)
  target_include_directories(an_${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/annulus>)
  set_target_properties(an_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
install(TARGETS an_kernels an_bc EXPORT annulusKernels ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/annulus)
install(TARGETS an_mpi an_io EXPORT annulusParallel ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/annulus)
foreach(set Kernels Parallel)
  install(EXPORT annulus${set} NAMESPACE annulus:: DESTINATION ${packages})
endforeach()
foreach(folder kernels bc mpi io)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/annulus FILES_MATCHING PATTERN "*.h")
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/annulusConfig.cmake.in ${CMAKE_BINARY_DIR}/annulusConfig.cmake
                              INSTALL_DESTINATION ${packages})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/annulusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/annulusConfig.cmake ${CMAKE_BINARY_DIR}/annulusConfigVersion.cmake DESTINATION ${packages})

install(DIRECTORY ${CMAKE_SOURCE_DIR}/tools/python/annulus DESTINATION ${CMAKE_INSTALL_DATADIR}/annulus/python
        FILES_MATCHING PATTERN "*.py" PATTERN "*.html")
foreach(script plot example)
  install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/${script} DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME annulus-${script})
endforeach()
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/gas_table DESTINATION ${CMAKE_INSTALL_DATADIR}/annulus)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/cases/ls89 DESTINATION ${CMAKE_INSTALL_DATADIR}/annulus/cases
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.dat" PATTERN "*.csv")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/docs)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

# Manual pages and completion are what the programs say of themselves; a cross build cannot ask them.
# The system's Python has the packages of the distribution, which annulus-plot needs to say its help.
find_program(AN_PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(AN_PYTHON3 NAMES python3)
mark_as_advanced(AN_PYTHON3)
if(AN_PYTHON3 AND NOT CMAKE_CROSSCOMPILING)
  set(manual ${CMAKE_BINARY_DIR}/manual)
  set(commands)
  foreach(program ${programs})
    list(APPEND commands $<TARGET_FILE:${program}>)
  endforeach()
  file(GLOB plotting CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/python/annulus/plotting/*.py)
  add_custom_command(OUTPUT ${manual}/man1/annulus.1 COMMAND ${AN_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/manual ${PROJECT_VERSION} ${manual}
                             ${CMAKE_SOURCE_DIR}/tools ${commands}
                     DEPENDS ${programs} ${CMAKE_CURRENT_LIST_DIR}/manual ${CMAKE_SOURCE_DIR}/tools/example ${plotting} COMMENT "Manual pages and completion" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/man1/annulus.1)
  install(DIRECTORY ${manual}/man1 ${manual}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${manual}/completion/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME annulus)
set(CPACK_PACKAGE_VENDOR "Annulus")
set(CPACK_PACKAGE_CONTACT "the authors of Annulus <annulus@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Structured-grid flow solver for turbomachinery")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "mpi-default-bin")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5py, python3-matplotlib, python3-numpy, python3-yaml")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
