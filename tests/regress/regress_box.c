/* Writes a box of cells as a CGNS file: regress_box FILE NI NJ NK [adf]. Sides imin ... kmax. */
#include "kernels/base/error.h"
#include "tests/support/mesh_writer.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: regress_box FILE NI NJ NK [adf]\n");
        return AN_INPUT;
    }
    struct meshw_spec spec = {.adf = argc > 5};
    for (int d = 0; d < 3; d++)
        spec.cells[d] = atoi(argv[2 + d]);
    if (meshw_write(argv[1], &spec) == AN_OK)
        return AN_OK;
    fprintf(stderr, "regress_box: %s\n", an_error_text());
    return AN_FAIL;
}
