#include "core/compile/found.h"

#include <fmt/format.h>

#include "core/compile/locations.h"
#include "core/compile/nvjitlink.h"
#include "core/compile/nvrtc.h"

namespace warplens {

Result<FoundTool> find_compiler() {
  const Result<Nvrtc> nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  int major = 0, minor = 0;
  if (nvrtc->version(&major, &minor) != Nvrtc::success)
    return missing(nvrtc->path + " does not tell its version, so it is not used.");
  return FoundTool{fmt::format("{}.{}", major, minor), nvrtc->path};
}

Result<FoundTool> find_assembler() {
  const Result<NvJitLink> library = load_nvjitlink(nvjitlink_candidates());
  if (!library) return library.error();
  return FoundTool{fmt::format("{}.{}", library->version_major, library->version_minor), library->path};
}

}  // namespace warplens
