/* What the files of the comparison of engines share (tests/engines/engine_fixture.h). */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "tests/engines/engine_fixture.h"

static const int ncomp[AN_NFIELD] = {
#define AN_F(name, n, type, help) n,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

#define TRY(call)          \
    do {                   \
        int r_ = (call);   \
        if (r_ != AN_OK) { \
            status = r_;   \
            goto end;      \
        }                  \
    } while (0)

/* In place of a flux: a stencil of turbulence models runs for SST. */
#define SST        AN_SCHEME_ROE
#define CURVED     AN_SCHEME_MATRIX /* SA-RC */
#define TRANSITION AN_NSCHEME       /* SA-BCM */
#define ROUGH      (AN_NSCHEME + 1) /* SA, rough walls */
#define ROUGH_SST  (AN_NSCHEME + 2)
#define QCR        (AN_NSCHEME + 3)
#define GAMMA      (AN_NSCHEME + 4) /* SST with transition */
#define DETACHED   (AN_NSCHEME + 5) /* SA, IDDES */
#define RE_THETA   (AN_NSCHEME + 6)
#define ADDED      (AN_NSCHEME + 7) /* implicit lines that give the state after the change, WN */

/* Fields of another multigrid level, which are laid out as that level is. */
int fixture_is_of_other(int f);
/* The pointer; ends the program where it is NULL. */
void *fixture_need(void *p);
/* All sides of all blocks in two windows each, on every boundary in turn; returns their number. */
int fixture_boundaries(const struct engine_case *x, struct an_face_window *window,
                       struct an_bc_value *value);
/* Element n of a field, whatever its precision. */
double fixture_get(const struct engine_case *x, const struct image *m, int f, int64_t n);
/* The fields of the case in the memory of an engine; taken once. */
int fixture_memory(const struct engine_case *x, struct an_engine *e, struct an_fields *f);
/* The fields of another multigrid level, laid out as `level` is. */
void fixture_fill_other(const struct engine_case *x, const struct an_layout *level,
                        struct image *m);
/* Copies between the blocks, as halos make them; returns their number. */
int fixture_pieces(const struct engine_case *x, struct an_copy *copy);
/* Does a step work on two levels of multigrid? */
int fixture_is_between(const struct step *s);
/* A difference in units of the tolerance; prints what exceeds it, or everything with `report`. */
double fixture_judge(const char *what, const char *part, double difference, double tolerance,
                     int report);
/* The largest difference of two images, judged field by field. */
double fixture_compare_images(const struct engine_case *x, const char *what, const struct image *a,
                              const struct image *b, double tolerance, int report);
/* Metrics, primitive variables and time steps on an engine: the first of all steps. */
int fixture_prepare(const struct engine_case *x, struct an_engine *e, struct image *m);

#endif
