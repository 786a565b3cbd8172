an_test(NAME test_bench_ceiling SOURCES test_bench_ceiling.c LIBS an_bench TIMEOUT 20)
an_test(NAME test_bench_gpu SOURCES test_bench_gpu.c LIBS an_designs LABELS gpu TIMEOUT 300)
