#include "kernels/engine/field.h"

#define AN_WIDE_real   0
#define AN_WIDE_double 1

static const struct {
    int components, wide;
} table[AN_NFIELD] = {
#define AN_F(name, n, type, help) {n, AN_WIDE_##type},
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

int an_field_components(enum an_field field)
{
    return table[field].components;
}

enum an_precision an_field_precision(enum an_field field, enum an_precision run)
{
    return table[field].wide ? AN_DOUBLE : run;
}
