/* Any bytes as the points of a blade for mesh_cascade: a profile, or a message and exit code 2. The
 * first line may hold what the command line gives: "# pitch scale stagger", a comment to the reader. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "tools/programs/mesh_cascade/mesh.h"

/* A number of the input within the limits of its option. */
static double within(double v, double lo, double hi, double other)
{
    return v >= lo && v <= hi ? v : other;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[80] = "";
    memcpy(line, data, size < sizeof line - 1 ? size : sizeof line - 1);
    double v[3] = {0.06, 1, 0};
    (void)sscanf(line, "# %lf %lf %lf", &v[0], &v[1], &v[2]);
    struct options o = {.profile = fuzz_file(data, size),
                        .pitch = within(v[0], 1e-12, 1e9, 0.06),
                        .scale = within(v[1], 1e-12, 1e9, 1),
                        .stagger = within(v[2], -180, 180, 0) * M_PI / 180};
    struct profile p;
    const int rc = profile_read(&p, &o);
    FUZZ_EXPECT(rc == EXIT_DONE || rc == EXIT_INPUT);
    if (rc == EXIT_DONE) {
        double corner[5];
        FUZZ_EXPECT(p.chord > 0 && isfinite(p.chord));
        FUZZ_EXPECT(isfinite(p.angle_le) && isfinite(p.angle_te));
        FUZZ_EXPECT(p.te.x > p.le.x);
        place_corners(&p, (const double[2]){o.pitch, o.pitch}, 0.5, corner);
        for (int c = 0; c < 4; c++)
            FUZZ_EXPECT(corner[c + 1] > corner[c]);
        profile_free(&p);
    }
    return 0;
}
