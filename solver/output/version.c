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

void an_version_print(FILE *out)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(mpi, &length);
    mpi[strcspn(mpi, ",\n")] = '\0';
    fprintf(out, "annulus %s\n", an_version());
    fprintf(out, "precisions  single, double\n");
    const char *cuda = an_engine_cuda_built();
    fprintf(out, "gases       constant cp, cp(T), tables\n");
    fprintf(out, "engines     cpu (%s)%s%s%s\n", an_engine_cpu_built(),
            *cuda ? ", cuda (architectures " : "", cuda, *cuda ? ")" : "");
    fprintf(out, "devices     %d CUDA\n", an_engine_cuda_count());
    fprintf(out, "transports  %s\n", an_transport_list());
    fprintf(out, "libraries   %s; HDF5 %d.%d.%d; CGNS %g; libyaml %s; jansson %s\n", mpi,
            H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, CGNS_DOTVERS, yaml_get_version_string(),
            JANSSON_VERSION);
}
