/* Anderson mixing: the weights of earlier cycles, from products of vectors alone.
 *
 * The march is an iteration x_(k+1) = G(x_k), with f_k = G(x_k) - x_k, the change of a cycle. From
 * the last n pairs dF_j = f_(j+1) - f_j, dG_j = G(x_(j+1)) - G(x_j) the mixing makes
 *
 *     x_(k+1) = G(x_k) - sum_j y_j dG_j,    y: min |f_k - sum_j y_j dF_j|^2 + ridge |y|^2
 *
 * (Anderson, J. ACM 12, 1965; Walker and Ni, SIAM J. Numer. Anal. 49, 2011, "type II"). The norm
 * sums over cells and components; each component is divided by its own |f_k|^2, so that all count
 * alike whatever their unit.
 */
#ifndef AN_SOLVER_MIXING_WEIGHTS_H
#define AN_SOLVER_MIXING_WEIGHTS_H

enum { AN_MIX_PAIRS = 10, AN_MIX_COMPONENTS = 7 };

/* Products summed over all cells, component by component. */
struct an_mix_products {
    double ff[AN_MIX_COMPONENTS];                             /* f_k f_k */
    double fd[AN_MIX_COMPONENTS][AN_MIX_PAIRS];               /* f_k dF_j */
    double dd[AN_MIX_COMPONENTS][AN_MIX_PAIRS][AN_MIX_PAIRS]; /* dF_i dF_j, symmetric */
};

/* Weights y[n] of n pairs. Returns how much of |f_k|^2 they leave, 0 to 1; 1 and y = 0 where nothing
 * can be gained or a product is not finite. Components whose f_k is zero do not count. */
double an_mix_weights(const struct an_mix_products *p, int n, double y[AN_MIX_PAIRS]);

#endif
