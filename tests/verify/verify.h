/* What verification programs share: a line per checked figure, the exit status at the end. Figures
 * are the same on all ranks (reduced before they are checked); rank 0 prints.
 *
 *     verify_start(&argc, &argv);
 *     verify_check("jst: order of the density", order, 1.9, 2.6);
 *     return verify_end();
 */
#ifndef AN_TESTS_VERIFY_H
#define AN_TESTS_VERIFY_H

void verify_start(int *argc, char ***argv);
/* least <= value <= most, or the program fails; NaN fails. Returns whether it holds. */
int verify_check(const char *what, double value, double least, double most);
/* The larger of two errors; infinite if the second is NaN, which fmax would pass over. */
double verify_worst(double worst, double error);
/* A line of information. */
void verify_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends MPI; the exit status. */
int verify_end(void);

/* Text of a printf in a static buffer, for case files and names; one of eight. */
const char *verify_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The order of a method from errors on two meshes, the second `ratio` times finer. */
double verify_order(double coarse, double fine, double ratio);

#endif
