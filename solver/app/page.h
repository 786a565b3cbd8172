/* The commands batch, report and watch, which the Python package carries out. */
#ifndef AN_SOLVER_PAGE_H
#define AN_SOLVER_PAGE_H

/* Becomes `annulus-plot ARGUMENTS`; argument: n of them, `report` first, say. annulus-plot is
 * looked for beside this program, then on PATH. Returns only where it cannot be started: AN_FAIL. */
int an_page(int n, const char *const *argument);
/* The same in a process of its own, to whose end it waits: AN_FAIL where that has failed. */
int an_page_wait(int n, const char *const *argument);

#endif
