# Verification cases: exact solutions, orders of accuracy.
function(an_verify name)
  an_test(NAME ${name} SOURCES ${name}.c verify.c verify_mesh.c solver_fixture.c LIBS an_solver
    LABELS verify TIMEOUT 300 ${ARGN})
endfunction()
an_verify(verify_freestream)
an_verify(verify_freestream NP 4)
an_verify(verify_riemann)
an_verify(verify_vortex)
an_verify(verify_ranks NP 4)
an_verify(verify_annular_vortex)
an_verify(verify_nozzle)
an_verify(verify_wedge)
an_verify(verify_sector)
