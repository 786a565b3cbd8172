/* Bad case files: each fault is named with its line and what to do; nothing crashes or leaks. */
#include "tests/unit/case_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Line `line` of the good case becomes `with` (0: `with` is the whole file); the only faults,
 * unless `more`, are one at line `at` that holds `fragment`. */
static const struct bad {
    int line;
    const char *with;
    int at;
    const char *fragment;
    int more;
} bad[] = {
    /* YAML */
    {0, "", 1, "the file is empty", 0},
    {0, "# only a comment\n", 1, "the file is empty", 0},
    {0, "---\n...\n", 2, "the file is empty", 0},
    {0, "- a\n- b\n", 1, "a case file is a mapping", 0},
    {0, "just words\n", 1, "a case file is a mapping", 0},
    {0, "case: x\n---\ncase: y\n", 2, "a second document", 0},
    {3, "gas: {gamma: 1.4, R: 287.0", 4, "not YAML", 0},
    {3, "gas: {gamma: 1.4, gamma: 1.3}", 3, "duplicate key 'gamma': first in line 3", 0},
    {4, "mesh: b.cgns", 4, "duplicate key 'mesh': first in line 2, again in line 4", 0},
    {10, "  inlet: {type: wall_slip}", 10, "duplicate key 'inlet'", 0},
    {3, "gas: &air {gamma: 1.4}", 3, "anchors", 0},
    {3, "gas: *air", 3, "aliases", 0},
    {3, "gas: {gamma: !!float 1.4}", 3, "tags", 0},
    {3, "gas: {[1, 2]: 3}", 3, "a key must be a word", 0},
    {3, "gas: {gamma: 1.4,\tR: \x01}", 3, "control characters", 0},
    {3, "gas: {gamma: \xff}", 3, "not a text in UTF-8: invalid", 0},
    {1, "case: \"a\\0b\"", 1, "a NUL character", 0},
    {3, "gas: {gamma: [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}", 3, "nested too deeply", 0},
    /* keys */
    {6, "march: {cfI: 2}", 6, "unknown key 'cfI' in 'march'; did you mean 'cfl'?", 0},
    {4, "precison: single", 4, "unknown key 'precison'; did you mean 'precision'?", 0},
    {4, "cfl: 2", 4, "unknown key 'cfl'; did you mean 'march.cfl'?", 0},
    {3, "gass: {gamma: 1.4}", 3, "unknown key 'gass'; did you mean 'gas'?", 0},
    {3, "gas: {viscous: 1}", 3, "unknown key 'viscous' in 'gas'", 0},
    {3, "gas: {mu: 1e-5}", 3, "'gas.mu' needs viscous flow: set gas.viscosity", 0},
    {3, "gas: {gamma: 1.4, cp: 1005}", 3, "'gas.cp' and 'gas.gamma' are both given; keep one", 0},
    {3, "gas: {cp: []}", 3, "'gas.cp' has 0 coefficients, but must have 1 to 7", 0},
    {3, "gas: {cp: [1, 2, 3, 4, 5, 6, 7, 8]}", 3, "'gas.cp' has 8 coefficients", 0},
    {3, "gas: {cp: [1000, 0.1]}", 3, "'gas.cp' needs 'gas.T_range: [lowest, highest]'", 0},
    {3, "gas: {T_range: [200, 300]}", 3, "'gas.T_range' needs 'gas.cp'", 0},
    {3, "gas: {cp: 1005, T_range: [200]}", 3, "needs two temperatures [lowest, highest], not 1", 0},
    {3, "gas: {cp: 1005, T_range: [0, 300]}", 3, "'gas.T_range' is 0 K, but must be > 0", 0},
    {3, "gas: {cp: 1005, T_range: [300, 200]}", 3,
     "'gas.cp': cp holds from 300 to 200 K, must be two temperatures above 0, the lower first", 0},
    {3, "gas: {mixture: air, gamma: 1.4}", 3, "'gas.mixture' and 'gas.gamma' are both given", 0},
    {3, "gas: {mixture: air, table: a.h5}", 3, "'gas.mixture' and 'gas.table' are both given", 0},
    {3, "gas: {specific_humidity: 0.01}", 3, "'gas.specific_humidity' needs 'gas.mixture: air'", 0},
    {3, "gas: {mixture: air, relative_humidity: 0.5}", 3, "needs 'gas.ambient: [", 0},
    {3, "gas: {mixture: air, relative_humidity: 60, ambient: [1e5, 300]}", 3,
     "'gas.relative_humidity' is 60", 0},
    {3, "gas: {mixture: air, ambient: [1e5, 300]}", 3, "needs 'gas.relative_humidity'", 0},
    {3, "gas: {mixture: air, relative_humidity: 0.5, ambient: [1e5, 20]}", 3,
     "'gas.ambient': 20 K is outside of 273.15 to 373.15 K", 0},
    {3, "gas: {mixture: air, relative_humidity: 0.5, specific_humidity: 0.01, ambient: [1e5, 300]}",
     3, "are both given; keep one", 0},
    {3, "gas: {mixture: air, fuel_air_ratio: 0.07}", 3, "burns 0.0681688 kg", 0},
    {3, "gas: {mixture: air, fuel_air_ratio: 0.01, fuel: [0, 0]}", 3, "[carbon, hydrogen]", 0},
    {3, "gas: {mixture: air, fuel: [1, 4]}", 3, "'gas.fuel' needs 'gas.fuel_air_ratio'", 0},
    {3, "gas: {mixture: air, T_range: [100, 300]}", 3, "from 200 to 6000 K", 0},
    {3, "gas: {mixture: air, fraction: Z}", 3, "what the second gas is", 1},
    {3, "gas: {mixture: air, fraction: Z, fraction_fuel_air_ratio: 0.02}", 3,
     "'gas.fraction': there is no scalar 'Z' in 'scalars'", 0},
    {3, "gas: {mixture: air, fraction_fuel_air_ratio: 0.02}", 3,
     "'gas.fraction_fuel_air_ratio' needs 'gas.fraction'", 0},
    {3, "gas: {fraction_fuel_air_ratio: 0.02}", 3,
     "'gas.fraction_fuel_air_ratio' needs 'gas.mixture: air'", 1},
    {3, "gas: {mixture: air, fraction: Z, fraction_fuel_air_ratio: 0.07}\nscalars: {Z: {}}", 3,
     "'gas.fraction_fuel_air_ratio' is 0.07, but the oxygen", 0},
    {3, "gas: {mixture: air, fraction: Z, fraction_fuel_air_ratio: 0.02, fraction_R: 290}", 3,
     "'gas.mixture' and 'gas.fraction_R' are both given", 1},
    {3, "gas: {fraction: Z}\nscalars: {Z: {}}", 3,
     "'gas.fraction' needs 'gas.mixture: air', or 'gas.cp'", 0},
    {3, "gas: {cp: [1005], fraction: Z}\nscalars: {Z: {}}", 3,
     "'gas.fraction' needs 'gas.fraction_cp'", 0},
    {3, "gas: {cp: [1005], fraction: Z, fraction_cp: [200]}\nscalars: {Z: {}}", 3,
     "'gas.fraction_cp': cp at", 0},
    {3, "gas: {cp: [1005], fraction: Z, fraction_cp: [1100]}\nscalars: {Z: {initial: 2}}", 3,
     "'scalars.Z.initial' is 2, but a mass fraction is from 0 to 1", 0},
    {3,
     "gas: {cp: [1005], fraction: Z, fraction_cp: [1100]}\nscalars: {Z: {}}\nmarch: {mode: "
     "unsteady, end_time: 1}",
     3, "'march.mode: unsteady' is not available with 'gas.fraction' yet", 1},
    {3,
     "gas: {cp: [1005], fraction: Z, fraction_cp: [1100]}\nscalars: {Z: {}}\nscheme: {low_mach: "
     "on}",
     3, "'scheme.low_mach: on' is not available with 'gas.fraction' yet", 1},
    {3, "gas: {cp: 287}", 3, "'gas.cp': cp at 200 K is 287 J/(kg K), must be above 1.01 R", 0},
    {3, "gas: {cp: [1005, -1], T_range: [200, 1500]}", 3, "'gas.cp': cp at 716.1 K is 288.9", 0},
    {3, "gas: {cp: [1e7, -1e6, 6e4, -2e3, 3e1, 0, 0.1], T_range: [200, 1500]}", 3,
     "'gas.cp': cp varies too much between 200 and 1500 K", 0},
    {3, "gas: {viscosity: water}", 3, "it must be one of none, sutherland, power_law, constant", 0},
    {3, "gas: {viscosity: constant, mu: 0}", 3, "'gas.mu' is 0 kg/(m s), but must be > 0", 0},
    {11, "  blade: {type: wall_slip, T: 300}", 11, "of type wall_slip has no key 'T'", 0},
    {9, "  inlet: {type: inlet_total, P0: 1e5, p0: 2e5, T0: 300, direction: [1,0,0]}", 9,
     "has no key 'P0' (did you mean 'p0'?); it takes type, p0, T0, direction", 0},
    {11, "  blade: {type: wall_slip, p: 3}", 11,
     "'boundaries.blade' of type wall_slip has no key 'p'; it takes type", 0},
    {1, "", 2, "required key 'case' is missing", 0},
    {2, "", 1, "required key 'mesh' is missing", 0},
    {7, "", 1, "required key 'initial.p' (in Pa) is missing", 1},
    {7, "initial: {p: 1e5}", 7, "required key 'initial.T' (in K) is missing", 0},
    {7, "initial:", 7, "required key 'initial.T' (in K) is missing", 1},
    {9, "  inlet: {type: inlet_total, T0: 3, direction: [1, 0, 0]}", 9,
     "required key 'boundaries.inlet.p0' (in Pa) is missing", 0},
    {9, "  inlet: {type: inlet_total, p0: 3, T0: 3}", 9,
     "required key 'boundaries.inlet.direction' is missing", 0},
    {10, "  outlet: {p: 3}", 10, "boundary 'outlet' has no 'type'; it must be one of wall_slip,",
     0},
    {10, "  outlet: {type: outlet_statc, p: 1}", 10, "did you mean 'outlet_static'?", 0},
    {11, "  blade: {type: wall_viscous}", 11,
     "a wall_viscous needs viscous flow: set gas.viscosity", 0},
    {11, "  a_name_of_more_than_32_characters_: {type: symmetry}", 11, "1 to 32 characters", 0},
    {11, "  blade: wall_slip", 11, "needs keys beneath it, not a single value", 0},
    {3, "gas: [1.4, 287]", 3, "'gas' needs keys beneath it, not a list", 0},
    {3, "gas: 1.4", 3, "'gas' needs keys beneath it, not a single value", 0},
    {6, "turbulence: {order: 2}", 6, "'turbulence.order' needs 'turbulence.model'", 0},
    {6, "turbulence: {model: sa, intensity: 0.1}", 6,
     "'turbulence.intensity' needs 'turbulence.model: sst' or 'turbulence.transition: bcm'", 1},
    {6, "turbulence: {model: sst, transition: bcm}", 6,
     "'turbulence.transition: bcm' needs 'turbulence.model: sa'", 1},
    {6, "turbulence: {model: sa, transition: gamma_re_theta}", 6,
     "'turbulence.transition: gamma_re_theta' needs 'turbulence.model: sst'", 1},
    {6, "turbulence: {model: sst, transition: gamma, curvature: on}", 6,
     "'turbulence.curvature: on' and 'turbulence.transition' are both given", 1},
    {6, "turbulence: {model: sa, curvature: on}", 6,
     "'turbulence.curvature' needs 'turbulence.model: sst'", 1},
    {6, "turbulence: {model: sa, transition: gamma}", 6,
     "'turbulence.transition: gamma' needs 'turbulence.model: sst'", 1},
    {6, "turbulence: {model: mixing_length, length: 1, transition: gamma}", 6,
     "'turbulence.transition' needs 'turbulence.model: sa or sst'", 1},
    {6, "turbulence: {model: sst, laminar_start: 9}", 6,
     "'turbulence.laminar_start' needs 'turbulence.model' and 'turbulence.transition'", 1},
    {6, "turbulence: {model: sst, ambient: true}", 6,
     "'turbulence.ambient' needs 'turbulence.model: sst' and 'turbulence.transition: gamma or "
     "gamma_re_theta'",
     1},
    {6, "turbulence: {model: sa, decay_length: 1}", 6,
     "'turbulence.decay_length' needs 'turbulence.model: sst'", 1},
    {6, "turbulence: {model: sa, length_scale: 0.01}", 6,
     "'turbulence.length_scale' needs 'turbulence.model: sst'", 1},
    {6, "turbulence: {model: sst, length_scale: -1}", 6, "'turbulence.length_scale' is -1 m", 1},
    {6, "turbulence: {model: sst, length_scale: 0.01, inlet_viscosity_ratio: 10}", 6,
     "'turbulence.length_scale' and 'turbulence.inlet_viscosity_ratio' are both given; keep one",
     1},
    {6, "turbulence: {model: sst, intensity: 0.1, decay_length: 1000}", 6,
     "no turbulence that flows in decays to an intensity of 0.1", 1},
    {6, "turbulence: {model: sst, transition: gamma, ambient: true, decay_length: 0.1}", 6,
     "'turbulence.decay_length' and 'turbulence.ambient: true' are both given", 1},
    {6, "turbulence: {model: sst, transition: gamma, wall_function: auto}", 6,
     "'turbulence.transition' needs 'turbulence.wall_function: off'", 1},
    {6, "turbulence: {model: sa, transition: bmc}", 6, "'turbulence.transition'", 1},
    {6, "turbulence: {model: sa, transition: bcm, inlet_viscosity_ratio: 3}", 6,
     "'turbulence.inlet_viscosity_ratio' is 3, but must be <= 0.2", 1},
    {6, "turbulence: {model: sa, transition: bcm, wall_function: auto}", 6,
     "'turbulence.transition' needs 'turbulence.wall_function: off'", 1},
    {6, "turbulence: {qcr: on}", 6, "'turbulence.qcr' needs 'turbulence.model'", 0},
    {6, "turbulence: {model: sa, qcr: quadratic}", 6, "'turbulence.qcr'", 1},
    {11, "  blade: {type: wall_viscous, roughness: 1e-5}", 11,
     "'boundaries.blade.roughness' needs 'turbulence.model': sa or sst", 1},
    {11, "  blade: {type: wall_viscous, T: 300, profile: wall.csv}", 11,
     "'boundaries.blade.profile' and 'boundaries.blade.T' are both given; keep one", 1},
    {11, "  blade: {type: wall_viscous, profile: wall.csv, heat_flux: 100}", 11,
     "'boundaries.blade.profile' and 'boundaries.blade.heat_flux' are both given; keep one", 1},
    {11, "  blade: {type: wall_viscous, roughness: -1e-5}", 11, "is -1e-5 m, but must be >= 0", 1},
    {11, "  blade: {type: wall_slip, roughness: 1e-5}", 11, "'roughness'", 0},
    {12, "  hub: {type: wall_viscous, roughness: 1e-5}\nturbulence: {model: sa, transition: bcm}",
     12, "'turbulence.transition' are both given", 1},
    {12, "  hub: {type: wall_viscous, roughness: 1e-5, heat_flux: 100}\nturbulence: {model: sa}",
     12, "do not go together with 'turbulence.model: sa'", 1},
    {6, "turbulence: {wall_function: auto}", 6,
     "'turbulence.wall_function' needs 'turbulence.model'", 0},
    {6, "turbulence: {model: sa, wall_function: on}", 6, "'turbulence.wall_function'", 1},
    {6, "turbulence: {model: ke}", 6, "'turbulence.model'", 0},
    {6, "turbulence: {model: sa, across: false}\nmarch: {method: runge_kutta}", 6,
     "'turbulence.across' needs an implicit steady march", 1},
    {6, "turbulence: {across: false}", 6, "'turbulence.across' needs 'turbulence.model'", 0},
    {6, "turbulence: {model: sa, order: 3}", 6, "'turbulence.order' is 3, but must be >= 1", 1},
    {6, "turbulence: {model: sa, inlet_viscosity_ratio: -1}", 6, "is -1, but must be >= 0", 1},
    {6, "turbulence: {model: mixing_length}", 6,
     "'turbulence.model: mixing_length' needs 'turbulence.length'", 1},
    {6, "turbulence: {model: mixing_length, length: 1, order: 2}", 6,
     "'turbulence.order' needs 'turbulence.model: sa or sst'", 1},
    {6, "turbulence: {model: sa, length: 1}", 6,
     "'turbulence.length' needs 'turbulence.model: mixing_length'", 1},
    {6, "turbulence: {model: mixing_length, length: 1, mixing_length: 0}", 6, "must be > 0", 1},
    {13, "output: {fields: [ViscosityEddy]}", 13, "which needs 'turbulence.model'", 0},
    {13, "output: {fields: [Intermittency]}", 13, "which needs 'turbulence.transition'", 0},
    {13, "output: {fields: [YPlus]}", 13,
     "'output.fields' has YPlus, which needs viscous flow: set gas.viscosity", 0},
    /* rows */
    {4, "rows: {r: {zones: [a], omega: 1, rpm: 2}}", 4,
     "'rows.r.omega' and 'rows.r.rpm' are both given; keep one", 0},
    {4, "rows: {r: {zones: [a]}}", 4, "'rows.r' needs 'rpm' or 'omega': 0 for a row at rest", 0},
    {4, "rows: {r: {omega: 1}}", 4, "required key 'rows.r.zones' is missing", 0},
    {4, "rows: {r: {zones: [], omega: 1}}", 4, "'rows.r.zones' needs 1 to 32 names, not 0", 0},
    {4, "rows: {r: {zones: {a: 1}, omega: 1}}", 4, "'rows.r.zones' needs names, not a mapping", 0},
    {4, "rows: {r: {zones: [a], omega: 1, blade: 3}}", 4,
     "unknown key 'blade' in 'rows.NAME'; did you mean 'blades'?", 0},
    {4, "rows: {r: {zones: [a], omega: 1, blades: 2.5}}", 4, "needs a whole number, not 2.5", 0},
    {4, "rows: {r: 5}", 4, "'rows.r' needs keys beneath it, not a single value", 0},
    {4, "row: {r: {zones: [a], omega: 1}}", 4, "unknown key 'row'; did you mean 'rows'?", 0},
    /* values */
    {6, "march: {cfl: 3.0x}", 6, "'march.cfl' needs a number, not '3.0x'", 0},
    {6, "march: {cfl: 0x10}", 6, "needs a number, not '0x10'", 0},
    {6, "march: {cfl: inf}", 6, "needs a number, not 'inf'", 0},
    {6, "march: {cfl: .nan}", 6, "needs a number, not '.nan'", 0},
    {6, "march: {cfl: '3'}", 6, "'3' is text in quotes", 0},
    {6, "march: {cfl: 3 4}", 6, "needs a number, not '3 4'", 0},
    {6, "march: {cfl: 1d5}", 6, "needs a number", 0},
    {6, "march: {cfl: 1_0}", 6, "needs a number", 0},
    {6, "march: {cfl: 1,5}", 6, "unknown key '5'", 0},
    {6, "march: {cfl: }", 6, "'march.cfl' needs a number, not nothing", 0},
    {6, "march: {cfl: [1]}", 6, "'march.cfl' needs a number, not a list", 0},
    {6, "march: {time_step: 1e999}", 6, "too large", 0},
    {6, "march: {time_step: 1e-999}", 6, "too small", 0},
    {6, "march: {cfl: 0}", 6, "'march.cfl' is 0, but must be > 0 and <= 1000", 0},
    {7, "initial: {p: -1e5, T: 3}", 7, "'initial.p' is -1e5 Pa, but must be > 0 and <= 1e+12 Pa",
     0},
    {5, "scheme: {k4: -0.1}", 5, "'scheme.k4' is -0.1, but must be >= 0", 0},
    {3, "gas: {gamma: 1}", 3, "'gas.gamma' is 1, but must be > 1", 0},
    {6, "march: {stages: 6}", 6, "'march.stages' is 6, but must be >= 1 and <= 5", 0},
    {6, "march: {stages: 4.5}", 6, "'march.stages' needs a whole number, not 4.5", 0},
    {6, "march: {iterations: 99999999999}", 6, "must be >= 1 and <= 2147483647", 0},
    {6, "march: {iterations: 0}", 6, "'march.iterations' is 0, but must be >= 1", 0},
    {4, "mpi: {whole_below: -2}", 4, "'mpi.whole_below' is -2 cells, but must be >= -1", 0},
    {4, "mpi: {overlap: yes}", 4, "'mpi.overlap' needs true or false, not 'yes'", 0},
    {4, "mpi: {overlap: 'true'}", 4, "needs true or false, not the text 'true'", 0},
    {4, "precision: half", 4, "'precision' cannot be 'half'; it must be one of single, double", 0},
    {4, "precision: Double", 4, "did you mean 'double'?", 0},
    {1, "case: {a: b}", 1, "'case' needs a text, not a mapping", 0},
    {1, "case: ''", 1, "'case' is empty", 0},
    {1, "case: ", 1, "'case' needs a text, not nothing", 0},
    {1, "case: \"two\\nlines\"", 1, "'case' must be one line", 0},
    {7, "initial: {p: 1, T: 1, mach: 1, direction: [1, 0]}", 7,
     "'initial.direction' needs three numbers [x, y, z], not 2", 0},
    {7, "initial: {p: 1, T: 1, velocity: 5}", 7, "needs three numbers [x, y, z], not a single", 0},
    {7, "initial: {p: 1, T: 1, velocity: [a, 0, 0]}", 7, "needs a number, not 'a'", 0},
    {7, "initial: {p: 1 K, T: 1}", 7, "'initial.p' needs a number in Pa, not '1 K'", 0},
    {12, "map: {values: [1.2 bar], vary: mass_flow}", 12,
     "'map.values' needs a number in kg/s, not '1.2 bar'", 0},
    {12, "map: {values: [1 kg/s]}", 12, "'map.values' needs a number in Pa, not '1 kg/s'", 0},
    {12, "map: {values: [1 bar], vary: throttle}", 12, "'map.values' needs a number, not '1 bar'",
     0},
    {12, "map: {values: [1e5], step: 1e3}", 12, "'map.values' and 'map.step' are both given", 0},
    {12, "map: {values: [1e5], speeds: [0.5, 1, 0.5]}", 12, "'map.speeds' has 0.5 twice", 0},
    {12, "map: {values: [1e5], speeds: [0]}", 12, "'map.speeds' is 0, but must be > 0 and <= 3", 0},
    {7, "initial: {p: 1, T: 1 psig}", 7, "'initial.T' needs a number in K, not '1 psig'", 0},
    {7, "initial: {p: -1 bar, T: 1}", 7, "'initial.p' is -1 bar, but must be > 0", 0},
    {9, "  in: {type: inlet_total, p0: 1, T0: 1, direction: [0, 0, 0]}", 9, "no direction", 0},
    {13, "output: {fields: [Mach, Presure]}", 13, "did you mean 'Pressure'?", 0},
    {13, "output: {fields: [Mach, Mach]}", 13, "names Mach twice", 0},
    {13, "output: {fields: Mach}", 13, "needs a list of names", 0},
    {13, "output: {fields: [zzz]}", 13, "unknown field 'zzz'; the fields are Pressure", 0},
    /* between keys */
    {6, "march: {cfl: 2, cfl_start: 3, cfl_ramp: 9}", 6, "must be <= 'march.cfl', which is 2", 0},
    {6, "march: {cfl: 2, cfl_start: 1}", 6, "needs 'march.cfl_ramp' > 0", 0},
    {6, "march: {cfl: 2, cfl_ramp: 10}", 6, "needs 'march.cfl_start'", 0},
    {6, "march: {mode: unsteady, end_time: 1, cfl: 2, cfl_start: 1, cfl_ramp: 10}", 6,
     "'march.cfl_ramp' needs 'march.mode: steady'", 0},
    {6, "march: {smoothing_sweeps: 3}", 6, "needs 'march.residual_smoothing: jacobi'", 0},
    {6, "march: {smoothing_coefficient: 1}", 6, "needs 'march.residual_smoothing: jacobi'", 0},
    {6, "march: {method: implicit, residual_smoothing: jacobi}", 6,
     "needs an explicit steady march", 0},
    {6, "march: {mode: unsteady, end_time: 1, residual_smoothing: jacobi}", 6,
     "needs an explicit steady march", 0},
    {6, "stop: {turbulence: 1e-2}", 6,
     "'stop.turbulence' needs a turbulence model with transported variables", 0},
    {6, "march: {cfl_min: 1}", 6, "'march.cfl_min' needs an implicit steady march", 0},
    {6, "march: {method: scree, cfl_window: 9}", 6,
     "'march.cfl_window' needs an implicit steady march", 0},
    {6, "march: {damping: 0.1}", 6, "'march.damping' needs an implicit steady march", 0},
    {6, "march: {mode: unsteady, end_time: 1, damping_window: 9}", 6,
     "'march.damping_window' needs an implicit steady march", 0},
    {6, "march: {damping_start: 9}", 6, "'march.damping_start' needs an implicit steady march", 0},
    {6, "march: {mode: unsteady, end_time: 1, method: scree}", 6, "needs 'march.mode: steady'", 0},
    {6, "march: {mode: unsteady, end_time: 1, method: implicit}", 6, "needs 'march.mode: steady'",
     0},
    {6, "march: {method: scree, stages: 4}", 6, "'march.stages' has no meaning", 0},
    {6, "multigrid: {levels: 3}\nmarch: {method: scree}", 6, "needs an implicit steady march", 0},
    {6, "march: {mode: unsteady}", 6, "needs 'march.end_time' or 'march.iterations'", 0},
    {6, "march: {mode: unsteady, iterations: 1, cfl: 1, time_step: 1}", 6, "both given", 0},
    {6, "march: {method: dual}", 6, "'march.method: dual' needs 'march.mode: unsteady'", 0},
    {6, "march: {mode: unsteady, method: dual, iterations: 9}", 6,
     "'march.method: dual' needs 'march.time_step'", 0},
    {6, "march: {mode: unsteady, method: dual, iterations: 9, time_step: 1, steps_per_passing: 9}",
     6, "'march.time_step' and 'march.steps_per_passing' are both given", 0},
    {6, "march: {mode: unsteady, method: dual, iterations: 9, steps_per_revolution: 9}", 6,
     "'march.steps_per_revolution' needs a row that turns", 0},
    {6,
     "rows: {r: {zones: z, omega: 1}}\nmarch: {mode: unsteady, method: dual, iterations: 9, "
     "steps_per_passing: 9}",
     7, "'march.steps_per_passing' needs 'rows.r.blades'", 0},
    {6, "march: {mode: unsteady, time_step: 1, iterations: 9, inner_iterations: 3}", 6,
     "'march.inner_iterations' needs 'march.mode: unsteady' and 'march.method: dual'", 0},
    {6, "march: {mode: unsteady, method: dual, iterations: 9, time_step: 1, inner_tolerance: 6}", 6,
     "'march.inner_tolerance' is 6, but must be > 0 and <= 1", 0},
    {6, "march: {mode: unsteady, method: dual, iterations: 9, time_step: 1, cfl_min: 3}", 6,
     "'march.cfl_min' needs an implicit steady march", 0},
    {6, "scalars: {PressureMean: {}}", 6, "'scalars.PressureMean': snapshots have another field",
     0},
    {6, "scalars: {TemperatureFavreRMS: {}}", 6, "snapshots have another field of that name", 0},
    {6, "scalars: {EnergyOld: {}}", 6, "snapshots have another field of that name", 0},
    {6, "scalars: {Turbulence1Older: {}}", 6, "snapshots have another field of that name", 0},
    {6, "scalars: {ViscosityEddy: {}}", 6, "snapshots have another field of that name", 0},
    {6, "probes: {wake: {point: [1, 2, 3]}}", 1, "'probes' need 'march.mode: unsteady'", 0},
    {6, "stop: {period_change: 1e-3, period: 90}", 6,
     "'stop.period_change' needs 'march.mode: unsteady'", 0},
    {6, "stop: {period_change: 1e-3}\nmarch: {mode: unsteady, iterations: 9}", 6,
     "'stop.period_change' needs 'stop.period'", 0},
    {6, "stop: {period_change: 1e-3, period: 95}\nmarch: {mode: unsteady, iterations: 9}", 6,
     "'stop.period' is 95 iterations, but must be a multiple of 'output.history_every'", 0},
    {13, "output: {means_from: 3}", 13, "'output.means_from' needs 'march.mode: unsteady'", 0},
    {6, "march: {time_step: 1e-5}", 6, "'march.time_step' needs 'march.mode: unsteady'", 0},
    {6, "march: {mode: unsteady, end_time: 1, residual_drop: 1e-3}", 6, "march.mode: steady", 0},
    {6, "stop: {lift: 1e-3}", 6, "'stop.lift' needs 'reference.length'", 0},
    {6, "stop: {moment: 1e-3}", 6, "'stop.moment' needs 'reference.length'", 0},
    {6, "reference: {mach: 0.3}", 6, "needs 'reference.pressure' or 'reference.reynolds'", 0},
    {6, "reference: {velocity: 3}", 6, "'reference.velocity' needs 'reference.pressure' or", 0},
    {6, "reference: {mach: 0.3, velocity: 3, pressure: 1}", 6, "both given; keep one", 0},
    {6, "reference: {mach: 0.3, reynolds: 3, pressure: 1, length: 1}", 6, "both given", 1},
    {6, "reference: {mach: 0.3, reynolds: 3, length: 1}", 6, "needs viscous flow", 0},
    {6, "reference: {mach: 0.3, reynolds: 3}", 6, "needs 'reference.length'", 1},
    {6, "reference: {length: 1, alpha: 3}", 6, "'reference.alpha' needs 'reference.mach' or", 0},
    {6, "reference: {length: 1, pressure: 3}", 6, "'reference.pressure' needs 'reference.mach'", 0},
    {6, "reference: {length: -1}", 6, "'reference.length' is -1 m, but must be > 0", 0},
    {7, "initial: {p: 1, T: 1, pattern: taylor_green}", 7, "'initial.pattern' needs a speed", 0},
    {7, "initial: {p: 1, T: 1, mach: 1, length: 2}", 7, "'initial.length' needs 'initial.pattern'",
     0},
    {7, "initial: {p: 1, T: 1, mach: 1, pattern: vortex}", 7, "'initial.pattern'", 0},
    {7, "initial: {p: 1, T: 1, mach: 1, pattern: taylor_green, length: 0}", 7,
     "'initial.length' is 0 m, but must be > 0", 0},
    {7, "initial: {p: 1, T: 1, velocity: [1, 0, 0], mach: 1}", 7, "both given; keep one", 0},
    {7, "initial: {p: 1, T: 1, velocity: [1, 0, 0], direction: [1, 0, 0]}", 7, "both given", 0},
    {12, "  far: {type: farfield, p: 1, T: 1}", 12, "needs 'mach' (and 'direction') or 'vel", 0},
    {12, "  in: {type: inlet_supersonic, p: 1, T: 300, mach: 0.9}", 12, "at Mach number 0.9", 0},
    {12, "  in: {type: inlet_supersonic, p: 1, T: 300, velocity: [300, 0, 0]}", 12, "must be > 1",
     0},
};

static int check_bad(const struct bad *b)
{
    struct an_case c;
    struct an_diag d;
    char where[120];
    char *text = b->line ? case_text(b->line, b->with) : strdup(b->with);
    int status = case_read_text(text, &c, &d), found = 0;
    snprintf(where, sizeof where, "%s/case.yaml:%d:", case_folder, b->at);
    for (int i = 0; i < d.nline; i++)
        found |= strncmp(d.line[i], where, strlen(where)) == 0 && strstr(d.line[i], b->fragment) &&
                 strstr(d.line[i], ": error: ");
    int good = status == AN_INPUT && found && (b->more ? d.nerror > 1 : d.nerror == 1);
    if (!good) {
        print_message("'%s': status %d, wanted line %d '%s', got\n", b->with, status, b->at,
                      b->fragment);
        case_print(&d);
    }
    free(text);
    an_diag_free(&d);
    an_case_free(&c);
    return good;
}

static void test_bad_files(void **state)
{
    (void)state;
    int nbad = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        nbad += !check_bad(&bad[i]);
    assert_int_equal(nbad, 0);
}

static void test_all_faults_at_once(void **state)
{
    (void)state;
    struct an_case c;
    struct an_diag d;
    assert_int_equal(case_read_text("case: x\n"
                                    "case: y\n"
                                    "gas: {gamma: 0.5, r: 1}\n"
                                    "march:\n"
                                    "  cfl: fast\n"
                                    "  stages: 9\n"
                                    "boundaries:\n"
                                    "  a: {type: nothing, q: 1}\n",
                                    &c, &d),
                     AN_INPUT);
    assert_true(case_has(&d, "case.yaml:2:1: error: duplicate key 'case'"));
    assert_true(case_has(&d, "case.yaml:3:14: error: 'gas.gamma' is 0.5"));
    assert_true(case_has(&d, "case.yaml:3:19: error: unknown key 'r' in 'gas'; did you mean 'R'?"));
    assert_true(case_has(&d, "case.yaml:5:8: error: 'march.cfl' needs a number, not 'fast'"));
    assert_true(case_has(&d, "case.yaml:6:11: error: 'march.stages' is 9"));
    assert_true(case_has(&d, "case.yaml:8:13: error: 'boundaries.a.type' cannot be 'nothing'"));
    assert_true(case_has(&d, "case.yaml:8:22: error: unknown key 'q' in 'boundaries.NAME'"));
    assert_true(case_has(&d, "case.yaml:1:1: error: required key 'mesh' is missing"));
    assert_true(case_has(&d, "required key 'initial.p'"));
    assert_true(case_has(&d, "required key 'initial.T'"));
    assert_int_equal(d.nerror, 10);
    an_diag_free(&d);
}

static void check_set(const char *set, const char *fragment)
{
    struct an_case c;
    struct an_diag d;
    char *text = case_text(0, NULL), *copy = strdup(set), line[300];
    int status = case_read_bytes(text, strlen(text), 1, &copy, &c, &d);
    snprintf(line, sizeof line, "--set %s: error: %s", set, fragment);
    if (status != AN_INPUT || !case_has(&d, line)) {
        case_print(&d);
        fail_msg("expected %s", line);
    }
    free(text);
    free(copy);
    an_diag_free(&d);
    an_case_free(&c);
}

static void test_bad_sets(void **state)
{
    (void)state;
    check_set("march.cfl=x", "'march.cfl' needs a number, not 'x'");
    check_set("march.cfl=-1", "'march.cfl' is -1, but must be > 0");
    check_set("march.cfl=", "'march.cfl' needs a number, not nothing");
    check_set("march.cfI=2", "unknown key 'cfI' in 'march'; did you mean 'cfl'?");
    check_set("marhc.cfl=2", "unknown key 'marhc'; did you mean 'march'?");
    check_set("cfl=2", "unknown key 'cfl'; did you mean 'march.cfl'?");
    check_set("march.cfl", "expected key=value");
    check_set("=3", "expected key=value");
    check_set("", "expected key=value");
    check_set("march=3", "'march' is a mapping");
    check_set("case.x=3", "'case' is not a mapping");
    check_set("boundaries.inlet.p0='1e5'", "'boundaries.inlet.p0' needs a number; '1e5' is text");
    check_set("boundaries.outlet.T0=3", "'boundaries.outlet' of type outlet_static has no key");
    check_set("boundaries.new.p=3", "boundary 'new' has no 'type'");
    check_set("march={cfl: 1, cfl: 2}", "duplicate key 'cfl'");
    check_set("march.cfl=[1", "not YAML");
    check_set("march.cfl=&a 1", "anchors");
    check_set("march.time_step=1", "'march.time_step' needs");
    check_set("initial.velocity=[1,0,0]", "'initial.mach' and 'initial.velocity' are both given");
}

static void expect_fault(const void *bytes, size_t length, const char *fragment)
{
    struct an_case c;
    struct an_diag d;
    int status = case_read_bytes(bytes, length, 0, NULL, &c, &d);
    if (status != AN_INPUT || !case_has(&d, fragment)) {
        case_print(&d);
        fail_msg("expected '%s', status %d", fragment, status);
    }
    an_diag_free(&d);
}

static void test_hostile_bytes(void **state)
{
    (void)state;
    size_t length = 3000000;
    char *big = malloc(length);
    assert_non_null(big);
    expect_fault("case: a\0b\n", 10,
                 "case.yaml:1:8: error: not a text in UTF-8: control characters");
    expect_fault("\xff\xfe"
                 "c\0a\0",
                 6, "case.yaml:1:1: error: not a text in UTF-8");
    expect_fault("case: a\nmesh: \x89HDF\n", 19,
                 "case.yaml:2:7: error: not a text in UTF-8: invalid");
    memset(big, '[', length);
    expect_fault(big, 1000000, "nested too deeply");
    memset(big, '{', length);
    expect_fault(big, 1000000, "");
    memset(big, '-', length);
    expect_fault(big, 1000000, "");
    for (size_t i = 0; i < 1000000; i++)
        big[i] = i % 2 ? ' ' : '-';
    expect_fault(big, 1000000, "nested too deeply");
    memset(big, 'a', length);
    expect_fault(big, 1000000, "a case file is a mapping");
    expect_fault(big, length, "is longer than 1048576 bytes");
    memset(big, 0, length);
    expect_fault(big, 1000000, "not a text in UTF-8");
    for (size_t i = 0; i < 999999; i += 3)
        memcpy(big + i, "a:\n", 3);
    expect_fault(big, 999999, "too many keys");
    free(big);
}

static void expect_path_fault(const char *path, const char *fragment)
{
    struct an_case c;
    struct an_diag d;
    an_diag_init(&d);
    assert_int_equal(an_case_read(path, 0, NULL, &c, &d), AN_INPUT);
    assert_true(case_has(&d, fragment));
    assert_int_equal(d.nerror, 1);
    an_diag_free(&d);
}

static void test_files_that_are_none(void **state)
{
    (void)state;
    char path[3000];
    expect_path_fault(case_folder, "is a folder, not a case file");
    expect_path_fault("", "cannot be opened");
    snprintf(path, sizeof path, "%s/none.yaml", case_folder);
    expect_path_fault(path, "cannot be opened: No such file");
    expect_path_fault("/dev/zero", "is longer than");
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    expect_path_fault(path, "longer than 1023 bytes");
    if (geteuid() != 0) {
        snprintf(path, sizeof path, "%s/case.yaml", case_folder);
        assert_int_equal(chmod(path, 0), 0);
        expect_path_fault(path, "cannot be opened: Permission denied");
        assert_int_equal(chmod(path, 0600), 0);
    }
}

static void test_lengths_are_checked(void **state)
{
    (void)state;
    char text[1500];
    struct bad b = {1, text, 1, "'case' is too long: it has 256 bytes, but may have at most 255",
                    0};
    snprintf(text, sizeof text, "case: %0256d", 1);
    assert_true(check_bad(&b));
    struct bad mesh = {2, text, 2,
                       "bytes with the folder of the case file, but may have at most 1023", 0};
    snprintf(text, sizeof text, "mesh: %01020d", 1);
    assert_true(check_bad(&mesh));
}

static uint32_t random_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Flips, cuts, doublings: whatever comes of it is a case or faults, never both, never a crash. */
static void test_mutations(void **state)
{
    (void)state;
    uint32_t seed = 20240229u;
    char *good = case_text(0, NULL);
    size_t n = strlen(good);
    for (int trial = 0; trial < 5000; trial++) {
        struct an_case c;
        struct an_diag d;
        char *text = malloc(2 * n);
        assert_non_null(text);
        memcpy(text, good, n);
        size_t length = n;
        for (uint32_t flips = random_next(&seed) % 4; flips; flips--)
            text[random_next(&seed) % n] ^= (char)(1u << random_next(&seed) % 8);
        if (random_next(&seed) % 4 == 0)
            length = random_next(&seed) % n;
        if (random_next(&seed) % 8 == 0) {
            size_t from = random_next(&seed) % n, part = random_next(&seed) % (n - from);
            memmove(text + length, text + from, part);
            length += part;
        }
        int status = case_read_bytes(text, length, 0, NULL, &c, &d);
        assert_true(status == AN_OK ? d.nerror == 0 : status == AN_INPUT && d.nerror > 0);
        for (int i = 0; i < d.nline; i++)
            assert_null(strchr(d.line[i], '\n'));
        if (status == AN_OK)
            an_case_free(&c);
        an_diag_free(&d);
        free(text);
    }
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_all_faults_at_once),
        cmocka_unit_test(test_bad_sets),
        cmocka_unit_test(test_hostile_bytes),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_lengths_are_checked),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, case_setup, case_teardown);
}
