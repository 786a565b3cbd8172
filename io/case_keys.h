/* The table of keys of the case file, and what is done with one key and one value. Internal to
 * io/case*.c; everyone else includes io/case.h.
 *
 * A key is (section, name): "" for the top level, "march", ..., and AN_SECTION_BOUNDARY for the
 * keys beneath boundaries.NAME, which repeat for every boundary; rows.NAME likewise. Rows are in
 * the order of the echo.
 */
#ifndef AN_IO_CASE_KEYS_H
#define AN_IO_CASE_KEYS_H

#include "io/case.h"
#include "io/case_yaml.h"

#define AN_SECTION_BOUNDARY   "boundaries.NAME"
#define AN_SECTION_ROW        "rows.NAME"
#define AN_SECTION_SCALAR     "scalars.NAME"
#define AN_SECTION_LEAKAGE    "leakages.NAME"
#define AN_SECTION_SOLID      "solids.NAME"
#define AN_SECTION_SOLID_WALL "solid_walls.NAME"
#define AN_SECTION_PROBE      "probes.NAME"
/* Keys of named things other than boundaries have these in place of a boundary type. */
enum {
    AN_KEY_ROW = AN_BC_NTYPE,
    AN_KEY_SCALAR,
    AN_KEY_LEAKAGE,
    AN_KEY_SOLID,
    AN_KEY_SOLID_WALL,
    AN_KEY_PROBE
};

enum an_key_type {
    AN_KEY_NUMBER,  /* double */
    AN_KEY_INTEGER, /* int */
    AN_KEY_BOOLEAN, /* int 0, 1 */
    AN_KEY_TEXT,    /* char[size] */
    AN_KEY_PATH,    /* char[size], relative to the folder of the case file */
    AN_KEY_CHOICE,  /* enum (as int) */
    AN_KEY_VECTOR,  /* double[3] */
    AN_KEY_FIELDS,  /* an_case.output.field and .nfield */
    AN_KEY_NAMES,   /* struct an_case_names */
    AN_KEY_NUMBERS  /* struct an_case_numbers */
};

enum an_key_flag {
    AN_KEY_REQUIRED = 1,
    AN_KEY_ANSWER = 2,                /* changes the answer: goes into an_case.hash */
    AN_KEY_ABOVE_MIN = 4,             /* min itself is out of range */
    AN_KEY_DIRECTION = 8,             /* vector: normalised after reading, must not be zero */
    AN_KEY_IF_VELOCITY = 16,          /* echoed only when the state was given by its velocity, */
    AN_KEY_IF_MACH = 32,              /* only when by Mach number and direction, */
    AN_KEY_IF_CFL = 64,               /* only when the time step follows from the CFL number, */
    AN_KEY_IF_TURBULENT = 128,        /* only with a turbulence model that has variables, */
    AN_KEY_IF_SA = 512,               /* with that model, */
    AN_KEY_IF_TRANSITION = 8388608,   /* with a model of transition, */
    AN_KEY_IF_GAMMA_MODEL = 33554432, /* with that which transports an intermittency, */
    AN_KEY_IF_SST = 67108864,         /* with sst, */
    AN_KEY_IF_INTENSITY = 1024,       /* with sst or a model of transition, */
    AN_KEY_IF_DES = 134217728,        /* with detached-eddy simulation, */
    AN_KEY_IF_MIXING = 2048,          /* with the mixing length, */
    AN_KEY_IF_SMOOTHED = 4096,        /* with residual smoothing, */
    AN_KEY_IF_STEADY = 524288,        /* in implicit steady marches, */
    AN_KEY_IF_VISCOUS = 256,          /* only in viscous flow, */
    AN_KEY_IF_OMEGA = 8192,           /* only where the wall's rotation was given */
    AN_KEY_IF_GIVEN = 65536,   /* only where the text is not empty, the number or vector not zero */
    AN_KEY_IF_CP = 131072,     /* only where cp(T) was given, */
    AN_KEY_IF_GAMMA = 262144,  /* only where neither it nor a table was, */
    AN_KEY_IF_LAW = 536870912, /* only where no table was */
    AN_KEY_ALIAS = 16384,      /* goes into another key, which is echoed */

    AN_KEY_IF_CATALYST = 32768,   /* only with output.catalyst, */
    AN_KEY_IF_MODES = 268435456,  /* only with output.modes, */
    AN_KEY_IF_SCALARS = 1048576,  /* only with passive scalars */
    AN_KEY_IF_DUAL = 4194304,     /* only in dual marches */
    AN_KEY_IF_PATTERN = 16777216, /* only with an initial pattern */
    AN_KEY_OR_REFERENCE =
        2097152 /* required unless the reference gives a state, or rows and an inlet do */
};

/* What reading needs to know everywhere. */
struct an_case_reader {
    struct an_case *c;
    struct an_diag *diag;
    const char *file;
    int has_inlet; /* 1: rows and an inlet give the state that `initial` leaves out */
};

struct an_choice {
    const char *name;
    int value;
};

struct an_key {
    const char *section, *name;
    enum an_key_type type;
    unsigned flags;
    unsigned bc;   /* boundary keys: bit (1u << an_bc_type) for each type that has the key; rows:
                      1u << AN_KEY_ROW */
    size_t offset; /* in an_case; boundary keys: in an_case_boundary; rows: in an_case_row */
    size_t size;   /* of a text */
    const char *unit;
    double min, max;                /* numbers and integers, infinite: no limit */
    const struct an_choice *choice; /* ends with a NULL name; NULL: boundary types */
    const char *standard;           /* the default as YAML text; NULL: none */
    const char *standard_help;      /* what to call the default in the help; NULL: `standard`. What
                                       depends on other keys is said in case_default.c */
    const char *help;
};

struct an_section {
    const char *name, *help;
};

extern const struct an_key an_case_keys[]; /* ends with a NULL section */
extern const struct an_section an_case_sections[];
const struct an_section *an_case_section_find(const char *name); /* NULL: none */
#define AN_CASE_NKEY 288 /* at least the number of rows (asserted) */

/* A section whose keys repeat for every name beneath it, boundaries excepted. */
struct an_named {
    const char *section, *prefix; /* "rows.NAME", "rows" */
    int bit;                      /* its keys have 1u << bit in an_key.bc */
    size_t list, count;           /* in an_case: offsets of the array and of its length */
    size_t size, line; /* of an element, which begins with its name[AN_NAME]; offset of the
                                     line of the case file in it */
};
extern const struct an_named an_case_named[]; /* ends with a NULL section */
int an_named_count(const struct an_named *n, const struct an_case *c);
void *an_named_at(const struct an_named *n, const struct an_case *c, int i);
/* Does the key belong to elements of n, and is it part of the effective case? */
int an_key_applies_named(const struct an_key *key, const struct an_named *n, const void *element);
/* The section beneath which names stand: "rows.NAME" for "rows", "boundaries.NAME" for
 * "boundaries"; NULL for others. */
const char *an_section_of_names(const char *prefix);

/* The row of section.name; -1: none. bc < 0: the first of that name, else the one of that type. */
int an_key_find(const char *section, const char *name, int bc);
/* "march.cfl", "boundaries.NAME.p0": how a key is called in text. */
void an_key_path(const struct an_key *key, char *buf, size_t size);
/* The unit of a key's numbers, "" if they have none. That of map.values follows from map.vary; c NULL: "Pa or kg/s". A list of
 * several quantities has "Pa, K". */
#define AN_UNIT_OF_SETTINGS "Pa or kg/s"
const char *an_key_unit(const struct an_key *key, const struct an_case *c);
/* "> 0 and <= 1", "" when anything goes. */
void an_key_range(const struct an_key *key, char *buf, size_t size);
/* Choices of a key: calls the i-th (0, 1, ...) name and value; 0 past the end. */
int an_key_choice(const struct an_key *key, int i, const char **name, int *value);
/* The choices that can be used in this version, "a, b, c" with `between` = ", ". */
void an_key_choices(const struct an_key *key, const char *between, char *buf, size_t size);
/* Keeps the nearest of the words offered so far; `best` stays NULL when none is near enough. */
struct an_nearest {
    const char *word, *best;
    int distance;
};
void an_nearest_init(struct an_nearest *n, const char *word);
void an_nearest_offer(struct an_nearest *n, const char *candidate);
/* For an unknown key of `section`: the path of the nearest, beside it or anywhere, "" when none. */
void an_key_nearest(const char *section, const char *name, char *buf, size_t size);

/* Reports a fault of the user at a place of the case file or of a --set. */
void an_case_fault(struct an_case_reader *r, const struct an_origin *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a node into the key's place in `base`; `path` is what to call it. Faults go to diag; the
 * value is left alone then. Returns 1 when the value was taken. */
int an_key_read(struct an_case_reader *r, const struct an_key *key, const char *path,
                const struct an_node *node, void *base);
/* The number of a node with its unit, in the unit of the key, without a message: 0 where there is no node or it is none. */
int an_key_number(const struct an_key *key, const struct an_case *c, const struct an_node *node,
                  double *x);
/* The default of a key. Defaults are part of the program: a bad one is an assertion. */
void an_key_standard(struct an_case_reader *r, const struct an_key *key, void *base);
/* Sets the keys whose default depends on others and that were not given: given[row], as above. */
/* The gas: before anything that needs it; what goes with a table, at the end; its memory. */
void an_case_gas_set(struct an_case_reader *r, const struct an_origin *const *given);
void an_case_gas_check(struct an_case_reader *r, const struct an_origin *const *given);
void an_case_gas_free(struct an_case *c);
void an_case_defaults(struct an_case_reader *r, const struct an_origin *const *given);
/* The default of a key in words, "2.5; 1000 if implicit"; 0: it has none. */
int an_key_default(const struct an_key *key, char *buf, size_t size);
/* Writes the value as YAML. absolute: paths begin at the root of the file system. */
void an_key_write(const struct an_key *key, const void *base, int absolute, FILE *out);
/* Is the key part of the effective case? Boundary keys depend on the type, CFL keys on
 * march.time_step, turbulence keys on the model, velocity and Mach number on which of them was
 * given. b: NULL outside boundaries. */
int an_key_applies(const struct an_key *key, const struct an_case *c,
                   const struct an_case_boundary *b);

/* Puts the value of "path=value" into the tree of the case file, faults to diag. */
void an_case_set(struct an_case_reader *r, struct an_node *root, const char *set);
/* After all --set: takes keys of the steady march out of the tree where --set made the case unsteady. */
void an_case_make_unsteady(struct an_case_reader *r, struct an_node *root);

/* Faults that concern more than one key. given[row]: where the key stands, NULL: default. */
void an_case_check(struct an_case_reader *r, const struct an_origin **given,
                   const struct an_origin *at);
/* The keys of the dual method. */
void an_case_check_dual(struct an_case_reader *r, const struct an_origin *const *given,
                        const struct an_origin *at);
void an_case_check_boundary(struct an_case_reader *r, struct an_case_boundary *b,
                            const struct an_origin *const *given, const struct an_origin *at);

/* Faults of the reference; what it gives becomes its state, and that of `initial` where that is not
 * given. Called once the gas is known; what is taken from the reference counts as given at `at`. */
void an_case_reference(struct an_case_reader *r, const struct an_origin **given,
                       const struct an_origin *at);
/* The same for the state of a boundary. */
void an_case_reference_boundary(struct an_case_reader *r, struct an_case_boundary *b,
                                const struct an_origin **given, const struct an_origin *at);

/* Faults of an element of a section of names. */
void an_case_check_named(struct an_case_reader *r, const struct an_named *named, void *element,
                         const struct an_origin *const *given, const struct an_origin *at);

uint64_t an_case_hash(const struct an_case *c);

#endif
