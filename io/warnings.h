/* What a run has to say of itself: printed when it comes up and counted in the run's last line, kept
 * in run.json, and, where it concerns the flow itself, carried by its snapshots. */
#ifndef AN_IO_WARNINGS_H
#define AN_IO_WARNINGS_H

struct an_warnings {
    int n;
    struct an_warning {
        char *text;  /* one line; owned */
        int carried; /* 1: stands in the snapshots, and in those of a run restarted from them */
    } * list;        /* [n]; owned */
};

/* Adds a warning unless the same text is there. Returns 1 when it is new; 0 also without memory. */
int an_warnings_add(struct an_warnings *w, int carried, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void an_warnings_free(struct an_warnings *w);

#endif
