#include "app/user_program/nvcc_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <ostream>
#include <utility>

#include "app/user_program/clang_steps.h"
#include "app/user_program/compile_mends.h"
#include "app/user_program/compiled_program.h"
#include "app/user_program/environment.h"
#include "app/user_program/nvcc_found.h"
#include "app/user_program/nvcc_plan.h"
#include "app/user_program/nvcc_steps.h"
#include "app/user_program/program_compiler.h"
#include "app/user_program/program_libraries.h"
#include "core/base/system/files.h"
#include "core/base/system/variable.h"
#include "core/compile/removed_words.h"
#include "core/device/device_list.h"
#include "core/system/attached.h"
#include "core/system/files.h"
#include "core/system/own_process.h"
#include "core/system/places.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

uint32_t capability_of_devices() {
  const std::string name = environment_variable("WARPLENS_PROGRAM_DEVICE");
  const auto devices = find_devices(name.empty() ? "rtx_3060" : name);
  return devices ? capability_of_all(*devices) : 86;
}

// A note is told once in a program's run, however many files it compiles, and not at all with --quiet.
bool is_told(const std::string& note) {
  if (environment_variable("WARPLENS_PROGRAM_QUIET") == "1") return false;
  const std::string folder = environment_variable("WARPLENS_PROGRAM_FOLDER");
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
  if (std::string told = environment_variable("WARPLENS_LIBRARIES"); !told.empty()) return told;
  const Result<std::string> driver = program_run::find_driver();
  if (!driver) return driver.error();
  const fs::path folder = fronts_folder() / "libraries";
  constexpr int major = 12;
  if (const auto added = add_link_files(folder, *driver, major); !added) return added.error();
  return folder.string();
}

struct Attempt {
  int status = 0;
  std::string said;   // by the compiler, on standard error
  std::string lacks;  // device code that is called and not there, a line each
};

// One command line, compiled as often as it takes.
class Front {
 public:
  Front(ProgramCompiler compiler, std::string scratch)
      : m_compiler(std::move(compiler)),
        m_scratch(std::move(scratch)),
        m_capability(capability_of_devices()) {}

  Result<void> prepare() {
    if (!m_compiler.clang) {
      const std::string told = environment_variable("WARPLENS_PROGRAM_TARGET");
      const auto [end, error] = std::from_chars(told.data(), told.data() + told.size(), m_target);
      if (error != std::errc()) m_target = target_of(m_compiler.nvcc, m_capability);
      return {};
    }
    const Result<std::string> libraries = library_folder();
    if (!libraries) return libraries.error();
    Result<ClangTools> tools = clang_tools(*m_compiler.clang, m_capability, m_scratch, *libraries);
    if (!tools) return tools.error();
    m_tools = std::move(tools).value();
    return {};
  }

  Result<Plan> plan_for(const std::vector<std::string>& words) const {
    const auto read = [](const std::string& path) { return read_text(path, uint64_t{16} << 20); };
    if (m_compiler.clang) return clang_plan(words, m_tools, read);
    Result<Plan> made = plan(words, {m_compiler.nvcc, m_capability, m_target, m_scratch}, read);
    if (made && m_target > m_capability)
      made->notes.push_back(
          fmt::format("The device has compute capability {}.{}, and this nvcc compiles for {}.{} and newer: "
                      "the program is "
                      "compiled for {}.{} (__CUDA_ARCH__ is {}0), and runs here as on that device.",
                      m_capability / 10, m_capability % 10, m_target / 10, m_target % 10, m_target / 10,
                      m_target % 10, m_target));
    return made;
  }

  // Whether a failure may be mended. Messages of the compiler are held back until it is known.
  bool may_mend(bool adds_options) const { return adds_options || m_compiler.runtime_major() >= 13; }

  Attempt run_once(const Plan& made, bool hears, std::ostream& err) const {
    const auto step = [&](const Step& one) {
      return m_compiler.clang ? run_clang_step(one, *m_compiler.clang, m_tools, err) : run_nvcc_step(one);
    };
    if (!hears) return {run_steps(made, step, err), {}, {}};
    const std::string path = m_scratch + "/errors";
    Attempt attempt;
    {
      const ErrorsToFile errors(path);
      attempt.status = run_steps(made, step, err);
    }
    if (Result<std::string> said = read_text(path, uint64_t{64} << 20)) attempt.said = std::move(*said);
    return attempt;
  }

  // Functions of the device that the texts that nvcc kept call and none of them defines.
  std::string lacks_of_kept() const {
    std::error_code error;
    std::string said;
    for (const auto& entry : fs::directory_iterator(m_scratch, error)) {
      if (entry.path().extension() != ".ptx") continue;
      if (const Result<std::string> ptx = read_text(entry.path().string(), uint64_t{256} << 20))
        for (const std::string& name : missing_functions(*ptx)) said += name + " is defined nowhere.\n";
    }
    return said;
  }

  const std::string& scratch() const { return m_scratch; }
  bool is_clang() const { return m_compiler.clang.has_value(); }

 private:
  ProgramCompiler m_compiler;
  std::string m_scratch;
  uint32_t m_capability = 86, m_target = 86;
  ClangTools m_tools;
};

// What nvcc's option is said to be for.
std::string sentence_of(const Mend& mend) {
  return fmt::format("Compiled again with {}, for {}. Give nvcc this option where you call it yourself.",
                     mend.option, mend.needed_by);
}

// Compiles, and again with what the compiler lacked. A row whose words changed nothing is taken back.
// `made` is the plan for the words.
int compile_with_mends(const Front& front, std::vector<std::string> words, Plan made, std::ostream& err) {
  const bool adds_options = std::ranges::find(words, "--add-options") != words.end();
  const bool several = std::ranges::count_if(words, is_source) > 1;
  // Of nvcc, to look for device code that is in no file.
  bool is_planned = true;
  if (adds_options && several && !front.is_clang()) {
    words.insert(words.begin(), {"--keep", "--keep-dir", front.scratch()});
    is_planned = false;
  }
  const auto attempt_with = [&](const std::vector<std::string>& tried_words) {
    if (!std::exchange(is_planned, false))
      if (Result<Plan> planned = front.plan_for(tried_words)) made = std::move(*planned);
    Attempt attempt = front.run_once(made, true, err);
    const bool joined = std::ranges::find(tried_words, "-rdc=true") != tried_words.end();
    if (attempt.status == 0 && adds_options && several && !joined) attempt.lacks = front.lacks_of_kept();
    return attempt;
  };
  std::vector<const Mend*> tried, used;
  Attempt best = attempt_with(words);
  for (;;) {
    const Mend* mend =
        mend_for(best.said + best.lacks, {words, several, adds_options, best.status != 0}, tried);
    if (mend == nullptr) break;
    tried.push_back(mend);
    const Result<std::vector<std::string>> added = words_of(*mend);
    if (!added) break;
    std::vector<std::string> more = *added;
    more.insert(more.end(), words.begin(), words.end());
    Attempt attempt = attempt_with(more);
    if (still_says(*mend, attempt.said + attempt.lacks)) continue;
    best = std::move(attempt);
    words = std::move(more);
    used.push_back(mend);
  }
  err << best.said << std::flush;
  if (best.status != 0)
    for (const std::string_view sentence : on_removed_words(best.said))
      err << "warplens: " << sentence << "\n";
  for (const Mend* mend : used)
    if (!mend->option.empty() && is_told(sentence_of(*mend)))
      err << "warplens: " << sentence_of(*mend) << "\n";
  return best.status;
}

}  // namespace

int front(const std::vector<std::string>& given, std::ostream& out, std::ostream& err) {
  const auto refuse = [&](const std::string& message, int status) {
    err << "warplens: " << message << "\n";
    return status;
  };
  Result<ProgramCompiler> compiler = find_program_compiler();
  if (!compiler) return refuse(compiler.error().message, 127);
  // As nvcc itself puts them (CUDA Compiler Driver NVCC, "NVCC Environment Variables").
  std::vector<std::string> words = split_words(environment_variable("NVCC_PREPEND_FLAGS"));
  words.insert(words.end(), given.begin(), given.end());
  for (const std::string& word : split_words(environment_variable("NVCC_APPEND_FLAGS")))
    words.push_back(word);
  const Scratch scratch;
  if (scratch.path.empty()) return refuse(no_scratch, 1);
  Front front(std::move(compiler).value(), scratch.path);
  if (const Result<void> ready = front.prepare(); !ready) return refuse(ready.error().message, 1);
  Result<Plan> made = front.plan_for(words);
  if (!made) return refuse(made.error().message, 1);
  if (std::ranges::find(words, "--explain") != words.end()) {
    explain(*made, out);
    err << "warplens nvcc: nothing was run; without --explain it is.\n";
    return 0;
  }
  for (const std::string& note : made->notes)
    if (is_told(note)) err << "warplens: " << note << "\n";
  out << made->said << std::flush;
  if (made->dry) {
    explain(*made, err);
    return 0;
  }
  const bool adds_options = std::ranges::find(words, "--add-options") != words.end();
  // A program that nvcc starts (-run) talks to the user.
  const bool starts =
      std::ranges::find(words, "-run") != words.end() || std::ranges::find(words, "--run") != words.end();
  if (starts || !front.may_mend(adds_options)) return front.run_once(*made, false, err).status;
  return compile_with_mends(front, std::move(words), std::move(*made), err);
}

}  // namespace warplens::nvcc
