/* Text files that people write. */
#ifndef AN_KERNELS_BASE_TEXT_H
#define AN_KERNELS_BASE_TEXT_H

#include <stdio.h>
#include <string.h>

enum { AN_TEXT_MARK = 3 };

/* Bytes of the mark of UTF-8 (BOM) at the beginning of a text: some editors and spreadsheets write it; 0: none. */
static inline size_t an_text_mark(const char *text, size_t length)
{
    return length >= AN_TEXT_MARK && memcmp(text, "\xef\xbb\xbf", AN_TEXT_MARK) == 0 ? AN_TEXT_MARK
                                                                                     : 0;
}

/* Opens a file to be read from behind its mark; NULL, with errno, where it cannot be opened. */
static inline FILE *an_text_open(const char *path)
{
    char mark[AN_TEXT_MARK];
    FILE *f = fopen(path, "r");
    if (f && !an_text_mark(mark, fread(mark, 1, sizeof mark, f)))
        rewind(f);
    return f;
}

/* Does a line hold bytes that no text has, so that the file is another one? In Latin 1, the signs of degrees and of micro may stand
 * behind other characters. */
static inline int an_text_is_binary(const char *line)
{
    for (unsigned char before = 0, c; (c = (unsigned char)*line) != 0; before = c, line++)
        if (c < '\t' || c > 0xf4 ||
            (c >= 0x80 && c < 0xc2 && before < 0x80 &&
             !(before >= ' ' && (c == 0xb0 || c == 0xb5 || c == 0xba))))
            return 1;
    return 0;
}

#endif
