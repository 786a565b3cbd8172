#include "solver/march/parts.h"

#include "solver/boundary/abutting.h"
#include "solver/boundary/control.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/inlet_waves.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/mixing.h"
#include "solver/boundary/phase_lag.h"
#include "solver/boundary/ring_waves.h"
#include "solver/boundary/sliding.h"
#include "solver/flow/fields.h"
#include "solver/flow/roughness.h"
#include "solver/flow/wall_nearest.h"
#include "solver/march/acceleration.h"
#include "solver/march/cfl.h"
#include "solver/march/damping.h"
#include "solver/march/dual.h"
#include "solver/march/mixture.h"
#include "solver/march/period.h"
#include "solver/march/recovery.h"
#include "solver/march/scalars.h"
#include "solver/march/settling.h"
#include "solver/march/time_means.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/measure.h"
#include "solver/monitor/modes.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/probes.h"
#include "solver/monitor/slip_walls.h"
#include "solver/monitor/stations.h"
#include "solver/monitor/volume_means.h"
#include "solver/monitor/wall_forces.h"
#include "solver/monitor/walls.h"
#include "solver/output/insitu.h"
#include "solver/output/walls_write.h"
#include "solver/output/writer.h"

/* In the order in which they act. Each part names those that must stand before it (an_part_type.after), and
 * test_parts fails if one does not. */
const struct an_part_type *const an_parts[] = {
    &an_march_part,
    &an_face_values_part,
    &an_ring_waves_part,
    &an_wall_search_part,
    &an_wall_nearest_part,
    &an_roughness_part,
    &an_measure_part,
    &an_mixing_part,
    &an_sliding_part,
    &an_phase_lag_part,
    &an_abutting_part,
    &an_inlets_part,
    &an_coolant_part,
    &an_inlet_waves_part,
    &an_control_part,
    &an_walls_part,
    &an_walls_write_part,
    &an_wall_forces_part,
    &an_slip_walls_part,
    &an_forces_part,
    &an_volume_means_part,
    &an_damping_part,
    &an_dual_part,
    &an_scalars_part,
    &an_mixture_part,
    &an_time_means_part,
    &an_modes_part,
    &an_probes_part,
    &an_stations_part,
    &an_performance_part,
    &an_settling_part,
    &an_period_part,
    &an_recovery_part,
    &an_accel_part,
    &an_insitu_part,
    &an_writer_part,
    NULL,
};
_Static_assert(sizeof an_parts / sizeof *an_parts <= AN_MAX_PARTS, "room for all parts");
