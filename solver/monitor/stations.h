/* Spanwise profiles at axial stations: planes x = const (monitors.stations) that cut through cells.
 *
 * A cell's share of the plane is the polygon that the plane cuts out of it (six tetrahedra), its
 * state there linear between the cell's centre and that of the neighbour along the mesh line
 * nearest to x. Averages are those of solver/monitor/flow_average.h over bands of equal height
 * between the least and the largest radius of the plane, and over all of it. Where averages are Cartesian
 * (solver/monitor/flow_axes.h) the place along the span stands for the radius. Flow towards +x counts
 * as positive. Sums are exact: the same bits on any number of ranks. Full annulus.
 */
#ifndef AN_SOLVER_STATIONS_H
#define AN_SOLVER_STATIONS_H

#include "solver/monitor/flow_average.h"

struct an_solver;
struct an_part_type;

/* A cell that a station cuts. */
struct an_station_cut {
    int station;
    int64_t cell, next; /* elements of the field W: the cell, its neighbour */
    double part;        /* of the way to the neighbour's centre */
    double area, y, z;  /* m2, m: of the polygon, and its middle; area: less where the zone's
                         * meshed part fits into the annulus less often than others' do */
    double omega;       /* rad/s */
};

struct an_stations {
    int n, nband;
    int turns; /* 1: work is done on the gas; else there is no efficiency */
    struct an_flow_gas gas;
    double *x;                       /* [n] m; owned */
    double (*radius)[2];             /* [n] m: least, largest, or places along the span; owned */
    double sectors;                  /* of the zones that fit in most often */
    int64_t ncut;                    /* of this rank */
    struct an_station_cut *cut;      /* [ncut] owned */
    struct an_flow_average *average; /* [n][nband + 1], the last of a station: all of it; owned */
    double *area;                    /* [n][nband + 1] m2 */
};

/* The part of a run with stations. AN_INPUT when one misses the mesh. Beside each snapshot rank 0
 * writes profile_NNNNNNNN.csv into the output folder: a line for each band and, without a band, for
 * the whole station; ratios and efficiencies are over the whole first station. */
extern const struct an_part_type an_stations_part;
/* Ratios of total pressure and temperature and the efficiency between the first station and the
 * last, of the last measurement; NaN where there are fewer than two. Not collective. */
void an_stations_between(const struct an_solver *s, double value[3]);

/* ---- for tests, which compare the averages themselves ---- */

/* NULL: there are none. */
struct an_stations *an_stations_of(const struct an_solver *s);
/* Averages of the present state, ghosts valid; a snapshot makes them too. Collective. */
int an_stations_measure(struct an_solver *s);

#endif
