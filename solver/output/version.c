#include "solver/output/version.h"

#include "kernels/engine/built.h"
#include "kernels/engine/engine.h"
#include "mpi/halo.h"

#include <cgnslib.h>
#include <hdf5.h>
#include <jansson.h>
#include <mpi.h>
#include <string.h>
#include <yaml.h>

const char *an_version(void)
{
    return AN_VERSION " (" AN_COMMIT ")";
}

/* Precisions and gases that the program computes with, as AN_GAS counts them. */
static void print_built(FILE *out)
{
    static const char *const gas[] = {"constant cp", "cp(T), tables, mixtures"};
    const int has_single = an_engine_has(32, 0), has_double = an_engine_has(64, 0);
    fprintf(out, "precisions  %s%s%s\n", has_single ? "single" : "",
            has_single && has_double ? ", " : "", has_double ? "double" : "");
    fprintf(out, "gases       ");
    for (int g = 0; g < 2; g++)
        if (an_engine_has(32, g) || an_engine_has(64, g))
            fprintf(out, "%s%s", g ? ", " : "", gas[g]);
    fprintf(out, "\n");
}

void an_version_print(FILE *out)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(mpi, &length);
    mpi[strcspn(mpi, ",\n")] = '\0';
    fprintf(out, "annulus %s\n", an_version());
    print_built(out);
    const char *cuda = an_engine_cuda_built();
    fprintf(out, "engines     cpu (%s)%s%s%s\n", an_engine_cpu_built(),
            *cuda ? ", cuda (architectures " : "", cuda, *cuda ? ")" : "");
    fprintf(out, "devices     %d CUDA\n", an_engine_cuda_count());
    fprintf(out, "transports  %s\n", an_transport_list());
    fprintf(out, "libraries   %s; HDF5 %d.%d.%d; CGNS %g; libyaml %s; jansson %s\n", mpi,
            H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, CGNS_DOTVERS, yaml_get_version_string(),
            JANSSON_VERSION);
}
