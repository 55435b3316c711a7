#include "app/user_program/compile_mends.h"

#include <algorithm>
#include <filesystem>

#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/system/places.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

// Messages of nvcc, g++, clang and ld. CUDA 13.0 release notes, "Deprecated or Dropped Features", has the
// names that were removed.
const std::vector<Mend>& all_mends() {
  static const std::vector<Mend> rows{
      {"",
       {"cudaThreadSynchronize", "cudaThreadExit", "cudaThreadSetLimit", "cudaThreadGetLimit",
        "cudaThreadSetCacheConfig", "cudaThreadGetCacheConfig", "clockRate", "memoryClockRate",
        "deviceOverlap", "kernelExecTimeoutEnabled", "computeMode", "singleToDoublePrecisionPerfRatio",
        "cooperativeMultiDeviceLaunch", "maxTexture1DLinear", "cudaMemPrefetchAsync", "cudaMemAdvise",
        // The third argument of a prefetch, the fourth of an advice.
        "\"int\" to \"cudaMemLocation\""},
       ""},
      {"", {"nccl.h: No such file"}, "", false, true},
      {"-lnccl", {"undefined reference to `nccl"}, "a call of NCCL"},
      {"--extended-lambda", {"requires --extended-lambda"}, "a lambda with __device__"},
      {"--expt-relaxed-constexpr",
       {"flag '--expt-relaxed-constexpr'"},
       "a constexpr function of the host that a kernel calls"},
      {"-rdc=true", {"requires separate compilation mode"}, "a kernel that starts kernels"},
      {"-rdc=true",
       {"is treated as a static definition", "is defined nowhere"},
       "device code that uses another file's",
       true},
      {"-std=c++20",
       {"identifier \"concept\" is undefined", "identifier \"requires\" is undefined",
        "identifier \"consteval\" is undefined", "identifier \"constinit\" is undefined",
        "unknown type name 'concept'", "unknown type name 'consteval'", "unknown type name 'constinit'",
        "namespace \"std\" has no member", "in namespace 'std'", "C++20"},
       "what C++20 brought"},
      {"-std=c++14",
       {"dynamic exception specifications are not permitted", "ISO C++17 does not allow"},
       "what C++17 removed"},
      {"-Xcompiler=-fopenmp", {"undefined reference to `omp_", "undefined reference to `GOMP_"}, "OpenMP"},
      {"-lcuda",
       {"undefined reference to `cuInit'", "undefined reference to `cuDevice",
        "undefined reference to `cuCtx", "undefined reference to `cuModule", "undefined reference to `cuMem",
        "undefined reference to `cuLaunch"},
       "a call of the driver API"},
      {"-lnvrtc", {"undefined reference to `nvrtc"}, "a call of NVRTC"},
  };
  return rows;
}

// Whether the command names the row's option: "-std=c++14" is there if any -std is.
bool has_option(const std::vector<std::string>& words, std::string_view option) {
  const size_t equals = option.find('=');
  const bool joins = equals != option.npos && !option.starts_with("-X");
  const std::string_view name = joins ? option.substr(0, equals) : option;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (word == option || word == "-" + std::string(option)) return true;
    return joins && (word.starts_with(name) || word.starts_with("-" + std::string(name)));
  });
}

Result<void> write_header(const fs::path& path, std::string_view header) {
  if (const Result<std::string> there = read_text(path.string(), header.size() + 1);
      there && *there == header)
    return {};
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  return write_text(path.string(), std::string(header));
}

Result<std::vector<std::string>> older_names(const fs::path& folder) {
  const fs::path path = folder / "cuda12_names.h";
  if (const auto written = write_header(path, find_embedded("program/cuda12_names.h")); !written)
    return written.error();
  return std::vector<std::string>{"-include", path.string()};
}

// NCCL's header comes with no toolkit.
Result<std::vector<std::string>> nccl_headers(const fs::path& folder) {
  for (const std::string_view name : {"nccl.h", "nccl/types.h", "nccl/functions.h"})
    if (const auto written = write_header(folder / name, find_embedded("cuda/" + std::string(name)));
        !written)
      return written.error();
  return std::vector<std::string>{"-I", folder.string()};
}

}  // namespace

bool still_says(const Mend& mend, std::string_view said) {
  return std::any_of(mend.said.begin(), mend.said.end(),
                     [&](std::string_view words) { return said.find(words) != said.npos; });
}

const Mend* mend_for(std::string_view said, const CommandShape& command,
                     const std::vector<const Mend*>& tried) {
  for (const Mend& mend : all_mends()) {
    if (!mend.option.empty() && !command.adds_options) continue;
    if (mend.joins_files ? !command.several_files : !command.failed) continue;
    if (std::find(tried.begin(), tried.end(), &mend) != tried.end()) continue;
    if (!mend.option.empty() && has_option(command.words, mend.option)) continue;
    if (still_says(mend, said)) return &mend;
  }
  return nullptr;
}

Result<std::vector<std::string>> words_of(const Mend& mend) {
  if (!mend.option.empty()) return std::vector<std::string>{std::string(mend.option)};
  // In the cache, where dependency files may name it for long.
  const fs::path folder = cache_folder() / "front";
  return mend.nccl ? nccl_headers(folder / "nccl") : older_names(folder);
}

}  // namespace warplens::nvcc
