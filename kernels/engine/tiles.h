/* Tile shapes of the kernels that stream planes: chosen at run time, for each of them, by what a
 * cell costs in each shape on this device. The result is the same in every shape, bit for bit.
 *
 * What cells cost is in a table of known devices, or measured on a block of the engine's own and
 * kept in a file of the user's cache ($XDG_CACHE_HOME/annulus or ~/.cache/annulus), one for each
 * device, driver, program and precision. */
#ifndef AN_TILES_H
#define AN_TILES_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

enum { AN_TILES_TEXT = 512 };

/* For tiles made from now on. measure: 0 the table, 1 the cache, or measured if nothing is there.
 * program: its version. text[AN_TILES_TEXT]: what was chosen and from where; "" on engines without
 * such kernels. A cache that cannot be read or written is no error, but is said in the text;
 * nor is too little memory to measure: the table it is then. */
int an_tiles_choose(struct an_engine *e, int measure, const char *program, char *text);

AN_EXTERN_C_END
#endif
