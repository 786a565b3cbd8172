/* Faults on purpose, loaded before the program (LD_PRELOAD): tools/dev/faults explains the kinds.
 *
 *   AN_FAULT        KIND:N: the N-th call of this kind fails, and all later ones where the kind lasts
 *   AN_FAULT_PATH   only calls on files whose path holds this text count
 *   AN_FAULT_SIGNAL number of the signal that write, open and rename raise in place of a fault
 *   AN_FAULT_COUNT  a file that gets the number of calls of the kind, when the program ends
 *   AN_FAULT_EXCEPT code of the program whose allocations do not fail: "from-to", addresses in its file
 *   AN_FAULT_RANK   only this rank of an MPI job (Open MPI's variable)
 *
 *   full    writes find no room from the N-th on, as on a full disk; reservations of room, too
 *   write   one write fails with an error of the device, or the signal comes before it
 *   short   every N-th read and write moves half of its bytes: no fault, the program goes on
 *   sync    fsync fails once
 *   rename  rename fails once, or the signal comes before it
 *   open    a file cannot be opened for writing, or the signal comes when it is opened at all
 *   memory  one malloc, calloc or realloc of the program itself returns NULL; those of libraries do not
 *   device  one allocation on the GPU, or of page-locked host memory, fails: the CUDA driver says that
 *           memory is short
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char kind[16];
static long at = -1, calls;
static const char *path_part = "";
static int number;
static uintptr_t text_from, text_to;     /* of the program */
static uintptr_t except_from, except_to; /* of a library that is linked into it */

static int of_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[n];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
            text_from = info->dlpi_addr + p->p_vaddr;
            text_to = text_from + p->p_memsz;
        }
    }
    const char *except = getenv("AN_FAULT_EXCEPT");
    if (except && sscanf(except, "%" SCNxPTR "-%" SCNxPTR, &except_from, &except_to) == 2) {
        except_from += info->dlpi_addr;
        except_to += info->dlpi_addr;
    }
    return 1; /* the program is the first */
}

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("AN_FAULT"), *rank = getenv("AN_FAULT_RANK");
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    const char *colon = fault ? strchr(fault, ':') : NULL;
    /* programs that the run starts are left alone, and so are other ranks */
    if (!colon || !strstr(program_invocation_short_name, "annulus") ||
        (rank && own && strcmp(rank, own) != 0))
        return;
    dl_iterate_phdr(of_program, NULL);
    path_part = getenv("AN_FAULT_PATH") ? getenv("AN_FAULT_PATH") : "";
    number = getenv("AN_FAULT_SIGNAL") ? atoi(getenv("AN_FAULT_SIGNAL")) : 0;
    at = strtol(colon + 1, NULL, 10);
    snprintf(kind, sizeof kind, "%.*s", (int)(colon - fault), fault);
}

__attribute__((destructor)) static void end(void)
{
    const char *count = getenv("AN_FAULT_COUNT");
    const int fd = *kind && count ? open(count, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0) {
        dprintf(fd, "%ld\n", calls);
        close(fd);
    }
}

static int is(const char *name)
{
    return *kind && strcmp(kind, name) == 0;
}

static int fits(const char *path)
{
    return path && strstr(path, path_part) != NULL;
}

static int fits_fd(int fd)
{
    char link[40], path[600] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, path, sizeof path - 1) > 0 && *path == '/' && fits(path);
}

/* Counts a call; is it the one? */
static int hit(void)
{
    return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == at;
}

/* The signal, where one is wanted; else the fault. */
static int raised(void)
{
    if (number)
        kill(getpid(), number);
    return number != 0;
}

/* Does this write fail? errno is set then. */
static int no_room(int fd)
{
    if ((!is("full") && !is("write")) || !fits_fd(fd))
        return 0;
    const int now = hit();
    if ((is("full") ? calls < at || at < 1 : !now) || (now && raised()))
        return 0;
    errno = is("full") ? ENOSPC : EIO;
    return 1;
}

static size_t part(int fd, size_t bytes)
{
    return is("short") && bytes > 1 && fits_fd(fd) && at > 0 &&
                   __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % at == 0
               ? bytes / 2
               : bytes;
}

#define NEXT(name, type, ...)         \
    static type (*next)(__VA_ARGS__); \
    if (!next)                        \
    *(void **)(&next) = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *from, size_t bytes)
{
    NEXT(write, ssize_t, int, const void *, size_t);
    return no_room(fd) ? -1 : next(fd, from, part(fd, bytes));
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
    NEXT(pwrite, ssize_t, int, const void *, size_t, off_t);
    return no_room(fd) ? -1 : next(fd, from, part(fd, bytes), offset);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t offset)
{
    NEXT(pwrite64, ssize_t, int, const void *, size_t, off_t);
    return no_room(fd) ? -1 : next(fd, from, part(fd, bytes), offset);
}

ssize_t writev(int fd, const struct iovec *from, int n)
{
    NEXT(writev, ssize_t, int, const struct iovec *, int);
    return no_room(fd) ? -1 : next(fd, from, n);
}

ssize_t pwritev(int fd, const struct iovec *from, int n, off_t offset)
{
    NEXT(pwritev, ssize_t, int, const struct iovec *, int, off_t);
    return no_room(fd) ? -1 : next(fd, from, n, offset);
}

ssize_t read(int fd, void *to, size_t bytes)
{
    NEXT(read, ssize_t, int, void *, size_t);
    return next(fd, to, part(fd, bytes));
}

ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
    NEXT(pread, ssize_t, int, void *, size_t, off_t);
    return next(fd, to, part(fd, bytes), offset);
}

ssize_t pread64(int fd, void *to, size_t bytes, off_t offset)
{
    NEXT(pread64, ssize_t, int, void *, size_t, off_t);
    return next(fd, to, part(fd, bytes), offset);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
    NEXT(fallocate, int, int, int, off_t, off_t);
    return no_room(fd) ? -1 : next(fd, mode, offset, bytes);
}

/* Streams write inside the C library, where nothing can stand before them: their flushes fail. */
int fflush(FILE *f)
{
    NEXT(fflush, int, FILE *);
    return f && no_room(fileno(f)) ? EOF : next(f);
}

int fclose(FILE *f)
{
    NEXT(fclose, int, FILE *);
    const int fails = no_room(fileno(f)), error = errno, result = next(f);
    if (!fails)
        return result;
    errno = error;
    return EOF;
}

int fsync(int fd)
{
    NEXT(fsync, int, int);
    if (!is("sync") || !fits_fd(fd) || !hit())
        return next(fd);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    NEXT(rename, int, const char *, const char *);
    if (!is("rename") || !fits(to) || !hit() || raised())
        return next(from, to);
    errno = EIO;
    return -1;
}

/* Does opening fail? */
static int closed(const char *path, int flags)
{
    if (!is("open") || !fits(path) || (!number && (flags & O_ACCMODE) == O_RDONLY) || !hit() ||
        raised())
        return 0;
    errno = ENOSPC;
    return 1;
}

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                                                 \
    int name(const char *path, int flags, ...)                     \
    {                                                              \
        NEXT(name, int, const char *, int, ...);                   \
        va_list more;                                              \
        va_start(more, flags);                                     \
        const mode_t mode = mode_of(flags, more);                  \
        va_end(more);                                              \
        return closed(path, flags) ? -1 : next(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                        \
    FILE *name(const char *path, const char *mode)                                         \
    {                                                                                      \
        NEXT(name, FILE *, const char *, const char *);                                    \
        return closed(path, *mode == 'r' ? O_RDONLY : O_WRONLY) ? NULL : next(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

/* ---- memory: the functions behind malloc have names of their own in glibc */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static int no_memory(const void *caller)
{
    const uintptr_t from = (uintptr_t)caller;
    if (*kind != 'm' || from < text_from || from >= text_to ||
        (from >= except_from && from < except_to) || !hit())
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(old, bytes);
}

/* ---- memory of the GPU: the CUDA runtime is linked into the program and asks the driver's library for
 * its functions by name, so it is given others */
enum { CUDA_OUT_OF_MEMORY = 2 };

static int (*driver_alloc)(unsigned long long *, size_t);
static int (*driver_alloc_host)(void **, size_t, unsigned);
static int (*driver_function)(const char *, void **, int, unsigned long long, void *);

static int device_memory(unsigned long long *p, size_t bytes)
{
    return is("device") && hit() ? CUDA_OUT_OF_MEMORY : driver_alloc(p, bytes);
}

static int locked_memory(void **p, size_t bytes, unsigned flags)
{
    return is("device") && hit() ? CUDA_OUT_OF_MEMORY : driver_alloc_host(p, bytes, flags);
}

static int find_function(const char *name, void **found, int version, unsigned long long flags,
                         void *result);

/* What the program gets in place of a function of the driver. */
static void *in_place_of(const char *name, void *function)
{
    if (!function)
        return NULL;
    if (strcmp(name, "cuMemAlloc") == 0 || strcmp(name, "cuMemAlloc_v2") == 0) {
        *(void **)&driver_alloc = function;
        return (void *)device_memory;
    }
    if (strcmp(name, "cuMemHostAlloc") == 0) {
        *(void **)&driver_alloc_host = function;
        return (void *)locked_memory;
    }
    if (strcmp(name, "cuGetProcAddress_v2") == 0) {
        *(void **)&driver_function = function;
        return (void *)find_function;
    }
    return function;
}

static int find_function(const char *name, void **found, int version, unsigned long long flags,
                         void *result)
{
    const int status = driver_function(name, found, version, flags, result);
    if (status == 0 && found)
        *found =
            in_place_of(strcmp(name, "cuGetProcAddress") ? name : "cuGetProcAddress_v2", *found);
    return status;
}

/* The C library has two names for its own function; it looks at its caller's address only for RTLD_NEXT,
 * which the program does not use. */
void *dlsym(void *from, const char *name)
{
    static void *(*next)(void *, const char *);
    if (!next && !(*(void **)&next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34")))
        *(void **)&next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (is("device") && strncmp(name, "cu", 2) == 0)
        return in_place_of(name, next(from, name));
    return next(from, name);
}
