/* For which gases (AN_GAS in fields.h) and precisions kernels were built: CMake defines AN_BUILT_64_0 for a gas with
 * constant cp in double precision, and so on (AN_PRECISIONS, AN_GASES). */
#ifndef AN_ENGINE_TABLES_H
#define AN_ENGINE_TABLES_H

/* Of the precision that a file is built for. */
#if AN_PRECISION == 32 ? defined(AN_BUILT_32_1) : defined(AN_BUILT_64_1)
#define AN_HAS_STORED
#endif

#endif
