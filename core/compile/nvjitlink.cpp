#include "core/compile/nvjitlink.h"

#include <fmt/format.h>

namespace warplens {

namespace {

// 12.0 exports only versioned names; later versions export both.
template <class Function>
void bind_versioned(const DynamicLibrary& library, const char* name, Function*& function) {
  function = library.function<Function>(name);
  if (!function) function = library.function<Function>(fmt::format("__{}_12_0", name).c_str());
}

struct Architecture {
  uint32_t number;
  unsigned first, last;  // CUDA versions, 12.9 → 1209
};

// From the release notes of the toolkits, and tried with 12.9 and 13.
constexpr unsigned still = 9999;
constexpr Architecture architectures[] = {
    {50, 1200, 1299},   {52, 1200, 1299},  {53, 1200, 1299},   {60, 1200, 1299},   {61, 1200, 1299},
    {62, 1200, 1299},   {70, 1200, 1299},  {72, 1200, 1299},   {75, 1200, still},  {80, 1200, still},
    {86, 1200, still},  {87, 1200, still}, {88, 1300, still},  {89, 1200, still},  {90, 1200, still},
    {100, 1208, still}, {101, 1208, 1299}, {103, 1209, still}, {110, 1300, still}, {120, 1208, still},
    {121, 1209, still}};

}  // namespace

bool knows_architecture(const NvJitLink& library, uint32_t number) {
  const unsigned version = library.version_major * 100 + library.version_minor;
  for (const Architecture& architecture : architectures)
    if (architecture.number == number) return architecture.first <= version && version <= architecture.last;
  return false;
}

Result<NvJitLink> load_nvjitlink(const std::vector<std::string>& candidates) {
  auto library = DynamicLibrary::open_first(candidates);
  if (!library)
    return missing(
        fmt::format("CUDA's linker (nvJitLink) is not on this machine, so the exact registers and shared "
                    "bytes of a kernel are not known; kernels still run. Run tools/setup to bring it, or "
                    "point WARPLENS_NVJITLINK at libnvJitLink.so.12. ({})",
                    library.error().message));
  NvJitLink link;
  link.path = library->path();
  bind_versioned(*library, "nvJitLinkCreate", link.create);
  bind_versioned(*library, "nvJitLinkDestroy", link.destroy);
  bind_versioned(*library, "nvJitLinkAddData", link.add_data);
  bind_versioned(*library, "nvJitLinkComplete", link.complete);
  bind_versioned(*library, "nvJitLinkGetLinkedCubinSize", link.cubin_size);
  bind_versioned(*library, "nvJitLinkGetLinkedCubin", link.cubin);
  bind_versioned(*library, "nvJitLinkGetErrorLogSize", link.error_log_size);
  bind_versioned(*library, "nvJitLinkGetErrorLog", link.error_log);
  bind_versioned(*library, "nvJitLinkGetInfoLogSize", link.info_log_size);
  bind_versioned(*library, "nvJitLinkGetInfoLog", link.info_log);
  if (!link.create || !link.destroy || !link.add_data || !link.complete || !link.cubin_size || !link.cubin ||
      !link.error_log_size || !link.error_log || !link.info_log_size || !link.info_log)
    return missing(fmt::format(
        "{} is not nvJitLink: it lacks its functions. Point WARPLENS_NVJITLINK at libnvJitLink.so.12.",
        link.path));
  if (auto* version = library->function<int(unsigned*, unsigned*)>("nvJitLinkVersion"))
    version(&link.version_major, &link.version_minor);
  return link;
}

}  // namespace warplens
