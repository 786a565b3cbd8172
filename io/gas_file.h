/* The file of a gas table, which tools/gas_table writes. HDF5:
 *
 *     /box                     double[4]: lowest ln p, its spacing, lowest ln(p / rho), its spacing
 *     /e /T /s /mu /lambda     double[ny][nx][4]: value, slopes by ln p and ln(p / rho), cross derivative,
 *                              in J/kg, K, J/kg/K, kg/m/s, W/m/K; mu and lambda may be missing, both
 *     /outside                 unsigned char[ny][nx]: 1 where a node continues the fluid's values
 *
 * with the attributes of the root: fluid, source (texts), R (J/kg/K), format (1). */
#ifndef AN_IO_GAS_FILE_H
#define AN_IO_GAS_FILE_H

#include "kernels/physics/gas_real.h"

/* AN_INPUT with a text where the file is not such a table. */
int an_gas_file_read(const char *path, struct an_gas_table **table);

#endif
