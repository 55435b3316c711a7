// nvJitLink's C interface, declared here so that no CUDA header is needed, and loaded at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/system/dynamic_library.h"

namespace warplens {

struct NvJitLinkHandle;  // opaque, nvJitLink's own

// The names are plain symbols; NVIDIA's header maps them to versioned ones with the same signatures.
struct NvJitLink {
  static constexpr int success = 0;
  static constexpr int input_ptx = 2;

  int (*create)(NvJitLinkHandle**, uint32_t options, const char** option) = nullptr;
  int (*destroy)(NvJitLinkHandle**) = nullptr;
  int (*add_data)(NvJitLinkHandle*, int type, const void* data, size_t size, const char* name) = nullptr;
  int (*complete)(NvJitLinkHandle*) = nullptr;
  int (*cubin_size)(NvJitLinkHandle*, size_t*) = nullptr;
  int (*cubin)(NvJitLinkHandle*, void*) = nullptr;
  int (*error_log_size)(NvJitLinkHandle*, size_t*) = nullptr;
  int (*error_log)(NvJitLinkHandle*, char*) = nullptr;
  int (*info_log_size)(NvJitLinkHandle*, size_t*) = nullptr;
  int (*info_log)(NvJitLinkHandle*, char*) = nullptr;
  unsigned version_major = 0, version_minor = 0;
  std::string path;
};

// Whether this version can make code for sm_<number>. Ask before anything is passed to the library: 12.9
// corrupts its heap on architectures that it does not know.
bool knows_architecture(const NvJitLink& library, uint32_t number);

Result<NvJitLink> load_nvjitlink(const std::vector<std::string>& candidates);

}  // namespace warplens
