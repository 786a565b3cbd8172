an_test(NAME test_bench_gpu SOURCES test_bench_gpu.c LIBS an_designs LABELS gpu TIMEOUT 300)
