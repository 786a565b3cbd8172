/* Fields that a snapshot can hold beside the state: one row for each.
 *
 * A row of AN_OUTPUT_LIST: O(name, unit, kg, m, s, K, needs, help)
 *   name          in the case file and in snapshots; that of CGNS where the standard has one
 *   unit          for people
 *   kg, m, s, K   exponents of the unit, for the CGNS file
 *   needs         enum an_output_need
 *   help          what it is
 *
 * How a field is found from the flow is said in solver/output/quantities.c, which has a row for
 * each of these. Nothing else has to be told of a new field.
 */
#ifndef AN_IO_OUTPUT_FIELDS_H
#define AN_IO_OUTPUT_FIELDS_H

enum an_output_need {
    AN_NEEDS_NOTHING = 0,
    AN_NEEDS_VISCOSITY,
    AN_NEEDS_TURBULENCE,
    AN_NEEDS_TRANSITION,
    AN_NEEDS_DES
};

/* clang-format off */
#define AN_OUTPUT_LIST(O)                                                                          \
    O(Pressure, "Pa", 1, -1, -2, 0, AN_NEEDS_NOTHING, "static pressure")                           \
    O(Temperature, "K", 0, 0, 0, 1, AN_NEEDS_NOTHING, "static temperature")                        \
    O(VelocityX, "m/s", 0, 1, -1, 0, AN_NEEDS_NOTHING, "absolute velocity, along the machine axis") \
    O(VelocityY, "m/s", 0, 1, -1, 0, AN_NEEDS_NOTHING, "absolute velocity")                        \
    O(VelocityZ, "m/s", 0, 1, -1, 0, AN_NEEDS_NOTHING, "absolute velocity")                        \
    O(Mach, "-", 0, 0, 0, 0, AN_NEEDS_NOTHING, "Mach number of the absolute velocity")             \
    O(PressureStagnation, "Pa", 1, -1, -2, 0, AN_NEEDS_NOTHING, "absolute total pressure")         \
    O(TemperatureStagnation, "K", 0, 0, 0, 1, AN_NEEDS_NOTHING, "absolute total temperature")      \
    O(Entropy, "J/(kg K)", 0, 2, -2, -1, AN_NEEDS_NOTHING,                                           \
      "above that of the gas at p0, T0 of the case's first inlet_total, or else at 101325 Pa, "    \
      "288.15 K")                                                                                  \
    O(EntropyApprox, "-", 0, 0, 0, 0, AN_NEEDS_NOTHING, "p / rho^gamma, SI units")                 \
    O(ViscosityEddy, "kg/(m s)", 1, -1, -1, 0, AN_NEEDS_TURBULENCE, "eddy viscosity")              \
    O(Intermittency, "-", 0, 0, 0, 0, AN_NEEDS_TRANSITION,                                         \
      "factor of the production of turbulence: 0 in laminar, 1 in turbulent boundary layers")      \
    O(DesResolved, "-", 0, 0, 0, 0, AN_NEEDS_DES,                                                  \
      "detached-eddy simulation: 0 in shielded boundary layers, 1 where the length of the model is " \
      "that of the cells; the shielding function fd of ddes")                                      \
    O(DesLengthRatio, "-", 0, 0, 0, 0, AN_NEEDS_DES,                                               \
      "detached-eddy simulation: length of the model over the wall distance")                      \
    O(TurbulentDistance, "m", 0, 1, 0, 0, AN_NEEDS_NOTHING,                                        \
      "distance to the nearest viscous wall, in inviscid flow to the nearest slip wall")           \
    O(YPlus, "-", 0, 0, 0, 0, AN_NEEDS_VISCOSITY,                                                  \
      "distance to the nearest viscous wall times u_tau / nu of the wall face there; 0: no wall")  \
    O(MachRelative, "-", 0, 0, 0, 0, AN_NEEDS_NOTHING, "Mach number of the velocity relative to the row") \
    O(VorticityX, "1/s", 0, 0, -1, 0, AN_NEEDS_NOTHING, "curl of the absolute velocity")           \
    O(VorticityY, "1/s", 0, 0, -1, 0, AN_NEEDS_NOTHING, "curl of the absolute velocity")           \
    O(VorticityZ, "1/s", 0, 0, -1, 0, AN_NEEDS_NOTHING, "curl of the absolute velocity")           \
    O(VorticityMagnitude, "1/s", 0, 0, -1, 0, AN_NEEDS_NOTHING, "length of the vorticity")         \
    O(QCriterion, "1/s2", 0, 0, -2, 0, AN_NEEDS_NOTHING,                                           \
      "(|rotation|^2 - |strain|^2) / 2 of the absolute velocity: positive in vortices")            \
    O(Helicity, "m/s2", 0, 1, -2, 0, AN_NEEDS_NOTHING,                                             \
      "velocity times vorticity, both absolute: sense of rotation of a vortex")                    \
    O(RotatingPressureStagnation, "Pa", 1, -1, -2, 0, AN_NEEDS_NOTHING,                            \
      "total pressure in the frame of the row")                                                    \
    O(RotatingTemperatureStagnation, "K", 0, 0, 0, 1, AN_NEEDS_NOTHING,                            \
      "total temperature in the frame of the row")                                                 \
    O(Rothalpy, "J/kg", 0, 0, 0, 0, AN_NEEDS_NOTHING, "H - omega (y w - z v), constant along the streamlines of a row")
/* clang-format on */

enum an_output {
#define AN_O(name, unit, kg, m, s, K, needs, help) AN_OUT_##name,
    AN_OUTPUT_LIST(AN_O)
#undef AN_O
        AN_NOUTPUT
};

struct an_output_field {
    const char *name, *unit, *help;
    float exponent[5]; /* kg, m, s, K, rad */
    enum an_output_need needs;
};
extern const struct an_output_field an_output_fields[AN_NOUTPUT];

/* The field of that name; -1: there is none. */
int an_output_find(const char *name);

#endif
