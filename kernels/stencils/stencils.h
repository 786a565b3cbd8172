/* Every stencil definition, for engines to instantiate: define AN_TEMPLATE_CELL,
 * AN_TEMPLATE_DIRECTIONAL, AN_TEMPLATE_FACE and AN_TEMPLATE_LINE as the files that turn one
 * definition (named by AN_STENCIL) into kernels, then include this file, or the file GROUP.inc of one
 * group. No include guard: that is its use. The lists are made from the definitions by
 * stencils.cmake: a new file NAME.stencil in this folder is a new stencil in every engine.
 *
 * A definition is included twice. First it defines
 *
 *     AN_STENCIL_NAME              the stencil's name
 *     AN_STENCIL_KIND              CELL, DIRECTIONAL, FACE or LINE (kernels/engine/engine.h)
 *     AN_STENCIL_GROUP             the stencils it is compiled together with
 *     AN_FIELDS(F)                 its fields, F(role, name): IN own element only, NEAR neighbours
 *                                  are read, OUT written, INOUT both
 *     AN_SUMS, AN_MINS             number of reduced sums and minima, if any
 *     AN_UNKNOWNS, AN_SYSTEMS      lines: unknowns of a cell (1, 5); systems solved (1)
 *     KEPT(w)                      lines: the component of LINE that keeps word w of elimination;
 *                                  without it, all of LINE is the solver's
 *     SOLUTION(x)                  lines: writes the unknowns x[AN_UNKNOWNS] of a cell, once for each cell
 *     CARRIED                      lines: a struct that a march along the line takes from cell to cell.
 *                                  With IL_MARCH defined, the body gets it as `carried`, empty where
 *                                  `starts`, goes downward where `up`, and says NEAR(r, c, value) and
 *                                  FAR(r, c, value), the blocks behind it and ahead, in place of LOWER
 *                                  and UPPER
 *     AN_SCALAR, AN_SPLIT, AN_SPLIT_TOO
 *                                  conditions on prm-> alone, for the CPU engine. AN_SCALAR: the body
 *                                  cannot be vector code (it calls functions such as pow, or reads
 *                                  scattered words), and runs cell by cell. AN_SPLIT: the body reads
 *                                  other fields, or computes less, than where the condition does not
 *                                  hold. Each condition that holds gets a loop of its own, compiled
 *                                  for it; AN_SPLIT_TOO is tested where AN_SPLIT does not hold
 *
 * and includes the point physics that it needs. Then, with AN_BODY defined, it is the body, in terms of
 *
 *     AT(f, c, di, dj, dk)         component c of field f at an offset
 *     ALONG(f, c, m)               directional, lines: offset m along the direction
 *     ACROSS(f, c, m, a, b)        directional, lines: m along, a and b along the two directions
 *                                  that follow cyclically
 *     DIR                          directional, lines: 0, 1, 2
 *     LOWER(r, c, value), DIAGONAL(r, c, value), UPPER(r, c, value), RIGHT(r, value)
 *                                  lines: the cell's row of blocks and its right-hand side, every
 *                                  word once; LOWER of the FIRST cell and UPPER of the LAST count
 *                                  for nothing, but are finite
 *     SYSTEM                       lines: which of the systems
 *     EDGE                         lines: 0 in a body that an engine compiles for cells inside a line
 *                                  alone, where neither FIRST nor LAST holds; else 1
 *     FIRST, LAST                  lines: is this the block's lowest, uppermost cell of the line?
 *     CELLS(d)                     interior cells of the block in direction d
 *     FLAT(d)                      cells, lines: 1: nothing varies along d (struct an_block)
 *     CELL_I, CELL_J, CELL_K       cells, directional: index of the cell in its block
 *     OTHER(f, c, i, j, k)         cells, directional: cell (i,j,k) of the block on another level
 *     OTHER_CELLS(d)               cells of that block in direction d
 *     RUNTIME(name)                cells, lines: a parameter of AN_RUNTIME_LIST (params.h)
 *     OUT(f, c, value)             writes; INOUT fields are read with AT(f, c, 0, 0, 0)
 *     SUM(m, value), MIN(m, value) reductions, in double
 *     GIVEN(f)                     cells, lines: is the field there?
 *     prm->                        scalars of AN_PARAM_ROLES (params.h)
 *     OMEGA                        rad/s, double: how the block turns about the x axis
 *
 * Face definitions see one boundary face each:
 *
 *     INSIDE(f, c, m)              m = 0, 1: first and second cell inside; m = -1, -2: ghosts
 *     OUTSIDE(f, c, m, value)      writes ghost m = -1, -2
 *     HAS_SECOND                   0: no cell lies behind the first one, INSIDE(f, c, 1) holds none
 *     OF_FACE(f, c, value)         writes component c of a field that has values face after face
 *     FACE_VALUE(f, c)             reads it
 *     OF_WORD(f, n, value)         writes word n of a field that is a plain array; f[n] reads it
 *     GIVEN(f)                     is the field there?
 *     nx, ny, nz, area             outward unit normal and area (0 and 0 on a collapsed face)
 *     sx, sy, sz                   outward area vector
 *     sweep, vn                    outward, what the face sweeps (G) and G over area: its velocity;
 *                                  0 where no block turns
 *     ON_FACE(f, c)                field of lower faces at the face itself; OUTWARD (+1, -1) times
 *                                  it points outward
 *     DIR, CELLS(d), bc            direction of the face (run time), cells, the boundary's values
 *     SCHEME                       scheme of the flux
 */
#include "kernels/stencils/all.inc"
