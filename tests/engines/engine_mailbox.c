/* What an engine sends through a mailbox to itself. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"
#include "kernels/engine/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* W to WN: the pieces of fixture_pieces(), and cell by cell a plane of block 0, which is more chunks than
 * may wait by themselves. */
struct post {
    int n[2];
    struct an_copy *copy[2]; /* owned */
};

static struct post post_new(const struct engine_case *x)
{
    const struct an_block *b = &x->layout.block[0];
    struct post post = {{2, b->n[0] * b->n[1]}, {NULL, NULL}};
    for (int l = 0; l < 2; l++)
        post.copy[l] = fixture_need(malloc((size_t)post.n[l] * sizeof *post.copy[l]));
    fixture_pieces(x, post.copy[0]);
    for (int m = 0; m < post.n[1]; m++) {
        const int64_t at = an_element(b, m % b->n[0], m / b->n[0], 0);
        post.copy[1][m] = (struct an_copy){.src = at, .dst = at, .n = {1, 1, 1}, .rotation = -1};
    }
    return post;
}

/* The two ways of each list through a mailbox, one element after the other. */
struct ways {
    struct an_copies *direct[2], *in[2], *out[2];
    int64_t elements;
};

static int ways_new(struct an_engine *e, const struct post *post, struct ways *w)
{
    for (int l = 0; l < 2; l++) {
        struct an_copy *in = fixture_need(malloc(2 * (size_t)post->n[l] * sizeof *in));
        struct an_copy *const out = in + post->n[l];
        for (int m = 0; m < post->n[l]; m++) {
            const struct an_copy *c = &post->copy[l][m];
            const int64_t packed[3] = {1, c->n[0], (int64_t)c->n[0] * c->n[1]};
            in[m] = out[m] = *c;
            in[m].rotation = -1; /* who receives turns */
            in[m].dst = out[m].src = w->elements;
            memcpy(in[m].dst_stride, packed, sizeof packed);
            memcpy(out[m].src_stride, packed, sizeof packed);
            w->elements += packed[2] * c->n[2];
        }
        static const double turn[1][9] = {{1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
        int status = e->op->copies_new(e, post->n[l], post->copy[l], 1, turn, &w->direct[l]);
        if (!status)
            status = e->op->copies_new(e, post->n[l], in, 1, turn, &w->in[l]);
        if (!status)
            status = e->op->copies_new(e, post->n[l], out, 1, turn, &w->out[l]);
        free(in);
        AN_TRY(status);
    }
    return AN_OK;
}

/* One exchange, to oneself. */
static int exchange(struct an_engine *e, struct an_peer_door *door, const struct ways *w, void *box,
                    const struct an_fields *f, int64_t cs)
{
    for (int l = 0; l < 4; l++) {
        const int receive = l / 2, list = l % 2;
        const struct an_peer_move move = {.copies = receive ? w->out[list] : w->in[list],
                                          .field = f->at[receive ? AN_F_WN : AN_F_W],
                                          .field_component = cs,
                                          .box = (char *)box + an_peer_head(1),
                                          .box_component = w->elements,
                                          .half = 5 * w->elements,
                                          .ncomp = 5,
                                          .vector = receive,
                                          .first = list == 0,
                                          .last = list == 1};
        AN_TRY((receive ? e->peer->receive : e->peer->send)(e, door, &move, 0));
    }
    return AN_OK;
}

int fixture_mailbox(const struct engine_case *x, struct an_engine *e)
{
    struct post post = post_new(x);
    for (int m = 0; m < 2; m++)
        post.copy[0][m].rotation = post.copy[0][m].rotation < 0 ? -1 : 0;
    struct ways w = {.elements = 0};
    struct an_fields f;
    struct an_peer_door *door = NULL;
    struct an_peer_handle handle;
    void *box = NULL;
    struct image through = image_copy(x, &x->start), direct = image_copy(x, &x->start);
    const int64_t cs = x->layout.ncell;
    const size_t bytes = x->bytes[AN_F_WN];
    const int flag = 0;
    int status = AN_OK;
    TRY(fixture_memory(x, e, &f));
    TRY(ways_new(e, &post, &w));
    TRY(e->op->upload(e, f.at[AN_F_W], x->start.at[AN_F_W], bytes, 0));
    TRY(e->op->upload(e, f.at[AN_F_W0], x->start.at[AN_F_W0], bytes, 0));
    TRY(e->peer->box_new(e, an_peer_head(1) + 10 * (size_t)w.elements * (size_t)e->precision, &box,
                         &handle));
    TRY(e->peer->door_new(e, box, 1, (void *const[1]){box}, &flag, &door));
    for (int n = 0; n < 3; n++) { /* both halves, and one again; of something else each time */
        struct an_fields used = f;
        used.at[AN_F_W] = f.at[n == 1 ? AN_F_W0 : AN_F_W];
        TRY(e->op->upload(e, f.at[AN_F_WN], x->start.at[AN_F_WN], bytes, 0));
        for (int l = 0; l < 2; l++)
            TRY(e->op->copies(e, w.direct[l], used.at[AN_F_WN], cs, used.at[AN_F_W], cs, 5, 1, 0));
        TRY(e->op->download(e, direct.at[AN_F_WN], f.at[AN_F_WN], bytes, 0));
        TRY(e->op->upload(e, f.at[AN_F_WN], x->start.at[AN_F_WN], bytes, 0));
        TRY(exchange(e, door, &w, box, &used, cs));
        TRY(e->op->download(e, through.at[AN_F_WN], f.at[AN_F_WN], bytes, 0));
        TRY(e->op->sync(e, 0));
        TRY(e->peer->lost(e, door) < 0 ? AN_OK : an_error_set(AN_FAIL, "a flag was not raised"));
        TRY(image_same(x, &through, &direct, -1) && !image_same(x, &through, &x->start, -1)
                ? AN_OK
                : an_error_set(AN_FAIL, "a mailbox brings something else"));
    }
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    if (door)
        e->peer->door_free(e, door);
    if (box)
        e->peer->box_free(e, box);
    for (int l = 0; l < 2; l++) {
        e->op->copies_free(e, w.direct[l]);
        e->op->copies_free(e, w.in[l]);
        e->op->copies_free(e, w.out[l]);
        free(post.copy[l]);
    }
    image_free(&through);
    image_free(&direct);
    return status;
}
