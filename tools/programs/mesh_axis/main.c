/* mesh_axis: a CGNS file whose machine turns about y or z, turned so that it turns about x.
 *
 *     --axis z   x <- z, y <- x, z <- y
 *     --axis y   x <- y, y <- z, z <- x
 *
 * Both are proper rotations that change no number, so the handedness of blocks and the direction of rotation along
 * the axis stay. Arrays whose names end with X, Y and Z (coordinates, and fields of a solution) change their names;
 * vectors of periodic and rotating coordinates, gravity and lists of normals change the order of their
 * components. All other nodes are copied.
 */
#include "io/output_file.h"

#include <argp.h>
#include <cgns_io.h>
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "mesh_axis 1";
static const char doc[] = "Turns a CGNS mesh whose machine turns about y or z, as AutoGrid writes "
                          "it, so that it turns about x, as Annulus "
                          "needs it. The coordinates keep their digits. Exit codes: 0 done, 1 the "
                          "machine failed, 2 bad input.";
static const struct argp_option options[] = {
    {"axis", 'a', "y|z", 0, "axis of the machine in FILE (z)", 0},
    {"output", 'o', "FILE", 0, "CGNS file to write", 0},
    {0, 0, 0, 0, 0, 0}};

struct job {
    const char *input, *output;
    int from[3]; /* old axis of the new x, y, z */
    int warned;  /* of another axis */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct job *j = state->input;
    switch (key) {
    case 'a':
        if (strcmp(arg, "y") != 0 && strcmp(arg, "z") != 0)
            argp_error(state, "--axis is '%s', but must be y or z", arg);
        for (int d = 0; d < 3; d++)
            j->from[d] = (d + (*arg == 'y' ? 1 : 2)) % 3;
        return 0;
    case 'o':
        j->output = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (j->input)
            argp_error(state, "one mesh at a time");
        j->input = arg;
        return 0;
    case ARGP_KEY_END:
        if (!j->input || !j->output)
            argp_error(state, "give a mesh and --output FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int copy_file(const struct job *j)
{
    static char block[1 << 20];
    FILE *in = fopen(j->input, "rb");
    if (!in) {
        fprintf(stderr, "%s: error: cannot be opened\n", j->input);
        return 2;
    }
    if (an_same_file(j->input, j->output)) {
        fprintf(stderr, "%s: error: is the mesh itself; give another --output\n", j->output);
        fclose(in);
        return 2;
    }
    FILE *out = fopen(j->output, "wb");
    size_t n = 0;
    int bad = !out;
    while (!bad && (n = fread(block, 1, sizeof block, in)) > 0)
        bad = fwrite(block, 1, n, out) != n;
    bad |= ferror(in) != 0;
    fclose(in);
    bad |= out && fclose(out) != 0;
    if (bad)
        fprintf(stderr, "%s: error: cannot be written\n", j->output);
    return bad;
}

/* ---- nodes ---- */

struct child {
    double id;
    char name[CGIO_MAX_NAME_LENGTH + 1], label[CGIO_MAX_LABEL_LENGTH + 1];
};

static int is_vector(const char *name)
{
    static const char *const known[] = {"RotationCenter",     "RotationAngle", "Translation",
                                        "RotationRateVector", "GravityVector", "InwardNormalList"};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (strcmp(name, known[n]) == 0)
            return 1;
    return 0;
}

/* Names of zones and boundaries may end with X, Y and Z, too. */
static int is_array(const struct child *c)
{
    return strcmp(c->label, "DataArray_t") == 0;
}

/* Groups of three numbers, each of `word` bytes. */
static void turn_numbers(const struct job *j, char *data, cglong_t groups, size_t word)
{
    char old[3 * 8];
    for (cglong_t g = 0; g < groups; g++, data += 3 * word) {
        memcpy(old, data, 3 * word);
        for (int d = 0; d < 3; d++)
            memcpy(data + (size_t)d * word, old + (size_t)j->from[d] * word, word);
    }
}

/* 1 + the axis of a rotation that is not about the axis that is turned; 0: it is, or there is none. */
static int turns_about_another(const struct job *j, const char *data, size_t word)
{
    int other = 0;
    for (int d = 0; d < 3; d++, data += word) {
        float single;
        double value;
        memcpy(&single, data, sizeof single);
        if (word == sizeof value)
            memcpy(&value, data, sizeof value);
        else
            value = single;
        if (value != 0 && d == j->from[0])
            return 0;
        other = value != 0 ? 1 + d : other;
    }
    return other;
}

static int turn_vector(struct job *j, int file, double id, const char *name)
{
    char type[CGIO_MAX_DATATYPE_LENGTH + 1];
    cglong_t bytes;
    if (cgio_get_data_type(file, id, type) || cgio_get_data_size(file, id, &bytes))
        return 1;
    const size_t word = strcmp(type, "R8") == 0 ? 8 : strcmp(type, "R4") == 0 ? 4 : 0;
    if (!word || bytes % (cglong_t)(3 * word))
        return 0; /* no vector of numbers */
    char *data = malloc((size_t)bytes + 1);
    int bad = !data || cgio_read_all_data(file, id, data);
    const int about = !bad && bytes == (cglong_t)(3 * word) && strncmp(name, "Rotation", 8) == 0 &&
                              strcmp(name, "RotationCenter") != 0
                          ? turns_about_another(j, data, word)
                          : 0;
    if (about && !j->warned++)
        fprintf(stderr, "%s: warning: '%s' turns about %c, not about %c: %s\n", j->input, name,
                'w' + about, 'x' + j->from[0],
                about == 1 ? "the mesh needs no turning" : "give the other --axis");
    if (!bad) {
        turn_numbers(j, data, bytes / (cglong_t)(3 * word), word);
        bad = cgio_write_all_data(file, id, data);
    }
    free(data);
    return bad;
}

/* Names that end with X, Y and Z of one beginning: x <- z means that the array Z becomes the array X. */
static int rename_three(const struct job *j, int file, double parent, struct child *list, int n,
                        int first)
{
    struct child *of[3] = {NULL};
    char name[CGIO_MAX_NAME_LENGTH + 1];
    const size_t length = strlen(list[first].name) - 1;
    for (int m = 0; m < n; m++)
        if (strlen(list[m].name) == length + 1 && is_array(&list[m]) &&
            strncmp(list[m].name, list[first].name, length) == 0 && list[m].name[length] >= 'X' &&
            list[m].name[length] <= 'Z')
            of[list[m].name[length] - 'X'] = &list[m];
    if (!of[0] || !of[1] || !of[2])
        return 0;
    for (int d = 0; d < 3; d++) {
        snprintf(name, sizeof name, "~%d", d);
        if (cgio_set_name(file, parent, of[d]->id, name))
            return 1;
    }
    for (int d = 0; d < 3; d++) {
        memcpy(name, of[0]->name, sizeof name);
        name[length] = (char)('X' + d);
        if (cgio_set_name(file, parent, of[j->from[d]]->id, name))
            return 1;
    }
    return 0;
}

static int turn_node(struct job *j, int file, double parent);

static int turn_children(struct job *j, int file, double parent, struct child *list, int n)
{
    int got, link, bad = 0;
    for (int m = 0; m < n && !bad; m++)
        bad = cgio_children_ids(file, parent, m + 1, 1, &got, &list[m].id) ||
              cgio_get_name(file, list[m].id, list[m].name) ||
              cgio_get_label(file, list[m].id, list[m].label);
    for (int m = 0; m < n && !bad; m++) {
        bad = cgio_is_link(file, list[m].id, &link);
        if (!bad && link > 0) {
            fprintf(stderr,
                    "%s: error: node '%s' is a link to another file; copy it into the mesh\n",
                    j->input, list[m].name);
            return 2;
        }
        if (!bad && is_vector(list[m].name))
            bad = turn_vector(j, file, list[m].id, list[m].name);
        bad = bad ? bad : turn_node(j, file, list[m].id);
    }
    for (int m = 0; m < n && !bad; m++) {
        const size_t length = strlen(list[m].name);
        if (length > 1 && list[m].name[length - 1] == 'X' && is_array(&list[m]))
            bad = rename_three(j, file, parent, list, n, m);
    }
    return bad;
}

/* 0, 1 where the library failed, 2 where the message is written. */
static int turn_node(struct job *j, int file, double parent)
{
    int n = 0;
    if (cgio_number_children(file, parent, &n))
        return 1;
    struct child *list = calloc((size_t)n + 1, sizeof *list);
    const int bad = list ? turn_children(j, file, parent, list, n) : 1;
    free(list);
    return bad;
}

int main(int argc, char **argv)
{
    struct job j = {.from = {2, 0, 1}};
    const struct argp parser = {options, parse, "MESH.cgns", doc, NULL, NULL, NULL};
    int file;
    double root;
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &j);
    int status = copy_file(&j);
    if (status)
        return status;
    cgio_error_abort(0);
    if (cgio_open_file(j.output, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &file)) {
        fprintf(stderr, "%s: error: is no CGNS file\n", j.input);
        unlink(j.output);
        an_leave_at_once(2);
    }
    int bad = cgio_get_root_id(file, &root) ? 1 : turn_node(&j, file, root);
    bad = cgio_close_file(file) && !bad ? 1 : bad;
    if (bad == 1) {
        char text[CGIO_MAX_ERROR_LENGTH + 1] = "";
        cgio_error_message(text);
        fprintf(stderr, "%s: error: cannot be turned: %s\n", j.input, text);
    }
    if (bad) {
        unlink(j.output);
        an_leave_at_once(bad);
    }
    printf("%s: the machine of %s turns about x now: x, y, z are its old %c, %c, %c\n", j.output,
           j.input, 'x' + j.from[0], 'x' + j.from[1], 'x' + j.from[2]);
    return 0;
}
