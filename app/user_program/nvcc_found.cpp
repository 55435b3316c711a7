#include "app/user_program/nvcc_found.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/user_program/compiled_program.h"
#include "app/user_program/environment.h"
#include "app/user_program/nvcc_words.h"
#include "core/base/system/files.h"
#include "core/base/system/variable.h"
#include "core/system/files.h"
#include "core/system/own_process.h"
#include "core/system/places.h"
#include "core/system/run_program.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

constexpr const char* real_variable = "WARPLENS_NVCC";

bool can_run(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && may_execute(path.string());
}

// The wheels of CUDA 13 share one folder, cu13.
void add_wheels(const fs::path& environment, std::vector<fs::path>& places) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(environment / "lib", error))
    if (entry.path().filename().string().starts_with("python"))
      places.push_back(entry.path() / "site-packages" / "nvidia" / "cu13" / "bin" / "nvcc");
}

std::vector<fs::path> nvcc_places() {
  std::vector<fs::path> places;
  if (const std::string chosen = environment_variable(real_variable); !chosen.empty())
    places.emplace_back(chosen);
  for (const std::string& folder : split_paths(environment_variable("PATH")))
    places.push_back(fs::path(folder) / "nvcc");
  for (const std::string& toolkit : toolkit_folders()) places.push_back(fs::path(toolkit) / "bin" / "nvcc");
  if (const std::string venv = environment_variable("VIRTUAL_ENV"); !venv.empty()) add_wheels(venv, places);
  add_wheels(fs::path(program_run::in_path(chosen_python())).parent_path().parent_path(), places);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error))
    if (entry.path().filename().string().starts_with("nvcc-"))
      places.push_back(entry.path() / "nvidia" / "cu13" / "bin" / "nvcc");
  return places;
}

}  // namespace

Result<std::string> find_nvcc() {
  // The script that wraps nvcc is in the cache, or in the folder of a program that runs.
  const std::string own = environment_variable("WARPLENS_PROGRAM_FOLDER"),
                    fronts = fronts_folder().string() + "/";
  for (const fs::path& place : nvcc_places()) {
    if ((!own.empty() && place.string().starts_with(own + "/")) || place.string().starts_with(fronts))
      continue;
    if (can_run(place)) return place.string();
  }
  return missing(
      "NVIDIA's compiler nvcc is not on this machine: `warplens fetch nvcc` brings it, or install the CUDA "
      "toolkit, or name it in WARPLENS_NVCC.");
}

int runtime_major(const std::string& nvcc) {
  std::error_code error;
  const fs::path top = fs::weakly_canonical(nvcc, error).parent_path().parent_path();
  for (const char* folder : {"include", "targets/x86_64-linux/include"}) {
    const Result<std::string> text =
        read_text((top / folder / "cuda_runtime_api.h").string(), uint64_t{16} << 20);
    if (!text) continue;
    constexpr std::string_view define = "#define CUDART_VERSION";
    const size_t at = text->find(define);
    if (at == std::string::npos) continue;
    return std::atoi(text->c_str() + at + define.size()) / 1000 == 12 ? 12 : 13;
  }
  return 13;
}

uint32_t target_of(const std::string& nvcc, uint32_t capability) {
  const Result<ProgramEnd> listed = run_program(nvcc, {"--list-gpu-arch"}, std::chrono::seconds(10));
  if (!listed || listed->status != 0) return capability;
  uint32_t below = 0, oldest = 0;
  for (const std::string& word : split_words(listed->output)) {
    constexpr std::string_view prefix = "compute_";
    if (!word.starts_with(prefix)) return capability;  // an nvcc that tells something else
    const auto known = static_cast<uint32_t>(std::strtoul(word.c_str() + prefix.size(), nullptr, 10));
    if (known == 0) continue;
    if (known <= capability) below = std::max(below, known);
    if (oldest == 0 || known < oldest) oldest = known;
  }
  if (below != 0) return below;
  return oldest == 0 ? capability : oldest;
}

}  // namespace warplens::nvcc
