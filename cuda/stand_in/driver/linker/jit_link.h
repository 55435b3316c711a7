// The replacement for NVIDIA's linker nvJitLink in programs. The library under its name
// (cuda/stand_in/driver/preload/jit_link.c) calls these functions of our driver. They link PTX, not machine
// code. LTO-IR is made PTX by NVIDIA's own nvJitLink, which the Python environment or a toolkit has. The
// types are C's, as in NVIDIA's header, which set-up does not bring.
#pragma once

// C reads it, too.
#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

// `nvidia` is the path of NVIDIA's library. The others are NVIDIA's functions with a prefix.
int warplens_nvJitLinkVersion(const char* nvidia, unsigned* major, unsigned* minor);
int warplens_nvJitLinkCreate(const char* nvidia, void** link, uint32_t count, const char** options);
int warplens_nvJitLinkDestroy(void** link);
int warplens_nvJitLinkAddData(void* link, int type, const void* data, size_t size, const char* name);
int warplens_nvJitLinkAddFile(void* link, int type, const char* path);
int warplens_nvJitLinkComplete(void* link);
int warplens_nvJitLinkGetLinkedCubinSize(void* link, size_t* size);
int warplens_nvJitLinkGetLinkedCubin(void* link, void* cubin);
int warplens_nvJitLinkGetLinkedPtxSize(void* link, size_t* size);
int warplens_nvJitLinkGetLinkedPtx(void* link, char* ptx);
int warplens_nvJitLinkGetErrorLogSize(void* link, size_t* size);
int warplens_nvJitLinkGetErrorLog(void* link, char* log);
int warplens_nvJitLinkGetInfoLogSize(void* link, size_t* size);
int warplens_nvJitLinkGetInfoLog(void* link, char* log);

#ifdef __cplusplus
}
#endif
