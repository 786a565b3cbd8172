/* Spanwise profiles at stations that cut through cells: planes x = const (monitors.stations), and surfaces
 * of revolution of straight lines in the (x, r) plane (monitors.station_lines): planes, cones, cylinders.
 *
 * A station is the surface on which a level function of x and r has a given value. The function is x, or
 * n . (x, r), where n = (r_casing - r_hub, x_hub - x_casing) / length is the unit normal of the line: it points
 * along +x if the hub has the smaller r, along +r if the hub has the larger x. Flow along n counts as positive.
 *
 * A cell's share of the surface is the polygon that the level, linear in each of six tetrahedra, cuts out of
 * the cell; its state there is linear between the cell's centre and that of the neighbour along the mesh line
 * whose level changes most. Polygons whose middle is not beside the line (by 2 % of its length beyond its
 * ends) do not count, so that a surface may meet the mesh again elsewhere. Averages are those of
 * solver/monitor/flow_average.h over bands of equal height between the least and the largest radius of a
 * plane, or place along a line, and over all of it. Where averages are Cartesian (solver/level/flow_axes.h)
 * the place along the span stands for the radius. Sums are exact: the same bits on any number of ranks. Full
 * annulus.
 */
#ifndef AN_SOLVER_STATIONS_H
#define AN_SOLVER_STATIONS_H

#include "solver/monitor/flow_average.h"

struct an_solver;
struct an_component_type;

/* A cell that a station cuts. */
struct an_station_cut {
    int station;
    int64_t cell, next; /* elements of the field W: the cell, its neighbour */
    double part;        /* of the way to the neighbour's centre */
    double s[3],
        x[3]; /* m2, m: area vector of the polygon along n, and its middle; the area is less where
                         * the zone's meshed part fits into the annulus less often than others' do */
    double omega; /* rad/s */
};

struct an_station {
    int is_line;                /* 0: the plane x = level */
    double hub[2], casing[2];   /* m: x and r of a line's ends */
    double n[2], level, length; /* n . (x, r) = level; length of the line, m */
};

struct an_stations {
    int n, nband;
    int rotating; /* 1: work is done on the gas; else there is no efficiency */
    struct an_flow_gas gas;
    struct an_station *of;      /* [n] owned */
    double (*radius)[2];        /* [n] m: least, largest, or places along the span or line; owned */
    double sectors;             /* of the zones that fit in most often */
    int64_t ncut;               /* of this rank */
    struct an_station_cut *cut; /* [ncut] owned */
    struct an_flow_average *average; /* [n][nband + 1], the last of a station: all of it; owned */
    double *area;                    /* [n][nband + 1] m2 */
};

/* The part of a run with stations. AN_INPUT when one misses the mesh. Beside each snapshot rank 0
 * writes profile_NNNNNNNN.csv into the output folder: a line for each band and, without a band, for
 * the whole station; ratios and efficiencies are over the whole first station. */
extern const struct an_component_type an_stations_component;
/* Ratios of total pressure and temperature and the efficiency between the first station and the
 * last, of the last measurement; NaN where there are fewer than two. Not collective. */
void an_stations_between(const struct an_solver *s, double value[3]);

/* ---- for tests, which compare the averages themselves ---- */

/* Where a point is along a station's span, m. */
double an_station_height(const struct an_flow_axes *axes, const struct an_station *of,
                         const double x[3]);

/* NULL: there are none. */
struct an_stations *an_stations_of(const struct an_solver *s);
/* Averages of the present state, ghosts valid; a snapshot makes them too. Collective. */
int an_stations_measure(struct an_solver *s);

#endif
