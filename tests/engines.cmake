an_test(NAME test_engines SOURCES test_engines.c engine_fixture.c LIBS an_kernels TIMEOUT 300)
an_test(NAME test_engines_gpu SOURCES test_engines_gpu.c engine_fixture.c LIBS an_kernels LABELS gpu
  TIMEOUT 300)
an_test(NAME test_emulated SOURCES test_emulated.cc LIBS an_kernels)
an_test(NAME test_implicit SOURCES test_implicit.c engine_fixture.c LIBS an_kernels)
