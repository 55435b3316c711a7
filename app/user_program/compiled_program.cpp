#include "app/user_program/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/user_program/nvcc_found.h"
#include "app/user_program/nvcc_plan.h"
#include "app/user_program/nvcc_words.h"
#include "app/user_program/program_compiler.h"
#include "app/user_program/program_libraries.h"
#include "core/base/hash.h"
#include "core/base/system/files.h"
#include "core/compile/cuda_source/host_code.h"
#include "core/device/device_list.h"
#include "core/system/attached.h"
#include "core/system/files.h"
#include "core/system/places.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;
using program_run::in_front_of;
using program_run::write_script;

namespace {

constexpr uint64_t largest_source = uint64_t{64} << 20;

void link_all(const fs::path& from, const fs::path& to, const std::vector<std::string>& without) {
  std::error_code error;
  fs::create_directories(to, error);
  for (const auto& entry : fs::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(without.begin(), without.end(), name) == without.end())
      fs::create_symlink(entry.path(), to / name, error);
  }
}

std::string variable_in(const program_run::ProgramEnvironment& made, std::string_view name) {
  for (const auto& [key, value] : made.variables)
    if (key == name) return value;
  return {};
}

// What CUDA_HOME has for Numba, if the launcher chose it: NVIDIA's libnvvm. Empty: nothing.
fs::path chosen_nvvm(const program_run::ProgramEnvironment& made) {
  const std::string home = variable_in(made, "CUDA_HOME");
  return home.empty() ? fs::path() : fs::path(home) / "nvvm";
}

// A toolkit like the real one, with our compiler in front: Makefiles say $(CUDA_PATH)/bin/nvcc. Numba warns
// where CUDA_HOME names another one, so it has the libnvvm that was chosen.
void add_toolkit(program_run::ProgramEnvironment& made, const fs::path& folder, const fs::path& nvcc) {
  std::error_code error;
  const fs::path top = fs::weakly_canonical(nvcc, error).parent_path().parent_path(), home = folder / "cuda";
  if (const fs::path nvvm = chosen_nvvm(made); !nvvm.empty()) {
    fs::create_directories(home / "nvvm", error);
    for (const char* part : {"lib64", "libdevice"})
      if (!fs::exists(home / "nvvm" / part, error))
        fs::copy(nvvm / part, home / "nvvm" / part,
                 fs::copy_options::copy_symlinks | fs::copy_options::recursive, error);
  }
  link_all(top, home, {"bin"});
  link_all(top / "bin", home / "bin", {"nvcc"});
  fs::create_symlink(folder / "bin" / "nvcc", home / "bin" / "nvcc", error);
  if (!fs::exists(home / "lib64", error)) fs::create_symlink(top / "lib", home / "lib64", error);
  made.variables.emplace_back("CUDA_PATH", home.string());
  if (!fs::exists(home / "nvvm", error)) return;
  std::erase_if(made.variables, [](const auto& variable) { return variable.first == "CUDA_HOME"; });
  made.variables.emplace_back("CUDA_HOME", home.string());
}

// The same where clang stands in NVIDIA's place: our headers, and the libraries that links look for.
Result<void> add_own_toolkit(program_run::ProgramEnvironment& made, const fs::path& folder) {
  const Result<std::string> headers = clang_header_folder();
  if (!headers) return headers.error();
  std::error_code error;
  const fs::path home = folder / "cuda";
  fs::create_directories(home / "bin", error);
  for (const auto& [target, link] : {std::pair<fs::path, fs::path>{*headers, home / "include"},
                                     {folder / "link", home / "lib64"},
                                     {folder / "bin" / "nvcc", home / "bin" / "nvcc"}})
    if (fs::read_symlink(link, error) != target) {
      fs::remove(link, error);
      fs::create_symlink(target, link, error);
    }
  made.variables.emplace_back("CUDA_PATH", home.string());
  made.variables.emplace_back("WARPLENS_LIBRARIES", (folder / "link").string());
  return {};
}

// The files that a dependency file of a compiler names, after its colon.
std::vector<std::string> files_in(const std::string& text) {
  std::vector<std::string> files;
  std::istringstream words(text.substr(std::min(text.find(": ") + 1, text.size())));
  for (std::string word; words >> word;)
    if (word != "\\") files.push_back(word);
  return files;
}

// `dependencies` are files of compilers; `further` has what they do not name: objects and archives.
bool is_up_to_date(const fs::path& program, const std::vector<std::string>& dependencies,
                   const std::vector<std::string>& further) {
  std::error_code error;
  const auto made = fs::last_write_time(program, error);
  if (error) return false;
  std::vector<std::string> files = further;
  for (const std::string& path : dependencies) {
    const Result<std::string> text = read_text(path, largest_source);
    const std::vector<std::string> named = text ? files_in(*text) : std::vector<std::string>();
    if (named.empty()) return false;
    files.insert(files.end(), named.begin(), named.end());
  }
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    std::error_code gone;
    const auto changed = fs::last_write_time(file, gone);
    return !gone && changed < made;
  });
}

// The options for libraries that a file includes. On a real GPU programs have NVIDIA's own.
Result<std::vector<std::string>> library_options(const std::string& source,
                                                 const program_run::ProgramEnvironment& made) {
  std::vector<std::string> options;
  const Result<std::string> text = read_text(source, largest_source);
  if (!text) return options;  // the compiler says why
  const bool is_virtual = !variable_in(made, "WARPLENS_PROGRAM_FOLDER").empty();
  std::error_code error;
  for (const IncludedLibrary& library : libraries_of(*text)) {
    if (is_virtual && !fs::exists(fs::path(made.folder) / "lib" / library.file(), error))
      return missing(
          fmt::format("{} includes {}, and {} for programs is not in the driver's folder of this build: in a "
                      "checkout tools/run "
                      "program … builds it (it needs Eigen, which tools/setup brings); the wheel and the "
                      "archive have it.",
                      source, library.header, library.file()));
    options.push_back(library.option());
  }
  return options;
}

// What this compiler compiles for. The front does not ask for itself: under the launcher a start of nvcc is a
// start of the front. The driver loads it, also where it is newer than the device.
void tell_target(program_run::ProgramEnvironment& made, const std::string& nvcc) {
  const auto devices = find_devices(variable_in(made, "WARPLENS_PROGRAM_DEVICE"));
  if (!devices) return;
  const uint32_t target = target_of(nvcc, capability_of_all(*devices));
  made.variables.emplace_back("WARPLENS_PROGRAM_TARGET", std::to_string(target));
}

}  // namespace

fs::path fronts_folder() { return cache_folder() / "front"; }

Result<void> put_in_front(program_run::ProgramEnvironment& made, const std::string& driver) {
  std::error_code error;
  const std::string own = program_path().string();
  const Result<ProgramCompiler> compiler = find_program_compiler();
  link_libraries(driver, fs::path(made.folder) / "lib", compiler ? compiler->runtime_major() : 12);
  fs::path nvvm = chosen_nvvm(made);
  if (!nvvm.empty()) nvvm = fs::weakly_canonical(nvvm / "lib64" / "libnvvm.so", error);
  const uint64_t key =
      hash_of(own + "\n" + driver + "\n" + (compiler ? compiler->name() : "") + "\n" + nvvm.string());
  fs::path folder = fronts_folder() / fmt::format("{:016x}", key);
  const std::string script = fmt::format(
      "#!/bin/sh\n# Runs before NVIDIA's compiler: warplens nvcc --explain … says what it changes.\n"
      "exec {} nvcc \"$@\"\n",
      quoted(own));
  if (!write_script(folder / "bin" / "nvcc", script)) {
    folder = made.folder;  // the cache cannot be written
    if (const auto written = write_script(folder / "bin" / "nvcc", script); !written) return written.error();
  }
  made.variables.emplace_back("PATH", in_front_of((folder / "bin").string(), "PATH"));
  made.variables.emplace_back("WARPLENS_PROGRAM_FOLDER", made.folder);
  if (!compiler) return {};  // said when a program asks for it
  // For Makefiles that name the compiler by its whole path (cuda/stand_in/driver/preload/exec_nvcc.c).
  made.variables.emplace_back("WARPLENS_FRONT", (folder / "bin" / "nvcc").string());
  if (compiler->clang) {
    if (const auto added = add_own_toolkit(made, folder); !added) return added.error();
  } else {
    made.variables.emplace_back("WARPLENS_NVCC", compiler->nvcc);
    add_toolkit(made, folder, compiler->nvcc);
  }
  const int major = compiler->runtime_major();
  if (!compiler->clang) tell_target(made, compiler->nvcc);
  if (!fs::exists(runtime_library(driver, major), error)) return {};
  if (const auto added = add_link_files(folder / "link", driver, major); !added) return added.error();
  const std::string linker = program_run::in_path("ld");
  if (const auto written =
          write_script(folder / "linker" / "ld", linker_script(linker, (folder / "link").string()));
      !written)
    return written.error();
  made.variables.emplace_back("COMPILER_PATH", in_front_of((folder / "linker").string(), "COMPILER_PATH"));
  return {};
}

bool is_program_source(const std::string& path) {
  std::error_code ignored;
  if (!path.ends_with(".cu") || !fs::is_regular_file(path, ignored)) return false;
  const Result<std::string> text = read_text(path, largest_source);
  return text && main_line(*text).has_value();
}

Result<CompiledProgram> plan_program(const ProgramSources& sources,
                                     const program_run::ProgramEnvironment& made) {
  const Result<ProgramCompiler> compiler = find_program_compiler();
  if (!compiler) return compiler.error();
  std::error_code error;
  std::vector<std::string> files{fs::absolute(sources.main, error).string()}, further;
  for (const std::string& file : sources.further) {
    if (!fs::is_regular_file(file, error))
      return bad_input(fmt::format("{} is to be compiled with {}, and is not there.", file, sources.main));
    files.push_back(fs::absolute(file, error).string());
    if (!is_source(file)) further.push_back(files.back());
  }
  const std::string options = fmt::format("{}", fmt::join(sources.options, "\n"));
  const uint64_t key = hash_of(fmt::format("{}\n{}\n{}\n{}{}", fmt::join(files, "\n"), options,
                                           variable_in(made, "WARPLENS_PROGRAM_DEVICE"), compiler->name(),
                                           sources.variables ? "\n-G" : ""));
  const fs::path folders =
      sources.folder.empty() ? cache_folder() / "compiled" : fs::path(sources.folder) / "compiled";
  const fs::path folder = folders / fmt::format("{:016x}", key);
  const fs::path program = folder / fs::path(sources.main).stem();
  std::vector<std::string> dependencies;
  for (size_t i = 0; i + further.size() < files.size(); ++i)
    dependencies.push_back(dependencies_of((folder / "dependencies").string(), i));
  if (is_up_to_date(program, dependencies, further)) return CompiledProgram{program.string(), {}};
  fs::create_directories(folder, error);
  if (error) return failed(fmt::format("{} cannot be written: {}.", folder.string(), error.message()));
  fs::remove(program, error);
  std::vector<std::string> command = {program_path().string(), "nvcc", "--add-options", "-O2", "-MD", "-MF",
                                      dependencies.front()};
  if (sources.variables) command.emplace_back("-G");
  command.insert(command.end(), sources.options.begin(), sources.options.end());
  command.insert(command.end(), files.begin(), files.end());
  command.insert(command.end(), {"-o", program.string()});
  for (const std::string& file : files) {
    if (!is_source(file)) continue;
    const Result<std::vector<std::string>> libraries = library_options(file, made);
    if (!libraries) return libraries.error();
    command.insert(command.end(), libraries->begin(), libraries->end());
  }
  return CompiledProgram{program.string(), std::move(command)};
}

Result<std::string> compile_program(const ProgramSources& sources,
                                    const program_run::ProgramEnvironment& made) {
  const Result<CompiledProgram> program = plan_program(sources, made);
  if (!program) return program.error();
  if (program->command.empty()) return program->path;
  const Result<int> ended = run_attached(program->command, made.variables);
  if (!ended) return ended.error();
  if (*ended != 0)
    return bad_input(fmt::format("{} does not compile: see the compiler's message above.", sources.main));
  if (!may_execute(program->path))
    return bad_input(fmt::format(
        "With the options \"{}\" the compiler made no program of {}: leave out those that end earlier (-c, "
        "-ptx, -E) or name another file (-o).",
        fmt::join(sources.options, " "), sources.main));
  return program->path;
}

}  // namespace warplens::nvcc
