/* What count.cc and the files of the groups of stencils share. */
#include "bench/counted.h"

struct an_tally an_tally;

namespace count
{
const int components[AN_NFIELD] = {
#define AN_F(name, n, type, help) n,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};
} // namespace count
