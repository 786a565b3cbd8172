/* Case files for tests: a good one, and ways to read text as if it were a file. */
#ifndef AN_TESTS_CASE_FILE_H
#define AN_TESTS_CASE_FILE_H

#include "io/case.h"

#define CASE_LINES 13
extern const char *const case_lines[CASE_LINES]; /* a good case, line by line */
extern char case_folder[64];                     /* of the file that case_read_* write */

int case_setup(void **state); /* cmocka group: makes and removes the folder */
int case_teardown(void **state);
/* The good case with line `line` (1-based) replaced; 0: unchanged. Owned by the caller. */
char *case_text(int line, const char *with);
/* Writes case.yaml into the folder and reads it; d is initialised here. */
int case_read_bytes(const void *bytes, size_t length, int nset, char *const *set, struct an_case *c,
                    struct an_diag *d);
int case_read_text(const char *text, struct an_case *c, struct an_diag *d);
/* The good case with overrides; NULL-terminated. Must be read without a fault. */
void case_read_with(struct an_case *c, const char *const *set);
int case_has(const struct an_diag *d, const char *fragment); /* in one of the lines */
void case_print(const struct an_diag *d);
char *case_echo_text(const struct an_case *c); /* owned by the caller */

#endif
