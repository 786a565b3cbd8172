/* Errors and diagnostics.
 *
 * Fallible functions return int, AN_OK or a code of enum an_status, and set the error text of the
 * process. Input checks that report everything at once append to a struct an_diag instead.
 * Libraries never print, exit or abort; only main ends the run. The codes are the exit codes.
 */
#ifndef AN_ERROR_H
#define AN_ERROR_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

enum an_status {
    AN_OK = 0,
    AN_FAIL = 1,     /* the machine failed us: memory, device, MPI, an unexpected library error */
    AN_INPUT = 2,    /* bad input: case file, mesh, snapshot, command line, output folder */
    AN_DIVERGED = 3, /* non-finite or negative density or pressure */
    AN_STOPPED = 4,  /* stopped by signal, STOP file or wall-time limit; a snapshot was written */
};

/* Sets the process's error text (printf style) and returns `code`. */
int an_error_set(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *an_error_text(void); /* "" when none; valid until the next an_error_set */

#define AN_CHECK(cond, code, ...)                     \
    do {                                              \
        if (!(cond))                                  \
            return an_error_set((code), __VA_ARGS__); \
    } while (0)

#define AN_TRY(call)          \
    do {                      \
        int an_try_ = (call); \
        if (an_try_ != AN_OK) \
            return an_try_;   \
    } while (0)

/* A growing list of messages, errors and warnings, for checks that report all faults at once.
 * Each message is one line without a newline, e.g. "case.yaml:12:3: error: unknown key 'cfI'". */
struct an_diag {
    int nerror, nwarning;
    int nline, capacity;
    char **line; /* owned */
};

void an_diag_init(struct an_diag *d);
void an_diag_free(struct an_diag *d);
/* `where` is "file:line:col", "file: zone 'x' face imin" or NULL. */
void an_diag_error(struct an_diag *d, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void an_diag_warning(struct an_diag *d, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

AN_EXTERN_C_END
#endif
