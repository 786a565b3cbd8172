/* Coefficients of the wave equation: central differences of order 2, 4, 6 at the CFL number
 * 0.7. Known when kernels are compiled: as immediate operands they take no port of the registers.
 */
#ifndef AN_BENCH_WAVE_LAW_H
#define AN_BENCH_WAVE_LAW_H

#define AN_WAVE_TERM(x) (0.49 * (x))
#define AN_WAVE1                                  \
    {                                             \
        2 + AN_WAVE_TERM(-2.0), AN_WAVE_TERM(1.0) \
    }
#define AN_WAVE2                                                                   \
    {                                                                              \
        2 + AN_WAVE_TERM(-5.0 / 2), AN_WAVE_TERM(4.0 / 3), AN_WAVE_TERM(-1.0 / 12) \
    }
#define AN_WAVE3                                                                      \
    {                                                                                 \
        2 + AN_WAVE_TERM(-49.0 / 18), AN_WAVE_TERM(3.0 / 2), AN_WAVE_TERM(-3.0 / 20), \
            AN_WAVE_TERM(1.0 / 90)                                                    \
    }

#endif
