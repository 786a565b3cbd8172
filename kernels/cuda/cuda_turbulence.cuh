/* CUDA engines: residuals of turbulence models by plane streaming (cuda_planes.cuh), where an_planes_hold
 * (kernels/engine/planes.h). The sums and the sources of a cell are the body of the model's stencil.
 *
 * Of the planes k and k+1 the states of cells lie in shared memory, one boundary cell around the tile included, and
 * TURB two cells around. A thread forms the state of its own cell, and of one boundary cell, once for each plane.
 *
 *     slots      k, k+1                       registers  TURB of k-1 to k+2 of the own column
 *     prefetched states of k+2, TURB of k+3; areas and steps of the faces of k+1
 *
 * What the sources read is loaded before the faces are computed, so that no thread waits long for engine memory.
 *
 * There is one barrier for each plane. It stands between the faces of the plane k and the sums of its cells. The
 * slot that k+1 is written to was last read by the faces of k-1, ahead of the barrier of k-1. What faces of k hand
 * to lower cells is written where the sums of k-2 read, ahead of the barrier of k-1, too.
 *
 * A model is a class with the words of its cells and point functions of them: cuda_sa.cuh, cuda_sst.cuh. */
#ifndef AN_CUDA_TURBULENCE_CUH
#define AN_CUDA_TURBULENCE_CUH

#include "kernels/cuda/cuda_planes.cuh"

/* words: of a cell beside TURB, which its faces read; variables: of the model. */
template <int WORDS, int VARIABLES> struct turb_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *cell[WORDS], *turb[VARIABLES], *grad[9], *s[9], *dx[9], *g[3], *vol, *utau, *rough,
        *des;
    real *rt[VARIABLES], *diagt[VARIABLES], *line[6 * VARIABLES];
};

/* What engine memory has of a lower face: area, step between the centres, what it sweeps. */
struct turb_face {
    real s[3], r[3], sweep;
};
template <class ARGS>
static __device__ __forceinline__ void turb_load_face(const ARGS &a, int dir, int at,
                                                      const struct AN_FN(an_prm) * prm,
                                                      struct turb_face *f)
{
    AN_UNROLL
    for (int m = 0; m < 3; m++) {
        f->s[m] = __ldg(a.s[3 * dir + m] + at);
        f->r[m] = __ldg(a.dx[3 * dir + m] + at);
    }
    f->sweep = prm->flux.rotating ? __ldg(a.g[dir] + at) : AN_R(0.0);
}

/* What a face does to a cell beside it, for each variable. */
template <int VARIABLES> struct alignas(2 * VARIABLES * sizeof(real)) turb_side {
    real rt[VARIABLES], coupling[VARIABLES];
};
/* To the cells on both its sides. */
template <int VARIABLES> struct turb_sides {
    struct turb_side<VARIABLES> lower, upper;
};

/* Does a cell of this wall distance lie behind a viscous wall? */
static __device__ __forceinline__ int turb_behind_wall(real distance)
{
    return distance < AN_R(0.0);
}

/* Bit of the neighbour (i,j,k) in a cell's `walls`. */
#define TURB_WALL(i, j, k) ((i) ? ((i) > 0) : (j) ? 2 + ((j) > 0) : 4 + ((k) > 0))

/* The state of a cell from its first five words: W, of gas tables and mixtures its first four and the viscosity of EOS. */
static __device__ __forceinline__ struct AN_FN(an_turb_cell)
    turb_cell_of(const real *w, const struct AN_FN(an_prm) * prm)
{
#if AN_CACHED
    real eos[AN_EOS_FRACTION] = {0};
    const int64_t cs = 1;
    eos[AN_EOS_MU] = w[4];
    const real energy = AN_R(0.0); /* neither viscosity nor velocity depends on it */
#else
    const real energy = w[4];
#endif
    return AN_FN(an_turb_cell_cached)(w[0], w[1], w[2], w[3], energy, AN_PROPERTIES(eos[0]), prm);
}

/* What the sums of a cell are made of, for MODEL::sums. */
template <class MODEL> struct turb_sums {
    int at, s1, s2, flat;
    int walls; /* bits: does the neighbour lie behind a viscous wall? */
    typename MODEL::cell cell;
    real grad[9], volume;
    struct turb_side<MODEL::VARIABLES> flux[3][2]; /* of the faces */
};

/* The body of a model's stencil in MODEL::sum: words of the cell. */
#define TURB_AT_TURB(n, i, j, k)  sums.cell.turb[n]
#define TURB_AT_GRADT(n, i, j, k) sums.cell.g[n]
#define TURB_AT_GRAD(n, i, j, k)  sums.grad[n]
#define TURB_AT_VOL(n, i, j, k)   sums.volume
/* of neighbours only the sign is read */
#define TURB_AT_WD(n, i, j, k)                             \
    ((i) == 0 && (j) == 0 && (k) == 0       ? sums.cell.wd \
     : sums.walls >> TURB_WALL(i, j, k) & 1 ? AN_R(-1.0)   \
                                            : AN_R(1.0))
#define TURB_AT_DX(n, i, j, k)    __ldg(a.dx[n] + sums.at + (i) + (j)*sums.s1 + (k)*sums.s2)
#define TURB_AT_UTAU(n, i, j, k)  __ldg(a.utau + sums.at + (i) + (j)*sums.s1 + (k)*sums.s2)
#define TURB_AT_ROUGH(n, i, j, k) __ldg(a.rough + sums.at)
#define FLAT(d)                   (sums.flat >> (d)&1)
#define TURB_OUT_RT(n)            a.rt[n][sums.at]
#define TURB_OUT_DIAGT(n)         a.diagt[n][sums.at]
#define TURB_OUT_LINE(n)          a.line[n][sums.at]

template <class MODEL, int TX, int TY, int BLOCKS, int ASYNC> struct turb_march {
    static constexpr int COLUMNS_I = TX, COLUMNS_J = TY, THREADS = TX * TY, MIN_BLOCKS = BLOCKS;
    static constexpr int FIRST = -1, LAST = 0, BARRIERS = 1;
    static constexpr const char *NAME = MODEL::NAME;
    enum { WORDS = MODEL::WORDS, VARIABLES = MODEL::VARIABLES, ALL = WORDS + VARIABLES };
    typedef typename MODEL::args args;
    typedef typename MODEL::cell cell;
    typedef struct plane_slot<TX, TY, 2> slot_shape;
    typedef struct plane_ring<TX, TY> ring;
    typedef struct turb_side<VARIABLES> side;
    typedef struct plane_stage<ASYNC, ALL, 1, THREADS> own_stage;
    typedef struct plane_stage<ASYNC, ALL, 1, ring::CELLS> near_stage;
    typedef struct plane_stage<ASYNC, VARIABLES, 1, ring::CELLS> far_stage;
    struct shared {
        typename MODEL::template planes<slot_shape::CELLS, slot_shape::PITCH> planes;
        side fi[2][TY][TX + 1], fj[2][TY + 1][TX]; /* to the lower cells */
        typename own_stage::shared own;
        typename near_stage::shared near;
        typename far_stage::shared far;
    };

    const args &a;
    const struct AN_FN(an_prm) *const prm;
    struct plane_tile<TX, TY> tile;
    struct shared &g;
    const int own, own_at; /* element from tile.base, and place in a slot, of the own cell */
    /* the boundary cells of this thread: the first threads have faces to compute */
    const int last_first;
    const struct plane_boundary near, far;
    own_stage own_words;
    near_stage near_words;
    far_stage far_words;
    real column[VARIABLES][4]; /* TURB of k-1 to k+2 */
    real nu;                   /* of the own cell */
    struct turb_face face[3];
    int wall_below;
    side below, above; /* what the k faces do to the own cell of k, and of k+1 */
    struct turb_sums<MODEL> sums;

    static __device__ __forceinline__ int outer(int index)
    {
        return index < ring::CELLS ? index + THREADS - ring::CELLS : index - ring::CELLS;
    }

    __device__ __forceinline__ turb_march(const args &given, const struct AN_FN(an_prm) * p,
                                          const struct an_tile &of, shared &layout)
        : a(given), prm(p), tile(given.block, of, FIRST), g(layout), own(tile.own(2)),
          own_at(slot_shape::at(tile.tx, tile.ty)), last_first(THREADS - 1 - tile.t),
          near(plane_boundary_of<slot_shape>(tile, last_first, 1, 2)),
          far(plane_boundary_of<slot_shape>(tile, outer(last_first), 2, 2)),
          own_words(layout.own, tile.t), near_words(layout.near, last_first),
          far_words(layout.far, outer(last_first)), face{}, wall_below(0), below{}, above{}, sums{}
    {
        sums.s1 = tile.s1;
        sums.s2 = tile.s2;
        sums.flat = tile.block->flat;
    }

    /* an_planes_hold, for the compiler to know */
    static __device__ __forceinline__ struct AN_FN(an_prm)
        specialise(const struct AN_FN(an_prm) & parameters)
    {
        struct AN_FN(an_prm) p = parameters;
        p.fluid.viscosity = parameters.fluid.viscosity == AN_VISCOSITY_SUTHERLAND
                                ? AN_VISCOSITY_SUTHERLAND
                                : AN_VISCOSITY_CONSTANT;
        MODEL::specialise(&p);
        return p;
    }

    /* TURB goes to the words of a stage behind those of a.cell. */
    template <class STAGE>
    __device__ __forceinline__ void prefetch_turb(STAGE &stage, int word, int from) const
    {
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++)
            stage.prefetch(0, word + v, a.turb[v] + from);
    }
    /* Of the own column TURB is prefetched a plane further. */
    __device__ __forceinline__ void prefetch_own(int from)
    {
        plane_prefetch(own_words, 0, a.cell, from);
        prefetch_turb(own_words, WORDS, from + tile.s2);
    }
    __device__ __forceinline__ void prefetch_boundary(int plane)
    {
        if (near.to >= 0) {
            plane_prefetch(near_words, 0, a.cell, near.from + plane);
            prefetch_turb(near_words, WORDS, near.from + plane);
        }
        if (far.to >= 0)
            prefetch_turb(far_words, 0, far.from + plane);
    }

    /* The cell that a stage holds. */
    template <class STAGE>
    __device__ __forceinline__ cell take(const STAGE &stage, const real turb[VARIABLES]) const
    {
        real word[WORDS];
        plane_take(stage, 0, word);
        return MODEL::cell_of(word, turb, prm);
    }

    __device__ __forceinline__ void start()
    {
        const int at = tile.base + own;
        real word[WORDS], turb[VARIABLES];
        plane_load(a.cell, at, word);
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            AN_UNROLL
            for (int m = 0; m < 3; m++)
                column[v][m] = __ldg(a.turb[v] + at + (m - 1) * tile.s2);
            turb[v] = column[v][1];
        }
        const cell first = MODEL::cell_of(word, turb, prm);
        MODEL::put(g.planes, FIRST & 1, own_at, first);
        nu = first.q.nu;
        prefetch_own(at + tile.s2);
        prefetch_boundary(tile.base + tile.s2);
        own_words.commit();
        if (tile.inside)
            turb_load_face(a, 2, at + tile.s2, prm, &face[2]);
    }

    /* k+1 takes its slot; k+2 is prefetched; returns the own cell of k+1. */
    __device__ __forceinline__ cell take_plane(int k, int ahead)
    {
        real turb[VARIABLES];
        own_words.commit(); /* an empty group: all others are waited for */
        own_words.wait();
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            turb[v] = column[v][2];
            column[v][3] = own_words.take(0, WORDS + v);
        }
        const cell next = take(own_words, turb);
        MODEL::put(g.planes, ahead, own_at, next);
        if (near.to >= 0) {
            AN_UNROLL
            for (int v = 0; v < VARIABLES; v++)
                turb[v] = near_words.take(0, WORDS + v);
            MODEL::put(g.planes, ahead, near.to, take(near_words, turb));
        }
        if (far.to >= 0) {
            AN_UNROLL
            for (int v = 0; v < VARIABLES; v++)
                turb[v] = far_words.take(0, v);
            MODEL::put_turb(g.planes, ahead, far.to, turb);
        }
        if (k + 1 < tile.nk)
            prefetch_own(tile.base + own + 2 * tile.s2);
        if (k + 2 < tile.nk)
            prefetch_boundary(tile.base + 2 * tile.s2);
        own_words.commit();
        return next;
    }

    /* The lower face of the cell `at` of a slot, whose neighbour there is `step` cells away. walls: bits, does the cell
     * below the cell, and the one above it, lie behind a viscous wall? */
    __device__ __forceinline__ struct turb_sides<VARIABLES>
    lower_face(int slot, int at, int step, const struct turb_face &f, int *walls) const {
        const cell l = MODEL::fetch(g.planes, slot, at - step),
                   r = MODEL::fetch(g.planes, slot, at);
        real ends[2][VARIABLES], turb[VARIABLES][4];
        MODEL::fetch_turb(g.planes, slot, at - 2 * step, ends[0]);
        MODEL::fetch_turb(g.planes, slot, at + step, ends[1]);
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            turb[v][0] = ends[0][v];
            turb[v][1] = l.turb[v];
            turb[v][2] = r.turb[v];
            turb[v][3] = ends[1][v];
        }
        *walls = turb_behind_wall(l.wd) |
                 turb_behind_wall(MODEL::fetch_wd(g.planes, slot, at + step)) << 1;
        return MODEL::sides_of(l, r, turb, f, prm);
    }

    /* Areas and steps of the lower faces of the cell `at`, and what its sources read. */
    __device__ __forceinline__ void
    load_faces(int at)
    {
        if (tile.face_i())
            turb_load_face(a, 0, at, prm, &face[0]);
        if (tile.face_j())
            turb_load_face(a, 1, at, prm, &face[1]);
        if (tile.inside)
            turb_load_face(a, 2, at + tile.s2, prm, &face[2]);
    }
    __device__ __forceinline__ void load_sources(int at)
    {
        AN_UNROLL
        for (int m = 0; m < 9; m++)
            sums.grad[m] = __ldg(a.grad[m] + at);
        sums.volume = __ldg(a.vol + at);
    }

    __device__ __forceinline__ void before(int k)
    {
        const int at = tile.base + tile.tx + tile.ty * tile.s1, slot = k & 1, ahead = slot ^ 1;
        const bool middle = k >= 0;
        const cell next = take_plane(k, ahead);
        int of_face;
        sums.at = at;
        sums.cell = MODEL::fetch(g.planes, slot, own_at);
        sums.cell.q.nu = nu;
        sums.walls = wall_below | turb_behind_wall(next.wd) << 5;
        if (tile.inside) { /* the face towards k+1 */
            const struct turb_sides<VARIABLES> f =
                MODEL::sides_of(sums.cell, next, column, face[2], prm);
            sums.flux[2][0] = below;
            sums.flux[2][1] = f.lower;
            above = f.upper;
        }
        nu = next.q.nu;
        struct turb_face edge_face = {};
        if (middle && tile.edge())
            turb_load_face(a, tile.edge_dir(), tile.edge_element(), prm, &edge_face);
        if (middle && tile.inside)
            load_sources(at);
        if (middle && tile.face_i()) {
            const struct turb_sides<VARIABLES> f = lower_face(slot, own_at, 1, face[0], &of_face);
            sums.flux[0][0] = f.upper;
            sums.walls |= of_face;
            g.fi[slot][tile.ty][tile.tx] = f.lower;
        }
        if (middle && tile.face_j()) {
            const struct turb_sides<VARIABLES> f =
                lower_face(slot, own_at, slot_shape::PITCH, face[1], &of_face);
            sums.flux[1][0] = f.upper;
            sums.walls |= of_face << 2;
            g.fj[slot][tile.ty][tile.tx] = f.lower;
        }
        if (middle && tile.edge()) {
            const struct turb_sides<VARIABLES> f =
                lower_face(slot, slot_shape::at(tile.edge_x(), tile.edge_y()),
                           tile.edge_row() ? slot_shape::PITCH : 1, edge_face, &of_face);
            if (tile.edge_row())
                g.fj[slot][tile.edge_y()][tile.edge_x()] = f.lower;
            else
                g.fi[slot][tile.edge_y()][tile.edge_x()] = f.lower;
        }
        if (k + 1 < tile.nk)
            load_faces(at + tile.s2);
    }

    __device__ __forceinline__ void after(int k)
    {
        const int slot = k & 1;
        if (k < 0 || !tile.inside)
            return;
        sums.flux[0][1] = g.fi[slot][tile.ty][tile.tx + 1];
        sums.flux[1][1] = g.fj[slot][tile.ty + 1][tile.tx];
        MODEL::sum(a, sums, prm);
    }

    __device__ __forceinline__ void rotate()
    {
        wall_below = turb_behind_wall(sums.cell.wd) << 4;
        below = above;
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            AN_UNROLL
            for (int m = 0; m < 3; m++)
                column[v][m] = column[v][m + 1];
        }
    }
};

/* Arguments but for the words of cells beyond W. */
template <class MODEL>
static typename MODEL::args turb_args_of(const struct an_cell_args *cell, const struct an_params *p)
{
    typename MODEL::args a = {};
    a.block = cell->block;
    a.tile = cell->tile;
    for (int m = 0; m < 5; m++)
        a.cell[m] = AN_WORDS_OF(cell, W, m);
#if AN_CACHED
    a.cell[4] = AN_WORDS_OF(cell, EOS, AN_EOS_MU);
#endif
    for (int m = 0; m < 9; m++) {
        a.grad[m] = AN_WORDS_OF(cell, GRAD, m);
        a.s[m] = AN_WORDS_OF(cell, S, m);
        a.dx[m] = AN_WORDS_OF(cell, DX, m);
    }
    for (int m = 0; m < 3; m++)
        a.g[m] = p->flux.rotating ? AN_WORDS_OF(cell, G, m) : nullptr;
    a.vol = AN_WORDS_OF(cell, VOL, 0);
    a.utau = AN_WORDS_OF(cell, UTAU, 0);
    a.rough = AN_WORDS_OF(cell, ROUGH, 0);
    for (int v = 0; v < MODEL::VARIABLES; v++) {
        a.turb[v] = AN_WORDS_OF(cell, TURB, v);
        a.rt[v] = AN_WORDS_OF(cell, RT, v);
        a.diagt[v] = AN_WORDS_OF(cell, DIAGT, v);
    }
    for (int m = 0; m < 6 * MODEL::VARIABLES; m++)
        a.line[m] = AN_WORDS_OF(cell, LINE, m);
    return a;
}

#endif
