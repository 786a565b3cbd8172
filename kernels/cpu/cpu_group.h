/* One group of stencils of the CPU engine: a template, for the file of each group that
 * kernels/stencils/stencils.cmake makes. That file includes the point physics and AN_GROUP_LIST of
 * the group and defines AN_GROUP as the file of its definitions. Each stencil becomes an external
 * function for the table, named AN_KERNEL(stencil). */
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/physics/gas.h"

#include <math.h>
#include <string.h>

/* A condition for each lane of a vector. It is as wide as a real number, so that a vector of conditions has as many lanes
 * as one of numbers. */
#if AN_PRECISION == 32
typedef int32_t an_lane;
#else
typedef int64_t an_lane;
#endif

#define AN_F(name, n, type, help) typedef type an_type_##name;
AN_FIELD_LIST(AN_F)
#undef AN_F

/* Definitions become functions that take the parameters in the run's precision ... */
#define AN_TEMPLATE_CELL        "kernels/cpu/cpu_cell.h"
#define AN_TEMPLATE_DIRECTIONAL "kernels/cpu/cpu_directional.h"
#define AN_TEMPLATE_FACE        "kernels/cpu/cpu_face.h"
#define AN_TEMPLATE_LINE        "kernels/cpu/cpu_line.h"
#include AN_GROUP

/* ... and wrappers for the table, which take them in double. */
#define CELL_(wrapper, function)                                                           \
    extern an_cpu_cell wrapper;                                                            \
    void wrapper(const struct an_block *block, int64_t cs, const struct an_block *other,   \
                 int64_t ocs, const int lo[3], const int hi[3], const struct an_fields *f, \
                 const struct an_params *p, struct an_reduction *red)                      \
    {                                                                                      \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                            \
        function(block, cs, other, ocs, lo, hi, f, &prm, red);                             \
    }
#define FACE_(wrapper, function)                                                             \
    extern an_cpu_face wrapper;                                                              \
    void wrapper(const struct an_block *block, int64_t cs, const struct an_face_window *win, \
                 const struct an_bc_value *value, int scheme, const struct an_fields *f,     \
                 const struct an_params *p, struct an_xsum *sum)                             \
    {                                                                                        \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                              \
        const struct AN_FN(an_bc) bc = AN_FN(an_bc_from)(value, block->omega);               \
        function(block, cs, win, &bc, scheme, f, &prm, sum);                                 \
    }
#define LINE_(wrapper, function)                                                             \
    extern an_cpu_line wrapper;                                                              \
    void wrapper(const struct an_block *block, int64_t cs, const int lo[3], const int hi[3], \
                 const struct an_fields *f, const struct an_params *p, void *work)           \
    {                                                                                        \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                              \
        function(block, cs, lo, hi, f, &prm, work);                                          \
    }
#define CELL(name) CELL_(AN_KERNEL(name), name)
#define DIRECTIONAL(name)                  \
    CELL_(AN_KERNEL(name##_d0), name##_d0) \
    CELL_(AN_KERNEL(name##_d1), name##_d1) \
    CELL_(AN_KERNEL(name##_d2), name##_d2)
#define FACE(name) FACE_(AN_KERNEL(name), name)
#define LINE(name)                         \
    LINE_(AN_KERNEL(name##_d0), name##_d0) \
    LINE_(AN_KERNEL(name##_d1), name##_d1) \
    LINE_(AN_KERNEL(name##_d2), name##_d2)
AN_GROUP_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
