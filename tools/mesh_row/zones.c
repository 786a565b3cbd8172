// Names and numbers of the zones of a row.
#include "row.h"

int zone_blade(const struct row *r, int index, int *zone)
{
    const int set = r->set > 0 ? r->set : 1, outer = set * SECTOR_ZONES,
              inner = ROW_ZONES - SECTOR_ZONES;
    *zone = index < outer ? index % SECTOR_ZONES : SECTOR_ZONES + (index - outer) % inner;
    return index < outer ? index / SECTOR_ZONES : (index - outer) / inner;
}

int zone_index(const struct row *r, int blade, int zone)
{
    return zone < SECTOR_ZONES
               ? blade * SECTOR_ZONES + zone
               : r->set * SECTOR_ZONES + blade * (ROW_ZONES - SECTOR_ZONES) + zone - SECTOR_ZONES;
}
