#include "tests/verify/verify.h"

#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static int rank, failures;

void verify_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

int verify_check(const char *what, double value, double least, double most)
{
    int ok = value >= least && value <= most;
    failures += !ok;
    if (rank == 0) {
        printf("%-4s %-58s %12.5g", ok ? "ok" : "FAIL", what, value);
        if (isinf(least))
            printf("  <= %.5g\n", most);
        else
            printf("  in %.5g .. %.5g\n", least, most);
    }
    return ok;
}

double verify_worst(double worst, double error)
{
    return isnan(error) ? INFINITY : fmax(worst, error);
}

void verify_note(const char *format, ...)
{
    va_list args;
    if (rank != 0)
        return;
    va_start(args, format);
    printf("     ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

int verify_end(void)
{
    int all = failures;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all ? "failed" : "all passed");
    MPI_Finalize();
    return all != 0;
}

const char *verify_text(const char *format, ...)
{
    static char text[8][4096];
    static int next;
    char *t = text[next++ % 8];
    va_list args;
    va_start(args, format);
    vsnprintf(t, sizeof text[0], format, args);
    va_end(args);
    return t;
}

double verify_order(double coarse, double fine, double ratio)
{
    return log(coarse / fine) / log(ratio);
}
