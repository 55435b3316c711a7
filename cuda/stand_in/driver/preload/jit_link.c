// A library under the name of NVIDIA's linker, loaded before all other libraries into the processes of a
// program (LD_PRELOAD). So it is small, and hands each call on to our driver, which is loaded with the first
// one. WARPLENS_LINKER is the variable with the path of NVIDIA's own.
#define _GNU_SOURCE
#include "cuda/stand_in/driver/linker/jit_link.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { internal_error = 6 };

static void* find(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver == NULL ? NULL : dlsym(driver, name);
}

#define TO_DRIVER(name, parameters, arguments)                                       \
  int nvJitLink##name parameters {                                                   \
    __typeof__(&warplens_nvJitLink##name) function =                                 \
        (__typeof__(&warplens_nvJitLink##name))find("warplens_nvJitLink" #name);     \
    return function == NULL ? internal_error : function arguments;                   \
  }

static const char* nvidia(void) {
  const char* path = getenv(WARPLENS_LINKER);
  return path == NULL ? "" : path;
}

TO_DRIVER(Version, (unsigned* major, unsigned* minor), (nvidia(), major, minor))
TO_DRIVER(Create, (void** link, uint32_t count, const char** options), (nvidia(), link, count, options))
TO_DRIVER(Destroy, (void** link), (link))
TO_DRIVER(AddData, (void* link, int type, const void* data, size_t size, const char* name),
          (link, type, data, size, name))
TO_DRIVER(AddFile, (void* link, int type, const char* path), (link, type, path))
TO_DRIVER(Complete, (void* link), (link))
TO_DRIVER(GetLinkedCubinSize, (void* link, size_t* size), (link, size))
TO_DRIVER(GetLinkedCubin, (void* link, void* cubin), (link, cubin))
TO_DRIVER(GetLinkedPtxSize, (void* link, size_t* size), (link, size))
TO_DRIVER(GetLinkedPtx, (void* link, char* ptx), (link, ptx))
TO_DRIVER(GetErrorLogSize, (void* link, size_t* size), (link, size))
TO_DRIVER(GetErrorLog, (void* link, char* log), (link, log))
TO_DRIVER(GetInfoLogSize, (void* link, size_t* size), (link, size))
TO_DRIVER(GetInfoLog, (void* link, char* log), (link, log))
