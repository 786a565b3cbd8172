#include "solver/app/ending.h"

#include "kernels/base/error.h"

const char *an_ending_word(enum an_ending ending)
{
    static const char *const word[AN_NENDING] = {
        [AN_END_RUNNING] = "running",     [AN_END_FINISHED] = "finished",
        [AN_END_CONVERGED] = "converged", [AN_END_FALLEN] = "fallen",
        [AN_END_STOPPED] = "stopped",     [AN_END_DIVERGED] = "diverged",
        [AN_END_FAILED] = "failed"};
    return word[ending];
}

enum an_ending an_ending_of(int status, enum an_ending march)
{
    return status == AN_OK         ? march
           : status == AN_STOPPED  ? AN_END_STOPPED
           : status == AN_DIVERGED ? AN_END_DIVERGED
                                   : AN_END_FAILED;
}
