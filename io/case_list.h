/* The keys of a case that change its answer, as text, and what differs between two such texts. */
#ifndef AN_IO_CASE_LIST_H
#define AN_IO_CASE_LIST_H

#include "io/case.h"

/* Lines "name: value", such as "boundaries.inlet.p0: 160000", malloc'ed; NULL without memory. They
 * are the keys that make the hash of the case. */
char *an_case_list(const struct an_case *c);

/* Called with the name and its values in the two lists; "" where a list lacks it. */
typedef void an_case_difference(void *context, const char *name, const char *old, const char *new);
/* Compares two lists; returns how many keys differ. AN_CASE_NO_MEMORY (< 0): not compared. */
enum { AN_CASE_NO_MEMORY = -1 };
int an_case_compare(const char *old, const char *new, an_case_difference *tell, void *context);

#endif
