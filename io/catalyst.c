#include "io/catalyst.h"

#include "kernels/base/error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* *to gets the address of a function; the name of the first that is missing goes to *missing. */
static void find(void *library, const char *name, void *to, const char **missing)
{
    void *p = dlsym(library, name);
    memcpy(to, &p, sizeof p);
    if (!p && !*missing)
        *missing = name;
}

int an_catalyst_load(const char *library, struct an_catalyst *to)
{
    const char *missing = NULL;
    void *l = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const char *why = l ? NULL : dlerror();
    AN_CHECK(l, AN_INPUT,
             "'output.catalyst' needs the library %s of ParaView Catalyst 2, which cannot be "
             "loaded: %s. "
             "Name its folder in LD_LIBRARY_PATH, or the file itself in 'output.catalyst_library'",
             library, why ? why : "no reason given");
    find(l, "catalyst_initialize", &to->initialize, &missing);
    find(l, "catalyst_execute", &to->execute, &missing);
    find(l, "catalyst_finalize", &to->finalize, &missing);
    find(l, "catalyst_about", &to->about, &missing);
    find(l, "catalyst_conduit_node_create", &to->create, &missing);
    find(l, "catalyst_conduit_node_destroy", &to->destroy, &missing);
    find(l, "catalyst_conduit_node_has_path", &to->has_path, &missing);
    find(l, "catalyst_conduit_node_fetch_path_as_char8_str", &to->fetch_text, &missing);
    find(l, "catalyst_conduit_node_set_path_char8_str", &to->set_text, &missing);
    find(l, "catalyst_conduit_node_set_path_int64", &to->set_int64, &missing);
    find(l, "catalyst_conduit_node_set_path_float64", &to->set_float64, &missing);
    find(l, "catalyst_conduit_node_set_path_external_int64_ptr", &to->set_external_int64, &missing);
    find(l, "catalyst_conduit_node_set_path_external_float32_ptr", &to->set_external_float32,
         &missing);
    find(l, "catalyst_conduit_node_set_path_external_float64_ptr", &to->set_external_float64,
         &missing);
    AN_CHECK(!missing, AN_INPUT,
             "'output.catalyst': %s is not ParaView Catalyst 2: it has no function %s", library,
             missing);
    return AN_OK;
}

const char *an_catalyst_status(int status)
{
    static const char *const text[] = {"no error",
                                       "no implementation was loaded",
                                       "an implementation is loaded already",
                                       "the library of the implementation was not found: "
                                       "CATALYST_IMPLEMENTATION_PATHS names its folder, "
                                       "such as ParaView's lib/catalyst",
                                       "the library of the implementation is not one of Catalyst",
                                       "the library of the implementation lacks functions",
                                       "the implementation has another version of the interface"};
    return status >= 0 && (size_t)status < sizeof text / sizeof *text
               ? text[status]
               : "the implementation refused it";
}
