/* Any bytes as the profile of an inlet and as that of a wall: read or refused with a message. */
#include "tests/fuzz/fuzz.h"

#include "bc/profile.h"
#include "bc/wall_profile.h"
#include "kernels/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct an_profile p;
    const int status = an_profile_read(fuzz_file(data, size), size % 3 ? 0 : 1, size % 5 == 1, &p);
    if (status == AN_OK) {
        double v[AN_NPROFILE];
        an_profile_set_time(&p, 0.3);
        an_profile_at(&p, 0.5 * (p.at[0] + p.at[p.n - 1]), 7, v);
        an_profile_free(&p);
    } else {
        FUZZ_EXPECT(status == AN_INPUT && *an_error_text());
    }
    struct an_wall_profile w;
    if (an_wall_profile_read(fuzz_file(data, size), &w) == AN_OK) {
        int outside;
        an_wall_profile_at(&w, AN_SIDE_PRESSURE, 0.3, 0.6, &outside);
        an_wall_profile_free(&w);
    } else {
        FUZZ_EXPECT(*an_error_text());
    }
    return 0;
}
