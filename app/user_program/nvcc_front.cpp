#include "app/user_program/nvcc_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <utility>

#include "app/user_program/clang_steps.h"
#include "app/user_program/compiled_program.h"
#include "app/user_program/environment.h"
#include "app/user_program/nvcc_plan.h"
#include "app/user_program/nvcc_steps.h"
#include "app/user_program/program_compiler.h"
#include "app/user_program/program_libraries.h"
#include "core/base/system/files.h"
#include "core/device/device.h"
#include "core/system/attached.h"
#include "core/system/files.h"
#include "core/system/own_process.h"
#include "core/system/places.h"
#include "core/system/run_program.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;
using program_run::variable_of;

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
  if (const std::string chosen = variable_of(real_variable); !chosen.empty()) places.emplace_back(chosen);
  for (const std::string& folder : split_paths(variable_of("PATH")))
    places.push_back(fs::path(folder) / "nvcc");
  for (const std::string& toolkit : toolkit_folders()) places.push_back(fs::path(toolkit) / "bin" / "nvcc");
  if (const std::string venv = variable_of("VIRTUAL_ENV"); !venv.empty()) add_wheels(venv, places);
  add_wheels(fs::path(program_run::in_path(chosen_python())).parent_path().parent_path(), places);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error))
    if (entry.path().filename().string().starts_with("nvcc-"))
      places.push_back(entry.path() / "nvidia" / "cu13" / "bin" / "nvcc");
  return places;
}

uint32_t capability_of_device() {
  const std::string name = variable_of("WARPLENS_PROGRAM_DEVICE");
  const Result<Device> device = find_device(name.empty() ? "rtx_3060" : name);
  return device ? device->compute_capability.number() : 86;
}

// A note is reported once in a program's run, however many files it compiles.
bool is_first(const std::string& note) {
  const std::string folder = variable_of("WARPLENS_PROGRAM_FOLDER");
  if (folder.empty()) return true;
  const std::string path = fmt::format("{}/said-{:x}", folder, std::hash<std::string>{}(note));
  const int file = make_new(path);
  close_file(file);
  return file != no_file;
}

std::string shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = word.find_first_of(" \t\"'\\$`;&|<>()*?") == std::string::npos && !word.empty();
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return text;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

// A folder of its own for a run of the front, gone with it.
struct Scratch {
  std::string path;
  Scratch() {
    std::error_code error;
    if (const Result<std::string> made = make_folder_in(fs::temp_directory_path(error), "warplens-nvcc-"))
      path = *made;
  }
  ~Scratch() {
    std::error_code error;
    if (!path.empty()) fs::remove_all(path, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

}  // namespace

Result<std::string> find_nvcc() {
  // The script that wraps nvcc is in the cache, or in the folder of a program that runs.
  const std::string own = variable_of("WARPLENS_PROGRAM_FOLDER"), fronts = fronts_folder().string() + "/";
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

namespace {

constexpr const char* no_scratch =
    "no folder could be made for temporary files: set TMPDIR to one that can be written.";

void explain(const Plan& plan, std::ostream& out) {
  for (const std::string& note : plan.notes) out << note << "\n";
  for (const Step& step : plan.steps) {
    out << (step.words.empty() ? "(register the device code of: " + shown(step.objects) + ")"
                               : shown(step.words))
        << "\n";
    if (!step.fat_binary.empty()) out << "(the PTX becomes " << step.fat_binary << ")\n";
  }
}

// Where links find our runtime library: the launcher says it; without one it is made here.
Result<std::string> library_folder() {
  if (std::string told = variable_of("WARPLENS_LIBRARIES"); !told.empty()) return told;
  const Result<std::string> driver = program_run::find_driver();
  if (!driver) return driver.error();
  const fs::path folder = fronts_folder() / "libraries";
  constexpr int major = 12;
  if (const auto added = add_link_files(folder, *driver, major); !added) return added.error();
  return folder.string();
}

}  // namespace

int front(const std::vector<std::string>& given, std::ostream& out, std::ostream& err) {
  const auto refuse = [&](const std::string& message, int status) {
    err << "warplens: " << message << "\n";
    return status;
  };
  const Result<ProgramCompiler> compiler = find_program_compiler();
  if (!compiler) return refuse(compiler.error().message, 127);
  // As nvcc itself puts them (CUDA Compiler Driver NVCC, "NVCC Environment Variables").
  std::vector<std::string> words = words_in(variable_of("NVCC_PREPEND_FLAGS"));
  words.insert(words.end(), given.begin(), given.end());
  for (const std::string& word : words_in(variable_of("NVCC_APPEND_FLAGS"))) words.push_back(word);
  const Scratch scratch;
  if (scratch.path.empty()) return refuse(no_scratch, 1);
  const auto read = [](const std::string& path) { return read_text(path, uint64_t{16} << 20); };
  Result<ClangTools> tools = ClangTools{};
  if (compiler->clang) {
    const Result<std::string> libraries = library_folder();
    if (!libraries) return refuse(libraries.error().message, 1);
    tools = clang_tools(*compiler->clang, capability_of_device(), scratch.path, *libraries);
    if (!tools) return refuse(tools.error().message, 1);
  }
  const Result<Plan> made = compiler->clang
                                ? clang_plan(words, *tools, read)
                                : plan(words, {compiler->nvcc, capability_of_device(), scratch.path}, read);
  if (!made) return refuse(made.error().message, 1);
  if (std::find(words.begin(), words.end(), "--explain") != words.end()) {
    explain(*made, out);
    err << "warplens nvcc: nothing was run; without --explain it is.\n";
    return 0;
  }
  for (const std::string& note : made->notes)
    if (is_first(note)) err << "warplens: " << note << "\n";
  out << made->said << std::flush;
  if (made->dry) {
    explain(*made, err);
    return 0;
  }
  return run_steps(
      *made,
      [&](const Step& step) {
        return compiler->clang ? run_clang_step(step, *compiler->clang, *tools, err)
                               : run_nvcc_step(step, scratch.path, err);
      },
      err);
}

}  // namespace warplens::nvcc
