// Names and numbers of the zones of a row.
#include "row.h"

// Zones of one blade in its gaps.
static int zones_inside(const struct row *r)
{
    return r->n[0].gap && r->n[0].hub_gap ? 4 : 2;
}

int zone_blade(const struct row *r, int index, int *zone)
{
    const int set = r->set > 0 ? r->set : 1, outer = set * SECTOR_ZONES, inner = zones_inside(r);
    *zone = index < outer ? index % SECTOR_ZONES : SECTOR_ZONES + (index - outer) % inner;
    if (index >= outer && r->n[0].hub_gap && !r->n[0].gap)
        *zone += ZONE_HUB_RING - ZONE_RING;
    return index < outer ? index / SECTOR_ZONES : (index - outer) / inner;
}

int zone_index(const struct row *r, int blade, int zone)
{
    if (zone < SECTOR_ZONES)
        return blade * SECTOR_ZONES + zone;
    if (r->n[0].hub_gap && !r->n[0].gap)
        zone -= ZONE_HUB_RING - ZONE_RING;
    return r->set * SECTOR_ZONES + blade * zones_inside(r) + zone - SECTOR_ZONES;
}
