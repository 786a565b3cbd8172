#include "io/output_fields.h"

#include <string.h>

const struct an_output_field an_output_fields[AN_NOUTPUT] = {
#define AN_O(name, unit, kg, m, s, K, needs, help) {#name, unit, help, {kg, m, s, K, 0}, needs},
    AN_OUTPUT_LIST(AN_O)
#undef AN_O
};

int an_output_find(const char *name)
{
    for (int f = 0; f < AN_NOUTPUT; f++)
        if (strcmp(an_output_fields[f].name, name) == 0)
            return f;
    return -1;
}
