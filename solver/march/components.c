#include "solver/march/components.h"

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
#include "solver/boundary/solids.h"
#include "solver/boundary/wall_heat.h"
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
#include "solver/monitor/inflow_turbulence.h"
#include "solver/monitor/mean_line.h"
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
#include "solver/output/solids_write.h"
#include "solver/output/walls_write.h"
#include "solver/output/writer.h"

/* In the order in which they act. Each part names those that must stand before it (an_component_type.after), and
 * test_components fails if one does not. */
const struct an_component_type *const an_components[] = {
    &an_march_component,        &an_face_values_component,  &an_ring_waves_component,
    &an_wall_search_component,  &an_wall_nearest_component, &an_roughness_component,
    &an_measure_component,      &an_mixing_component,       &an_sliding_component,
    &an_phase_lag_component,    &an_abutting_component,     &an_inlets_component,
    &an_wall_heat_component,    &an_mean_line_component,    &an_inflow_turbulence_component,
    &an_coolant_component,      &an_solids_component,       &an_inlet_waves_component,
    &an_control_component,      &an_walls_component,        &an_walls_write_component,
    &an_solids_write_component, &an_wall_forces_component,  &an_slip_walls_component,
    &an_forces_component,       &an_volume_means_component, &an_damping_component,
    &an_dual_component,         &an_scalars_component,      &an_mixture_component,
    &an_time_means_component,   &an_modes_component,        &an_probes_component,
    &an_stations_component,     &an_performance_component,  &an_settling_component,
    &an_period_component,       &an_recovery_component,     &an_accel_component,
    &an_insitu_component,       &an_writer_component,       NULL,
};
_Static_assert(sizeof an_components / sizeof *an_components <= AN_MAX_COMPONENTS,
               "room for all parts");
