/* Programs that are installed beside this one. */
#ifndef AN_SOLVER_BESIDE_H
#define AN_SOLVER_BESIDE_H

#include <stddef.h>

/* The path of this program, of at most size - 1 characters. AN_FAIL if it is not known. */
int an_self(char *path, size_t size);

/* Writes the path of a program of that name in the folder of this one. AN_FAIL if the folder is not known or the path is
 * longer than size; whether the program is there is not looked at. */
int an_beside(const char *name, char *path, size_t size);

#endif
