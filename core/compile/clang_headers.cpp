// clang reads headers from files, so those in the program are written into the cache once.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "core/base/hash.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/compile/clang.h"
#include "core/compile/kernel_headers.h"
#include "core/system/places.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view in_program = "cuda/";

// The host's headers, for a machine that has none of a C++ library: clang looks there last.
Result<void> write_kernel_headers(const fs::path& folder) {
  for (const KernelHeader& header : kernel_headers()) {
    const fs::path path = folder / kernel_header_folder / header.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (auto written = write_text(path.string(), header.text); !written) return written;
  }
  return {};
}

// A header of NVIDIA's that we do not have becomes a file with an error, so that a toolkit's header is not
// used in its place.
Result<void> write_refused(const fs::path& folder) {
  std::istringstream lines{std::string(find_embedded("cuda/refused.txt"))};
  for (std::string line; std::getline(lines, line);) {
    const size_t bar = line.find(" | ");
    if (line.starts_with('#') || bar == std::string::npos) continue;
    const fs::path path = folder / line.substr(0, bar);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const auto written = write_text(path.string(), fmt::format("#error \"{}\"\n", line.substr(bar + 3)));
    if (!written) return written.error();
  }
  return {};
}

}  // namespace

Result<std::string> clang_header_folder() {
  uint64_t hash = hash_of("");  // another text gets another folder
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with(in_program) || file.path.starts_with("kernel_headers/"))
      hash = hash_of(file.bytes, hash_of(file.path, hash));
  const fs::path cache = cache_folder();
  if (cache.empty())
    return failed("clang's headers have no folder: neither XDG_CACHE_HOME nor HOME names one.");
  const fs::path folder = cache / fmt::format("clang-headers-{:016x}", hash);
  const fs::path whole = folder / "whole";  // written last
  std::error_code error;
  if (fs::exists(whole, error)) return folder.string();
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(in_program)) continue;
    const fs::path path = folder / file.path.substr(in_program.size());
    fs::create_directories(path.parent_path(), error);
    if (error)
      return failed(fmt::format("{} could not be made: {}.", path.parent_path().string(), error.message()));
    if (const Result<void> written = write_text(path.string(), file.bytes); !written) return written.error();
  }
  if (const Result<void> written = write_refused(folder); !written) return written.error();
  if (const Result<void> written = write_kernel_headers(folder); !written) return written.error();
  if (const Result<void> written = write_text(whole.string(), ""); !written) return written.error();
  return folder.string();
}

}  // namespace warplens
