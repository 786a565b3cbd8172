/* In which precisions the kernels for gas tables were built (AN_TABLE_PRECISIONS of CMake). */
#ifndef AN_ENGINE_TABLES_H
#define AN_ENGINE_TABLES_H

#ifdef AN_TABLES_32
#define AN_HAS_TABLES_32 1
#else
#define AN_HAS_TABLES_32 0
#endif
#ifdef AN_TABLES_64
#define AN_HAS_TABLES_64 1
#else
#define AN_HAS_TABLES_64 0
#endif

/* Of the precision that a file is built for. */
#if defined(AN_PRECISION) && AN_PRECISION == 32
#define AN_HAS_TABLES AN_HAS_TABLES_32
#else
#define AN_HAS_TABLES AN_HAS_TABLES_64
#endif

#endif
