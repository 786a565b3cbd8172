/* Anderson mixing: the weights of earlier cycles, from products of vectors alone.
 *
 * The march is an iteration x_(k+1) = G(x_k), with f_k = G(x_k) - x_k, the change of a cycle. From
 * the last cycles, with dF_j = f_(j+1) - f_j and dG_j = G(x_(j+1)) - G(x_j), the mixing makes
 *
 *     x_(k+1) = G(x_k) - sum_j y_j dG_j,    y: min |f_k - sum_j y_j dF_j|^2 + ridge |y|^2
 *
 * (Anderson, J. ACM 12, 1965; Walker and Ni, SIAM J. Numer. Anal. 49, 2011, "type II"). The products
 * of all f with each other decide y; a new cycle brings one row of them. The same step, written with
 * the G(x_j) themselves, is  x_(k+1) = G(x_k) + sum_j c_j (G(x_j) - G(x_k)).
 */
#ifndef AN_SOLVER_MIXING_WEIGHTS_H
#define AN_SOLVER_MIXING_WEIGHTS_H

enum { AN_MIX_CYCLES = 12 }; /* at most */

/* Coefficients c[n] of cycles 0 (the oldest) to n - 1 (the present one, whose coefficient is 0), from
 * the products f_i f_j. Returns how much of |f_k|^2 the weights leave, 0 to 1; 1 and c = 0 where
 * nothing can be gained or a product is not finite. */
double an_mix_weights(int n, double product[AN_MIX_CYCLES][AN_MIX_CYCLES], double c[AN_MIX_CYCLES]);

#endif
