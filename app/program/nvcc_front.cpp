#include "app/program/nvcc_front.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <utility>

#include "app/program/child.h"
#include "app/program/compiled_program.h"
#include "app/program/environment.h"
#include "app/program/nvcc_plan.h"
#include "app/program/older_programs.h"
#include "core/base/system/files.h"
#include "core/base/system/places.h"
#include "core/base/system/run_program.h"
#include "core/device/device.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;
using program_run::variable_of;

namespace {

constexpr const char* real_variable = "WARPLENS_NVCC";

bool can_run(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
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

// A note is said once in a program's run, however many files it compiles.
bool is_first(const std::string& note) {
  const std::string folder = variable_of("WARPLENS_PROGRAM_FOLDER");
  if (folder.empty()) return true;
  const std::string path = fmt::format("{}/said-{:x}", folder, std::hash<std::string>{}(note));
  const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

std::string shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = word.find_first_of(" \t\"'\\$`;&|<>()*?") == std::string::npos && !word.empty();
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return text;
}

Result<void> write_stub(const Step& step) {
  std::vector<std::string> arguments;
  for (const std::string& object : step.objects)
    if (std::error_code error; fs::exists(object, error)) arguments.push_back(object);
  std::string symbols;
  if (!arguments.empty()) {
    const Result<ProgramEnd> listed =
        run_program(program_run::in_path("nm"), arguments, std::chrono::minutes(1));
    if (!listed) return listed.error();
    symbols = listed->output;
  }
  return write_text(step.stub, stub_of(symbols));
}

// Standard error goes into a file while it lives.
class ErrorsToFile {
 public:
  explicit ErrorsToFile(std::string path) : m_path(std::move(path)) {
    const int file = open(m_path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return;
    m_saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(file, STDERR_FILENO);
    close(file);
  }
  ~ErrorsToFile() { text(); }
  ErrorsToFile(const ErrorsToFile&) = delete;
  ErrorsToFile& operator=(const ErrorsToFile&) = delete;
  // Ends it, and gives what was said.
  std::string text() {
    if (m_saved < 0) return {};
    dup2(m_saved, STDERR_FILENO);
    close(std::exchange(m_saved, -1));
    const Result<std::string> said = read_text(m_path, uint64_t{64} << 20);
    return said ? *said : std::string();
  }

 private:
  std::string m_path;
  int m_saved = -1;
};

// Runs a step; a text that CUDA 13 no longer compiles is tried once more with what it removed.
Result<int> run_step(const Step& step, const std::string& scratch,
                     const std::vector<std::pair<std::string, std::string>>& variables, std::ostream& err) {
  if (!step.compiles || runtime_major(step.words[0]) < 13)
    return program_run::run_child(step.words, variables);
  ErrorsToFile errors(scratch + "/errors");
  Result<int> ended = program_run::run_child(step.words, variables);
  const std::string said = errors.text();
  if (ended && *ended != 0 && misses_removed_names(said)) {
    if (const Result<std::string> header = write_older_names()) {
      std::vector<std::string> words = step.words;
      words.insert(words.begin() + 1, {"-include", *header});
      return program_run::run_child(words, variables);
    }
  }
  err << said << std::flush;
  return ended;
}

int run_steps(const Plan& plan, const std::string& scratch, std::ostream& err) {
  // nvcc would add these to each step; the plan has them already.
  // And what it starts is not to come back here.
  const std::vector<std::pair<std::string, std::string>> variables{
      {"NVCC_PREPEND_FLAGS", ""}, {"NVCC_APPEND_FLAGS", ""}, {"WARPLENS_FRONT", ""}};
  for (const Step& step : plan.steps) {
    if (step.words.empty()) {
      if (const auto written = write_stub(step); !written) {
        err << "warplens nvcc: " << written.error().message << "\n";
        return 1;
      }
      continue;
    }
    const Result<int> ended = run_step(step, scratch, variables, err);
    if (!ended) {
      err << "warplens nvcc: " << ended.error().message << "\n";
      return 127;
    }
    if (*ended != 0) return *ended;
  }
  return 0;
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
    std::string pattern = (fs::temp_directory_path(error) / "warplens-nvcc-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path = pattern;
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
  // The script in front of nvcc is in the cache, or in the folder of a program that runs.
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

int front(const std::vector<std::string>& given, std::ostream& out, std::ostream& err) {
  const Result<std::string> compiler = find_nvcc();
  if (!compiler) {
    err << "warplens: " << compiler.error().message << "\n";
    return 127;
  }
  // As nvcc itself puts them (CUDA Compiler Driver NVCC, "NVCC Environment Variables").
  std::vector<std::string> words = words_in(variable_of("NVCC_PREPEND_FLAGS"));
  words.insert(words.end(), given.begin(), given.end());
  for (const std::string& word : words_in(variable_of("NVCC_APPEND_FLAGS"))) words.push_back(word);
  const Scratch scratch;
  if (scratch.path.empty()) {
    err << "warplens: no folder could be made for temporary files: set TMPDIR to one that can be written.\n";
    return 1;
  }
  const Result<Plan> made = plan(words, {*compiler, capability_of_device(), scratch.path},
                                 [](const std::string& path) { return read_text(path, uint64_t{16} << 20); });
  if (!made) {
    err << "warplens: " << made.error().message << "\n";
    return 1;
  }
  if (std::find(words.begin(), words.end(), "--explain") != words.end()) {
    for (const std::string& note : made->notes) out << note << "\n";
    for (const Step& step : made->steps)
      out << (step.words.empty() ? "(register the device code of: " + shown(step.objects) + ")"
                                 : shown(step.words))
          << "\n";
    err << "warplens nvcc: nothing was run; without --explain it is.\n";
    return 0;
  }
  for (const std::string& note : made->notes)
    if (is_first(note)) err << "warplens: " << note << "\n";
  return run_steps(*made, scratch.path, err);
}

}  // namespace warplens::nvcc
