/* One group of stencils with a type that counts: a template, for the file of each group that
 * command.cmake makes. That file includes counted.h and the point physics of the group and defines
 * AN_GROUP as the file of its definitions. Each stencil becomes an external function, or Line, of
 * the namespace count, which has its name. */
namespace count
{
#define AN_TEMPLATE_CELL        "bench/count_cell.h"
#define AN_TEMPLATE_DIRECTIONAL "bench/count_cell.h"
#define AN_TEMPLATE_FACE        "bench/count_face.h"
#define AN_TEMPLATE_LINE        "bench/count_line.h"
#include AN_GROUP
} // namespace count
