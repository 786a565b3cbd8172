/* Flow through a labyrinth seal.
 *
 * The gas passes n fins one after the other; behind each of them it loses its speed and gets back its
 * temperature. With the pressure p0 and the temperature T0 before the seal, and p behind it,
 *
 *     m = A p0 / sqrt(R T0) sqrt((1 - x^2) / (n - ln x)),  x = p / p0
 *
 * A: area of the clearance times discharge coefficient and carry-over factor. As a function of x the
 * expression has a largest value, where the last fin chokes: 1 - x^2 = 2 x^2 (n - ln x). For smaller x the
 * flow stays at this value.
 *
 * (H. M. Martin, Labyrinth packings, Engineering, 1908; P. R. N. Childs, Mechanical Design Engineering
 * Handbook, 2014, section on seals; A. Egli, Trans. ASME 57, 1935, for the two factors.)
 */
#ifndef AN_BC_SEAL_H
#define AN_BC_SEAL_H

/* kg/s; 0 where p >= p0. *choked: 1 where the last fin chokes. fins >= 1. */
double an_seal_flow(double p0, double T0, double p, double R, double area, int fins, int *choked);
/* The pressure ratio p / p0 at which the last fin chokes. */
double an_seal_critical(int fins);

#endif
