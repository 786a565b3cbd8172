/* What devices tell about themselves while they run. On engines in host memory there is nothing to
 * tell. */
#ifndef AN_METER_H
#define AN_METER_H

#include "kernels/engine.h"

AN_EXTERN_C_BEGIN

/* Bytes of the device that are free, and all of them; all = 0: engine memory is the host's. */
int an_engine_room(const struct an_engine *e, int64_t *left, int64_t *all);
/* From now on (on: 1) it is measured how long the main stream stands still waiting for the halo
 * stream. Not while recording. */
void an_engine_time_waits(struct an_engine *e, int on);
/* Seconds of all such waits since the last call; synchronises. < 0: not measured. */
int an_engine_waited(struct an_engine *e, double *seconds);

AN_EXTERN_C_END
#endif
