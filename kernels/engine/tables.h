/* For which gases (AN_GAS in fields.h) and precisions kernels were built: CMake defines AN_BUILT_64_0 for a gas with
 * constant cp in double precision, and so on (AN_PRECISIONS, AN_GASES, AN_TABLE_PRECISIONS). */
#ifndef AN_ENGINE_TABLES_H
#define AN_ENGINE_TABLES_H

/* Of the precision that a file is built for. */
#if defined(AN_PRECISION) && AN_PRECISION == 32
#ifdef AN_BUILT_32_1
#define AN_HAS_POLYNOMIAL
#endif
#ifdef AN_BUILT_32_2
#define AN_HAS_TABLES
#endif
#ifdef AN_BUILT_32_3
#define AN_HAS_MIXTURES
#endif
#else
#ifdef AN_BUILT_64_1
#define AN_HAS_POLYNOMIAL
#endif
#ifdef AN_BUILT_64_2
#define AN_HAS_TABLES
#endif
#ifdef AN_BUILT_64_3
#define AN_HAS_MIXTURES
#endif
#endif

#endif
