#include "core/compile/nvrtc.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/compile/locations.h"

namespace warplens {

namespace {

template <class Function>
void bind(const DynamicLibrary& library, const char* name, Function*& function) {
  function = library.function<Function>(name);
}

// NVRTC loads its second library by its bare name. That works only if the loader knows that NVRTC is the
// caller, which fails with AddressSanitizer. If it was loaded from NVRTC's own folder before, it is always
// found.
void load_builtins_beside(const Nvrtc& nvrtc) {
  int major = 0, minor = 0;
  const std::filesystem::path folder = std::filesystem::path(nvrtc.path).parent_path();
  if (folder.empty() || nvrtc.version(&major, &minor) != Nvrtc::success) return;
  const auto name = fmt::format("libnvrtc-builtins.so.{}.{}", major, minor);
  // If it does not load, NVRTC itself reports what is missing.
  [[maybe_unused]] const bool loaded = DynamicLibrary::open((folder / name).string()).ok();
}

}  // namespace

Result<Nvrtc> load_nvrtc(const std::string& path) {
  auto library = DynamicLibrary::open_first(path.empty() ? nvrtc_candidates() : std::vector{path});
  if (!library)
    return missing(fmt::format(
        "CUDA's compiler (NVRTC) is not on this machine, so CUDA C++ cannot be compiled; built-in "
        "kernels and PTX files still run. Run warplens fetch to bring it, or point WARPLENS_NVRTC at "
        "libnvrtc.so.12. ({})",
        library.error().message));
  Nvrtc nvrtc;
  nvrtc.path = library->path();
  bind(*library, "nvrtcVersion", nvrtc.version);
  bind(*library, "nvrtcGetErrorString", nvrtc.error_string);
  bind(*library, "nvrtcCreateProgram", nvrtc.create_program);
  bind(*library, "nvrtcDestroyProgram", nvrtc.destroy_program);
  bind(*library, "nvrtcCompileProgram", nvrtc.compile_program);
  bind(*library, "nvrtcGetPTXSize", nvrtc.ptx_size);
  bind(*library, "nvrtcGetPTX", nvrtc.ptx);
  bind(*library, "nvrtcGetProgramLogSize", nvrtc.log_size);
  bind(*library, "nvrtcGetProgramLog", nvrtc.log);
  bind(*library, "nvrtcGetNumSupportedArchs", nvrtc.supported_arch_count);
  bind(*library, "nvrtcGetSupportedArchs", nvrtc.supported_archs);
  bind(*library, "nvrtcSetFlowCallback", nvrtc.set_flow_callback);
  if (!nvrtc.version || !nvrtc.error_string || !nvrtc.create_program || !nvrtc.destroy_program ||
      !nvrtc.compile_program || !nvrtc.ptx_size || !nvrtc.ptx || !nvrtc.log_size || !nvrtc.log)
    return missing(fmt::format(
        "{} is not NVRTC: it lacks its functions. Point WARPLENS_NVRTC at libnvrtc.so.12.", nvrtc.path));
  load_builtins_beside(nvrtc);
  return nvrtc;
}

}  // namespace warplens
