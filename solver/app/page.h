/* The command report. */
#ifndef AN_SOLVER_PAGE_H
#define AN_SOLVER_PAGE_H

/* Becomes `annulus-plot report FOLDER`, which writes one HTML page about a run; output: the page, NULL
 * for FOLDER/report.html. annulus-plot is looked for beside this program, then on PATH. Returns only
 * where it cannot be started: AN_FAIL. */
int an_page(const char *folder, const char *output);

#endif
