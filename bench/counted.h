/* A number that counts the operations on it, and how stencil definitions that compute with it reach
 * memory: shared by count.cc and by the files of the groups of stencils (count_group.h). */
#ifndef AN_COUNTED_H
#define AN_COUNTED_H

#include <math.h>
#include <string.h>
#include <type_traits>
#include <vector>

/* Operations since the tally was cleared; counted.cc has it. */
struct an_tally {
    double add, multiply, divide, root, power, compare;
};
extern struct an_tally an_tally;

/* A number whose operations are counted. As large as a double and nothing else. */
struct an_counted {
    double v;
    an_counted() = default;
    template <class T,
              class = std::enable_if_t<std::is_arithmetic<T>::value || std::is_enum<T>::value>>
    an_counted(T x) : v(static_cast<double>(x))
    {
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    explicit operator T() const
    {
        return static_cast<T>(v);
    }
    an_counted operator-() const
    {
        return an_counted(-v);
    }
    an_counted operator+() const
    {
        return *this;
    }
};

#define BINARY(op, kind)                                                  \
    static inline an_counted operator op(an_counted a, an_counted b)      \
    {                                                                     \
        an_tally.kind++;                                                  \
        return an_counted(a.v op b.v);                                    \
    }                                                                     \
    static inline an_counted &operator op##=(an_counted &a, an_counted b) \
    {                                                                     \
        return a = a op b;                                                \
    }
BINARY(+, add)
BINARY(-, add)
BINARY(*, multiply)
BINARY(/, divide)
#undef BINARY
#define COMPARE(op)                                            \
    static inline bool operator op(an_counted a, an_counted b) \
    {                                                          \
        an_tally.compare++;                                    \
        return a.v op b.v;                                     \
    }
COMPARE(<)
COMPARE(>)
COMPARE(<=)
COMPARE(>=)
COMPARE(==)
COMPARE(!=)
#undef COMPARE
static inline an_counted sqrt(an_counted a)
{
    an_tally.root++;
    return an_counted(::sqrt(a.v));
}
static inline an_counted fabs(an_counted a)
{
    return an_counted(::fabs(a.v));
}
#define POWER(name)                             \
    static inline an_counted name(an_counted a) \
    {                                           \
        an_tally.power++;                       \
        return an_counted(::name(a.v));         \
    }
POWER(exp)
POWER(log)
POWER(tanh)
POWER(cbrt)
POWER(sin)
POWER(cos)
POWER(atan)
#undef POWER
static inline an_counted pow(an_counted a, an_counted b)
{
    an_tally.power++;
    return an_counted(::pow(a.v, b.v));
}
static inline an_counted atan2(an_counted a, an_counted b)
{
    an_tally.power++;
    return an_counted(::atan2(a.v, b.v));
}
static inline an_counted fmin(an_counted a, an_counted b)
{
    return a < b ? a : b;
}
static inline an_counted fmax(an_counted a, an_counted b)
{
    return a > b ? a : b;
}

#define AN_PRECISION 64
#define AN_REAL      an_counted
#include "bench/bench_count.h"

typedef double number;    /* one that nobody counts */
#define double an_counted /* bodies that compute in double whatever the precision */

#include "kernels/physics/boundary.h"

namespace count
{
enum role { AN_ROLE_IN, AN_ROLE_NEAR, AN_ROLE_OUT, AN_ROLE_INOUT };

extern const int components[AN_NFIELD];

enum { SLOTS = 5 };

/* One run of a stencil: its memory, and the components its points touch. */
struct Run {
    const struct an_bench_memory *f;
    int64_t cs, ocs;
    struct AN_FN(an_prm) prm;
    struct an_reduction *red;
    struct an_xsum *sums; /* of a boundary */
    int reduces, other;
    uint64_t reads[AN_NFIELD][SLOTS], writes[AN_NFIELD][SLOTS];
    bool both[AN_NFIELD];                 /* declared as read and written */
    std::vector<char> touched[AN_NFIELD]; /* elements of the other level */
    int outside;                          /* accesses beyond the memory */

    void sum(int m, an_counted value)
    {
        an_tally.add++;
        reduces = 1;
        if (sums)
            an_xsum_add(&sums[m], value.v);
        else if (red)
            an_xsum_add(&red->sum[m], value.v);
    }
    int other_cells(const struct an_block *block, int d)
    {
        other = 1;
        return block->n[d];
    }
    void minimum(int m, an_counted value)
    {
        an_tally.compare++;
        reduces = 1;
        if (red && value.v < red->min[m])
            red->min[m] = value.v;
    }
};

struct Field {
    Run &run;
    int f;
    enum role role;
    Field(Run &r, enum an_field field, enum role given)
        : run(r), f(static_cast<int>(field)), role(given)
    {
        run.both[f] |= given == AN_ROLE_INOUT;
    }
    /* fields of an unusual kind are handed to functions as arrays */
    operator const an_counted *() const
    {
        run.reads[f][0] |= 1;
        return reinterpret_cast<const an_counted *>(run.f->at[f]);
    }
    number *place(int c, int64_t at) const
    {
        static number nowhere;
        if (!run.f->at[f] || c < 0 || c >= components[f] || at < 0 || at >= run.cs) {
            run.outside++;
            nowhere = NAN;
            return &nowhere;
        }
        return &run.f->at[f][c * run.cs + at];
    }
    an_counted read_slot(int c, int64_t at, int slot) const
    {
        run.reads[f][slot] |= uint64_t(1) << c;
        return an_counted(*place(c, at));
    }
    an_counted read(int c, int64_t at) const
    {
        return read_slot(c, at, 0);
    }
    void write_slot(int c, int64_t at, an_counted value, int slot) const
    {
        run.writes[f][slot] |= uint64_t(1) << c;
        *place(c, at) = value.v;
    }
    void write(int c, int64_t at, an_counted value) const
    {
        write_slot(c, at, value, 0);
    }
    bool given() const
    {
        return run.f->at[f] != nullptr;
    }
    an_counted read_flat(int c, int64_t face) const
    {
        run.reads[f][0] |= uint64_t(1) << c;
        return an_counted(run.f->at[f][components[f] * face + c]);
    }
    void write_flat(int c, int64_t face, an_counted value) const
    {
        run.writes[f][0] |= uint64_t(1) << c;
        run.f->at[f][components[f] * face + c] = value.v;
    }
    void write_word(int64_t n, an_counted value) const
    {
        run.writes[f][0] |= 1;
        run.f->at[f][n] = value.v;
    }
    an_counted read_other(int c, const struct an_block *other, int i, int j, int k) const
    {
        const int64_t at = c * run.ocs + an_element(other, i, j, k);
        const bool inside =
            i >= 0 && j >= 0 && k >= 0 && i < other->n[0] && j < other->n[1] && k < other->n[2];
        run.other = 1;
        run.touched[f].resize(static_cast<size_t>(components[f] * run.ocs));
        if (inside)
            run.touched[f][static_cast<size_t>(at)] = 1;
        return an_counted(run.f->at[f][at]);
    }
};

/* A stencil at one point: cells and faces of direction dir, 0 where the stencil has none. */
typedef void cell_function(Run &, const struct an_block *, const struct an_block *, int dir, int i,
                           int j, int k);
typedef void face_function(Run &, const struct an_block *, const struct an_window *, int64_t,
                           int64_t, const struct AN_FN(an_bc) *, int);
/* A line along dir: the row of cell m, the way of its unknowns back, the number of these, and that of
 * the systems. */
struct Line {
    void (*row)(Run &, const struct an_block *, int dir, int m, int64_t, int, an_counted *);
    void (*solution)(Run &, int dir, int64_t, int, const an_counted *);
    int unknowns;
    int (*systems)(const struct AN_FN(an_prm) *);
};
} // namespace count

#endif
