/* The built-in choice of tile shapes, fed with the numbers of cards that are not here: every kernel gets a shape that
 * fits, as often as the choice says. Shared memory, registers, threads and blocks are those of the CUDA Programming
 * Guide's table of compute capabilities 8.0, 8.6, 8.9 and 9.0; multiprocessors those of the cards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "kernels/cuda/cuda_plan.h"
#include "kernels/emulated/emulated_engine.h"

extern const struct an_cuda_kernels an_emulated_f32, an_emulated_f64;

static const struct {
    const char *name;
    struct an_cuda_card card;
} cards[] = {
    {"NVIDIA A100-SXM4-80GB", {108, 163 << 10, 164 << 10, 1 << 10, 65536, 2048, 32}},
    {"NVIDIA A40", {84, 99 << 10, 100 << 10, 1 << 10, 65536, 1536, 16}},
    {"NVIDIA GeForce RTX 4090", {128, 99 << 10, 100 << 10, 1 << 10, 65536, 1536, 24}},
    {"NVIDIA H100 80GB HBM3", {132, 227 << 10, 228 << 10, 1 << 10, 65536, 2048, 32}},
    {"NVIDIA H200", {132, 227 << 10, 228 << 10, 1 << 10, 65536, 2048, 32}},
};
enum { NCARDS = sizeof cards / sizeof *cards };

/* The variants of a kernel of one build, and what the card holds of each. */
static int variants_of(const struct an_cuda_plan *plan, int kernel,
                       const struct an_fused_variant **variant, const int **resident)
{
    const int viscous = kernel == AN_TILED_VISCOUS;
    if (kernel >= AN_TILED_RANS) {
        *variant = plan->kernels->rans->variant;
        *resident = plan->resident_rans;
        return plan->kernels->rans->nvariant;
    }
    *variant = viscous ? plan->kernels->viscous->variant : plan->kernels->fused->variant;
    *resident = viscous ? plan->resident_viscous : plan->resident;
    return viscous ? plan->kernels->viscous->nvariant : plan->kernels->fused->nvariant;
}

static int blocks_of(const struct an_cuda_card *card, const struct an_fused_variant *v)
{
    const int threads = v->tx * v->ty;
    return an_cuda_card_blocks(card, threads, an_cuda_card_registers(threads, v->min_blocks),
                               v->shared);
}

/* The plan of a card, as its engine would start it: there the driver says how many blocks are resident. */
static void plan_of_card(int c, enum an_precision precision, struct an_cuda_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->kernels = precision == AN_DOUBLE ? &an_emulated_f64 : &an_emulated_f32;
    plan->card = cards[c].card;
    plan->multiprocessors = plan->card.multiprocessors;
    plan->variant = -1;
    strcpy(plan->device, cards[c].name);
    for (int v = 0; v < plan->kernels->fused->nvariant; v++)
        plan->resident[v] = blocks_of(&plan->card, &plan->kernels->fused->variant[v]);
    for (int v = 0; v < plan->kernels->viscous->nvariant; v++)
        plan->resident_viscous[v] = blocks_of(&plan->card, &plan->kernels->viscous->variant[v]);
    for (int v = 0; v < plan->kernels->rans->nvariant; v++)
        plan->resident_rans[v] = blocks_of(&plan->card, &plan->kernels->rans->variant[v]);
    an_cuda_plan_times(plan, precision);
}

/* So many blocks fit together, and one more does not. */
static void holds(int c, const char *kernel, const struct an_fused_variant *v, int blocks)
{
    const struct an_cuda_card *card = &cards[c].card;
    const int threads = v->tx * v->ty, registers = an_cuda_card_registers(threads, v->min_blocks);
    int fits[2];
    for (int more = 0; more < 2; more++) {
        const int n = blocks + more;
        fits[more] = v->shared <= card->block_shared &&
                     n * (v->shared + card->reserved) <= card->shared &&
                     n * threads <= card->threads && n <= card->blocks &&
                     n * threads * registers <= card->registers;
    }
    if (!blocks || !fits[0] || fits[1])
        fail_msg("%s, %s %d x %d: %d blocks of %d bytes and %d registers a thread are said to be "
                 "resident",
                 cards[c].name, kernel, v->tx, v->ty, blocks, v->shared, registers);
}

static void every_kernel_gets_a_shape_that_fits(void **unused)
{
    (void)unused;
    static const char *const name[AN_NTILED] = {"JST",      "Roe",         "matrix",
                                                "KEP",      "viscous",     "RANS JST",
                                                "RANS Roe", "RANS matrix", "RANS KEP"};
    static const int edges[][3] = {
        {256, 256, 256}, {24, 8, 56}, {8, 160, 40}, {64, 2, 300}, {1, 1, 1}};
    for (int c = 0; c < NCARDS; c++)
        for (int p = 0; p < 2; p++) {
            struct an_cuda_plan plan;
            plan_of_card(c, p ? AN_DOUBLE : AN_SINGLE, &plan);
            for (int k = 0; k < AN_NTILED; k++)
                for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
                    const struct an_fused_variant *variant;
                    const int *resident;
                    struct an_box box = {.block = 0};
                    memcpy(box.hi, edges[e], sizeof box.hi);
                    const int best = an_cuda_best_variant(&plan, (enum an_tiled)k, &box);
                    const int count = variants_of(&plan, k, &variant, &resident);
                    if (k >= AN_TILED_RANS && (!count || !resident[best]))
                        continue; /* two kernels take its place */
                    assert_in_range(best, 0, count - 1);
                    holds(c, name[k], &variant[best], resident[best]);
                    if (e == 0)
                        print_message("%-24s %s %-8s %2d x %2d, %6d bytes, %d blocks\n",
                                      cards[c].name, p ? "double" : "single", name[k],
                                      variant[best].tx, variant[best].ty, variant[best].shared,
                                      resident[best]);
                }
        }
}

/* The kernels for stored properties have one shape each: it must fit everywhere. */
static void kernels_of_one_shape_fit(void **unused)
{
    (void)unused;
    for (int c = 0; c < NCARDS; c++)
        for (int p = 0; p < 2; p++) {
            const struct an_cuda_kernels *k = p ? &an_emulated_f64 : &an_emulated_f32;
            const struct an_fused_kernels *const flux = k->stored->fused;
            const struct an_viscous_kernels *const viscous = k->stored->viscous;
            assert_int_equal(flux->nvariant, 1);
            assert_int_equal(viscous->nvariant, 1);
            holds(c, "flux of another gas", flux->variant,
                  blocks_of(&cards[c].card, flux->variant));
            holds(c, "viscous of another gas", viscous->variant,
                  blocks_of(&cards[c].card, viscous->variant));
        }
}

/* The numbers choose, not the name. */
static void the_name_does_not_matter(void **unused)
{
    (void)unused;
    struct an_cuda_plan plan, other;
    const struct an_fused_variant *variant;
    const int *resident;
    for (int p = 0; p < 2; p++) {
        const enum an_precision precision = p ? AN_DOUBLE : AN_SINGLE;
        plan_of_card(4, precision, &plan);
        plan_of_card(3, precision, &other); /* an H100 has the multiprocessors of an H200 */
        assert_memory_equal(&plan.times, &other.times, sizeof plan.times);
        assert_memory_equal(&plan.times, an_tile_table("NVIDIA H200", precision),
                            sizeof plan.times);
        plan_of_card(1, precision, &other);
        strcpy(other.device, "NVIDIA H200"); /* with the shared memory of an A40 */
        an_cuda_plan_times(&other, precision);
        int longer = 0;
        for (int k = 0; k < AN_NTILED; k++)
            for (int v = variants_of(&other, k, &variant, &resident) - 1; v >= 0; v--) {
                const int there = blocks_of(&cards[4].card, &variant[v]);
                const double ratio =
                    resident[v] && resident[v] < there ? (double)there / resident[v] : 1;
                const double off = other.times.of[k][v] - plan.times.of[k][v] * ratio;
                assert_true(off < 1e-9 && off > -1e-9);
                longer |= ratio > 1;
            }
        assert_true(longer);
    }
}

/* Counted by hand: 24 warps of 80 registers fill the registers, 2 x (49 + 1) KB an A40's shared memory. */
static void blocks_by_hand(void **unused)
{
    (void)unused;
    const struct an_cuda_card *a40 = &cards[1].card, *h200 = &cards[4].card;
    assert_int_equal(an_cuda_card_blocks(h200, 256, 80, 52384), 3);
    assert_int_equal(an_cuda_card_blocks(h200, 256, 81, 52384), 2);
    assert_int_equal(an_cuda_card_blocks(a40, 256, 80, 52384), 1);
    assert_int_equal(an_cuda_card_blocks(a40, 256, 80, 49 << 10), 2);
    assert_int_equal(an_cuda_card_blocks(a40, 256, 80, (49 << 10) + 1), 1);
    assert_int_equal(an_cuda_card_blocks(a40, 1024, 32, 0), 1);
    assert_int_equal(an_cuda_card_blocks(a40, 32, 16, 0), 16);
    assert_int_equal(an_cuda_card_blocks(a40, 32, 16, (99 << 10) + 1), 0);
    assert_int_equal(an_cuda_card_registers(256, 3), 80);
    assert_int_equal(an_cuda_card_registers(128, 1), 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_by_hand),
        cmocka_unit_test(every_kernel_gets_a_shape_that_fits),
        cmocka_unit_test(kernels_of_one_shape_fit),
        cmocka_unit_test(the_name_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
