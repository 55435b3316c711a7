#include "app/program/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/program/child.h"
#include "app/program/nvcc_front.h"
#include "core/base/system/files.h"
#include "core/base/system/places.h"
#include "core/source/host_code.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;
using program_run::in_front_of;
using program_run::write_script;

namespace {

constexpr uint64_t largest_source = uint64_t{64} << 20;

// In a shell script.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// gcc and clang find it by COMPILER_PATH. A runtime library that is named by its path, as CMake does, becomes
// a name, also in the response files that they hand on; the first folder is ours.
std::string linker_script(const std::string& linker, const std::string& folder) {
  return fmt::format(R"(#!/bin/sh
# In front of the linker: programs are linked with the runtime library of WarpLens.
first=yes made=
for word in "$@"; do
  [ $first = yes ] && {{ set --; first=no; }}
  case "$word" in
    */libcudart_static.a|*/libcudart.so|*/libcudart.so.*) word=-lcudart ;;
    @*) file=$(mktemp) || exit 1
        sed -E 's#[^" ]*/libcudart(_static\.a|\.so[.0-9]*)#-lcudart#g' "${{word#@}}" > "$file"
        made="$made $file" word="@$file" ;;
  esac
  set -- "$@" "$word"
done
[ -z "$made" ] && exec {0} -L {1} "$@"
{0} -L {1} "$@"
status=$?
rm -f $made
exit $status
)",
                     quoted(linker), quoted(folder));
}

fs::path runtime_library(const fs::path& driver, int major) {
  return driver.parent_path().parent_path() / "runtime" / fmt::format("libcudart.so.{}", major);
}

// What links look for under NVIDIA's names. A linker wants to see what a shared library needs: the driver.
// What nvcc makes of a kernel has static variables with a guard, which a link by gcc lacks.
Result<void> add_link_files(const fs::path& folder, const fs::path& library, const std::string& driver) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string text =
      fmt::format("INPUT(\"{}\" AS_NEEDED(\"{}\" -lstdc++))\n", library.string(), driver);
  for (const char* name : {"libcudart.so", "libcudart_static.a"})
    if (const auto written = write_script(folder / name, text); !written) return written.error();
  fs::create_symlink(driver, folder / "libcuda.so", error);
  return {};
}

void link_all(const fs::path& from, const fs::path& to, const std::vector<std::string>& without) {
  std::error_code error;
  fs::create_directories(to, error);
  for (const auto& entry : fs::directory_iterator(from, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(without.begin(), without.end(), name) == without.end())
      fs::create_symlink(entry.path(), to / name, error);
  }
}

std::string variable_in(const program_run::Surroundings& made, std::string_view name) {
  for (const auto& [key, value] : made.variables)
    if (key == name) return value;
  return {};
}

// What CUDA_HOME has for Numba, if the launcher chose it: NVIDIA's libnvvm. Empty: nothing.
fs::path chosen_nvvm(const program_run::Surroundings& made) {
  const std::string home = variable_in(made, "CUDA_HOME");
  return home.empty() ? fs::path() : fs::path(home) / "nvvm";
}

// A toolkit like the real one, with our compiler in front: Makefiles say $(CUDA_PATH)/bin/nvcc. Numba warns
// where CUDA_HOME names another one, so it has the libnvvm that was chosen.
void add_toolkit(program_run::Surroundings& made, const fs::path& folder, const fs::path& nvcc) {
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

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 1469598103934665603u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// The files that a dependency file of a compiler names, behind its colon.
std::vector<std::string> files_in(const std::string& text) {
  std::vector<std::string> files;
  std::istringstream words(text.substr(std::min(text.find(": ") + 1, text.size())));
  for (std::string word; words >> word;)
    if (word != "\\") files.push_back(word);
  return files;
}

bool is_up_to_date(const fs::path& program, const fs::path& dependencies) {
  std::error_code error;
  const auto made = fs::last_write_time(program, error);
  const Result<std::string> text =
      error ? Result<std::string>(failed("")) : read_text(dependencies.string(), largest_source);
  if (!text) return false;
  const std::vector<std::string> files = files_in(*text);
  return !files.empty() && std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    std::error_code gone;
    const auto changed = fs::last_write_time(file, gone);
    return !gone && changed < made;
  });
}

// Makefiles that name the compiler by its whole path start it all the same. A link: a space in a path would
// end it in LD_PRELOAD.
void preload_exec(program_run::Surroundings& made, const fs::path& driver, const fs::path& front) {
  const fs::path library = driver.parent_path() / "libwarplens_exec.so",
                 link = fs::path(made.folder) / "lib" / library.filename();
  std::error_code error;
  if (!fs::exists(library, error)) return;
  fs::create_symlink(library, link, error);
  made.variables.emplace_back("WARPLENS_FRONT", front.string());
  const auto at = std::find_if(made.variables.begin(), made.variables.end(),
                               [](const auto& variable) { return variable.first == "LD_PRELOAD"; });
  if (at != made.variables.end()) {
    at->second = link.string() + ":" + at->second;
  } else {
    made.variables.emplace_back("LD_PRELOAD", in_front_of(link.string(), "LD_PRELOAD"));
  }
}

}  // namespace

fs::path fronts_folder() { return cache_folder() / "front"; }

Result<void> put_in_front(program_run::Surroundings& made, const std::string& driver) {
  std::error_code error;
  for (const int major : {12, 13}) {
    const fs::path library = runtime_library(driver, major);
    if (fs::exists(library, error))
      fs::create_symlink(library, fs::path(made.folder) / "lib" / library.filename(), error);
  }
  const std::string own = program_path().string();
  const Result<std::string> nvcc = find_nvcc();
  fs::path nvvm = chosen_nvvm(made);
  if (!nvvm.empty()) nvvm = fs::weakly_canonical(nvvm / "lib64" / "libnvvm.so", error);
  const uint64_t key = hash_of(own + "\n" + driver + "\n" + (nvcc ? *nvcc : "") + "\n" + nvvm.string());
  fs::path folder = fronts_folder() / fmt::format("{:016x}", key);
  const std::string script = fmt::format(
      "#!/bin/sh\n# In front of NVIDIA's compiler: warplens nvcc --explain … says what it changes.\n"
      "exec {} nvcc \"$@\"\n",
      quoted(own));
  if (!write_script(folder / "bin" / "nvcc", script)) {
    folder = made.folder;  // the cache cannot be written
    if (const auto written = write_script(folder / "bin" / "nvcc", script); !written) return written.error();
  }
  made.variables.emplace_back("PATH", in_front_of((folder / "bin").string(), "PATH"));
  made.variables.emplace_back("WARPLENS_PROGRAM_FOLDER", made.folder);
  if (!nvcc) return {};  // said when a program asks for it
  made.variables.emplace_back("WARPLENS_NVCC", *nvcc);
  preload_exec(made, driver, folder / "bin" / "nvcc");
  add_toolkit(made, folder, *nvcc);
  const fs::path library = runtime_library(driver, runtime_major(*nvcc));
  if (!fs::exists(library, error)) return {};
  if (const auto added = add_link_files(folder / "link", library, driver); !added) return added.error();
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

Result<CompiledProgram> plan_program(const std::string& source, const program_run::Surroundings& made,
                                     bool variables) {
  const Result<std::string> nvcc = find_nvcc();
  if (!nvcc) return nvcc.error();
  if (program_run::in_path("g++").find('/') == std::string::npos)
    return missing("nvcc builds programs with g++, which is not on this machine: sudo apt-get install g++");
  std::error_code error;
  const fs::path path = fs::absolute(source, error);
  const uint64_t key = hash_of(path.string() + "\n" + variable_in(made, "WARPLENS_PROGRAM_DEVICE") + "\n" +
                               *nvcc + (variables ? "\n-G" : ""));
  const fs::path folder = cache_folder() / "compiled" / fmt::format("{:016x}", key);
  const fs::path program = folder / path.stem(), dependencies = folder / "dependencies";
  if (is_up_to_date(program, dependencies)) return CompiledProgram{program.string(), {}};
  fs::create_directories(folder, error);
  if (error) return failed(fmt::format("{} cannot be written: {}.", folder.string(), error.message()));
  fs::remove(program, error);
  std::vector<std::string> command = {program_path().string(), "nvcc",        "-O2", "-MD",           "-MF",
                                      dependencies.string(),   path.string(), "-o",  program.string()};
  if (variables) command.insert(command.begin() + 2, "-G");
  return CompiledProgram{program.string(), std::move(command)};
}

Result<std::string> compile_program(const std::string& source, const program_run::Surroundings& made) {
  const Result<CompiledProgram> program = plan_program(source, made);
  if (!program) return program.error();
  if (program->command.empty()) return program->path;
  const Result<int> ended = program_run::run_child(program->command, made.variables);
  if (!ended) return ended.error();
  if (*ended != 0) return bad_input(fmt::format("{} does not compile: nvcc says above why.", source));
  return program->path;
}

}  // namespace warplens::nvcc
