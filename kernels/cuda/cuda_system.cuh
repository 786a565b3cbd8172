/* CUDA engines: the systems of the 32 cells that a warp puts together at a time (cuda_line.cuh), in
 * shared memory: columns of n words, first those of the near block, then far, diagonal and the
 * right-hand side. */

#define AN_LINE_NEAR_COLUMN(n)  0
#define AN_LINE_FAR_COLUMN(n)   (n)
#define AN_LINE_DIAG_COLUMN(n)  (2 * (n))
#define AN_LINE_RIGHT_COLUMN(n) (3 * (n))

/* One word: that of a cell beside that of the next one. */
template <int n> struct line_systems {
    enum { PITCH = 33 };
    real word[(3 * n + 1) * n * PITCH];
    /* Columns of a block that lies row by row. */
    __device__ __forceinline__ void put(int cell, int column, int columns, const real *block)
    {
        for (int c = 0; c < columns; c++)
            for (int r = 0; r < n; r++)
                word[((column + c) * n + r) * PITCH + cell] = block[r * columns + c];
    }
    /* To words that lie `pitch` apart from row to row. */
    __device__ __forceinline__ void take(int cell, int column, int columns, int pitch,
                                         real *block) const
    {
        for (int c = 0; c < columns; c++)
            for (int r = 0; r < n; r++)
                block[r * pitch + c] = word[((column + c) * n + r) * PITCH + cell];
    }
};

/* Five words: four together, read and written at once, and one as above. The fours of a cell are 68
 * words apart from those of the next, and eight more after each eighth: eight lanes that write or
 * four groups that read meet all banks. */
template <> struct line_systems<5> {
    enum { PITCH = 33, COLUMNS = 16, CELL = COLUMNS + 1, GROUP = 8 * CELL + 2 };
    struct alignas(4 * sizeof(real)) four {
        real a, b, c, d;
    };
    struct four top[4 * GROUP];
    real last[COLUMNS * PITCH + 8]; /* eight for those of several warps to meet other banks */
    __device__ __forceinline__ void put(int cell, int column, int columns, const real *block)
    {
        struct four *const to = &top[(cell >> 3) * GROUP + (cell & 7) * CELL + column];
        for (int c = 0; c < columns; c++) {
            to[c] = {block[c], block[columns + c], block[2 * columns + c], block[3 * columns + c]};
            last[(column + c) * PITCH + cell] = block[4 * columns + c];
        }
    }
    __device__ __forceinline__ void take(int cell, int column, int columns, int pitch,
                                         real *block) const
    {
        const struct four *const from = &top[(cell >> 3) * GROUP + (cell & 7) * CELL + column];
        for (int c = 0; c < columns; c++) {
            const struct four v = from[c];
            block[c] = v.a;
            block[pitch + c] = v.b;
            block[2 * pitch + c] = v.c;
            block[3 * pitch + c] = v.d;
            block[4 * pitch + c] = last[(column + c) * PITCH + cell];
        }
    }
};
