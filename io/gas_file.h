/* The file of a gas table, which tools/gas_table writes. HDF5:
 *
 *     /box                     double[4]: lowest ln p, its spacing, lowest ln(p / rho), its spacing
 *     /e /T /s /mu /lambda     double[ny][nx][4]: value, slopes by ln p and ln(p / rho), cross derivative,
 *                              in J/kg, K, J/kg/K, kg/m/s, W/m/K; mu and lambda may be missing, both
 *     /outside                 unsigned char[ny][nx]: 1 where a node continues the fluid's values
 *
 * with the attributes of the root: fluid, source (texts), R (J/kg/K), format (1), and, but for old files, checksum:
 * 16 hexadecimal digits, XXH64 of nx and ny (4 bytes each), box, R, the five fields (zeros where they are missing) and
 * outside. The reader verifies it. */
#ifndef AN_IO_GAS_FILE_H
#define AN_IO_GAS_FILE_H

#include "kernels/physics/gas_real.h"

/* AN_INPUT with a text where the file is not such a table, its checksum is not that of its numbers, or a value is
 * one that no gas can have: viscosity, conductivity, temperature and gas constant have ranges, T ds = de + p d(1 / rho)
 * holds at the nodes of the fluid, slopes fit the steps between nodes, and R fits the states. */
int an_gas_file_read(const char *path, struct an_gas_table **table);

#endif
