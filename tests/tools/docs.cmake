# The manual: the site builds, every link and heading that a link names is there, and the commands of the
# pages run. Skipped where mkdocs or Python's h5py is not there.
if(AN_PYTHON AND TARGET annulus AND TARGET mesh_cascade)
  foreach(part links commands)
    add_test(NAME test_docs_${part}
      COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_docs.py ${part} ${CMAKE_BINARY_DIR}/bin)
    set_tests_properties(test_docs_${part} PROPERTIES LABELS unit TIMEOUT 900 COST 45 SKIP_RETURN_CODE 77
      ENVIRONMENT "OMP_NUM_THREADS=1;${AN_MPI_ENVIRONMENT};MPLBACKEND=Agg")
  endforeach()
endif()
