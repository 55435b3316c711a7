#include "core/compile/found.h"

#include <fmt/format.h>

#include "core/compile/locations.h"
#include "core/compile/nvrtc.h"
#include "core/system/run_program.h"

namespace warplens {

namespace {

// "Cuda compilation tools, release 12.9, V12.9.86" → "12.9". Empty if the text has another form.
std::string release_of(const std::string& said) {
  constexpr std::string_view before = "release ";
  const size_t at = said.find(before);
  if (at == std::string::npos) return "";
  const size_t begin = at + before.size();
  return said.substr(begin, said.find_first_not_of("0123456789.", begin) - begin);
}

Result<FoundTool> first_assembler(const std::vector<std::string>& candidates, const char* variable,
                                  const char* where) {
  for (const std::string& program : candidates) {
    const Result<ProgramEnd> end = run_program(program, {"--version"}, std::chrono::seconds(10));
    if (!end) continue;
    if (const std::string release = release_of(end->output); !release.empty())
      return FoundTool{release, program};
  }
  return missing(fmt::format(
      "CUDA's assembler (ptxas) is not on this machine, so the registers of kernels{} are not known; kernels "
      "still run. Run warplens fetch to bring it, or point {} at a ptxas.",
      where, variable));
}

}  // namespace

Result<FoundTool> find_compiler() {
  const Result<Nvrtc> nvrtc = load_nvrtc();
  if (!nvrtc) return nvrtc.error();
  int major = 0, minor = 0;
  if (nvrtc->version(&major, &minor) != Nvrtc::success)
    return missing(nvrtc->path + " does not report its version, so it is not used.");
  return FoundTool{fmt::format("{}.{}", major, minor), nvrtc->path};
}

Result<FoundTool> find_assembler() { return first_assembler(ptxas_candidates(), "WARPLENS_PTXAS", ""); }

Result<FoundTool> find_older_assembler() {
  return first_assembler(ptxas12_candidates(), "WARPLENS_PTXAS12",
                         " on devices older than compute capability 7.5");
}

}  // namespace warplens
