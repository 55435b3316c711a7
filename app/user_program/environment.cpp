#include "app/user_program/environment.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "app/user_program/compiled_program.h"
#include "app/user_program/folder.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/base/system/variable.h"
#include "core/compile/choice.h"
#include "core/system/files.h"
#include "core/system/own_process.h"
#include "core/system/places.h"
#include "warplens_config.h"

namespace warplens::program_run {

namespace fs = std::filesystem;

std::string in_front_of(const std::string& first, const char* name) {
  const std::string rest = environment_variable(name);
  return rest.empty() ? first : first + ":" + rest;
}

// Another launcher may run the script meanwhile: one that is as it should be stays, and a new one takes its
// place at once.
Result<void> write_script(const fs::path& path, const std::string& text) {
  constexpr uint64_t largest_script = 1 << 20;
  if (const Result<std::string> there = read_text(path.string(), largest_script); there && *there == text)
    return {};
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path unnamed = fmt::format("{}.{}", path.string(), own_process_id());
  if (const auto written = write_text(unnamed.string(), text); !written) return written.error();
  fs::permissions(unnamed, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec, error);
  fs::rename(unnamed, path, error);
  if (error) return failed(fmt::format("{} cannot be written: {}.", path.string(), error.message()));
  return {};
}

namespace {

// On a real GPU, for launches that shall be run again: PyCUDA asks nvcc for machine code, and PTX is what can
// run here. The names of the files stay.
constexpr const char* nvcc_script = R"(#!/bin/sh
# In front of the real nvcc, for launches that are recorded: PTX in place of machine code.
here=$(dirname "$0")
PATH=$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$here" | paste -sd: -)
real=$(command -v nvcc) || { echo "nvcc: not found; a program that compiles CUDA C++ needs NVIDIA's compiler" >&2; exit 127; }
cubin=no out=no source=
for argument in "$@"; do
  case "$argument" in
    --cubin|-cubin|--fatbin|-fatbin) cubin=$(printf '%s' "$argument" | tr -d -) ;;
    -o|--output-file) out=yes ;;
    *.cu) source=$argument ;;
  esac
done
[ "$cubin" = no ] && exec "$real" "$@"
first=yes
for argument in "$@"; do
  [ $first = yes ] && { set --; first=no; }
  case "$argument" in
    --cubin|-cubin|--fatbin|-fatbin) set -- "$@" --ptx ;;
    *) set -- "$@" "$argument" ;;
  esac
done
[ $out = no ] && [ -n "$source" ] && set -- "$@" -o "$(basename "${source%.cu}").$cubin"
exec "$real" "$@"
)";

// The folders of NVIDIA's wheels in the Python environment.
std::vector<fs::path> wheel_folders(const std::string& command) {
  std::vector<fs::path> folders;
  std::vector<fs::path> roots{fs::path(in_path(command)).parent_path().parent_path()};
  if (const std::string venv = environment_variable("VIRTUAL_ENV"); !venv.empty()) roots.emplace_back(venv);
  for (const fs::path& root : roots) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / "lib", error)) {
      if (entry.path().filename().string().starts_with("python"))
        folders.push_back(entry.path() / "site-packages" / "nvidia");
    }
  }
  return folders;
}

// Folders with lib64 and libdevice: WARPLENS_NVVM, what the Python environment brings, what set-up brought,
// and toolkits.
std::vector<fs::path> nvvm_folders(const std::string& command) {
  std::vector<fs::path> folders;
  if (const std::string chosen = environment_variable("WARPLENS_NVVM"); !chosen.empty())
    folders.emplace_back(chosen);
  for (const fs::path& wheels : wheel_folders(command)) {
    for (const char* wheel : {"cuda_nvcc", "cu12", "cu13"}) folders.push_back(wheels / wheel / "nvvm");
  }
  for (const std::string& place : places_of({}, std::string("nvvm-") + config::nvvm_version))
    folders.emplace_back(place);
  for (const std::string& toolkit : toolkit_folders()) folders.push_back(fs::path(toolkit) / "nvvm");
  return folders;
}

std::optional<fs::path> library_in(const fs::path& folder) {
  for (const char* name : {"libnvvm.so.4", "libnvvm.so", "libnvvm.so.3"}) {
    if (is_there(folder / "lib64" / name)) return folder / "lib64" / name;
  }
  return std::nullopt;
}

// Numba wants CUDA_HOME with nvvm/lib64/libnvvm.so.N and nvvm/libdevice. What the user chose stays.
void add_nvvm(ProgramEnvironment& made, const std::string& command) {
  if (const std::string chosen = environment_variable("CUDA_HOME");
      !chosen.empty() && library_in(fs::path(chosen) / "nvvm"))
    return;
  for (const fs::path& folder : nvvm_folders(command)) {
    const auto library = library_in(folder);
    if (!library || !is_there(folder / "libdevice")) continue;
    std::error_code error;
    const fs::path home = fs::path(made.folder) / "cuda";
    fs::create_directories(home / "nvvm" / "lib64", error);
    for (const char* name : {"libnvvm.so", "libnvvm.so.4"})
      fs::create_symlink(*library, home / "nvvm" / "lib64" / name, error);
    fs::create_directory_symlink(folder / "libdevice", home / "nvvm" / "libdevice", error);
    made.variables.emplace_back("CUDA_HOME", home.string());
    return;
  }
}

// NVIDIA's linker of a version of CUDA, as the Python environment or a toolkit has it. Numba-CUDA-MLIR cannot
// do without; numba-cuda would make LTO-IR of every kernel if it found one, and takes longer for the same
// PTX.
std::optional<fs::path> nvidia_linker(const std::string& command, const std::string& version) {
  std::vector<fs::path> folders;
  bool is_needed = false;
  for (const fs::path& wheels : wheel_folders(command)) {
    is_needed |= is_there(wheels.parent_path() / "numba_cuda_mlir" / "__init__.py");
    for (const std::string& wheel : {std::string("nvjitlink"), "cu" + version})
      folders.push_back(wheels / wheel / "lib");
  }
  if (!is_needed) return std::nullopt;
  for (const std::string& toolkit : toolkit_folders()) folders.push_back(fs::path(toolkit) / "lib64");
  for (const fs::path& folder : folders) {
    const fs::path path = folder / ("libnvJitLink.so." + version);
    if (is_there(path)) return path;
  }
  return std::nullopt;
}

// What programs find in the place of nvJitLink, which makes machine code. If it can call NVIDIA's own, the
// virtual GPU has a linker that makes PTX (cuda/stand_in/driver/linker). Else there is a library with nothing
// in it, so that numba-cuda hands PTX to the driver.
std::vector<fs::path> add_linkers(ProgramEnvironment& made, const fs::path& driver,
                                  const std::string& command, bool is_real) {
  std::vector<fs::path> found;
  // Next to the driver; the library that wraps a real driver has its folder next to the driver's.
  fs::path folder = driver.parent_path();
  if (!is_there(folder / "empty")) folder = folder.parent_path() / "driver";
  for (const std::string version : {"12", "13"}) {
    const auto nvidia = is_real ? std::nullopt : nvidia_linker(command, version);
    const fs::path path = folder / (nvidia ? "linker" : "empty") / ("libnvJitLink.so." + version);
    if (nvidia) made.variables.emplace_back("WARPLENS_NVJITLINK_" + version, nvidia->string());
    if (is_there(path)) found.push_back(path);
  }
  if (found.empty()) return found;
  // numba-cuda says so each time: that is on purpose here.
  const std::string before = environment_variable("PYTHONWARNINGS");
  made.variables.emplace_back("PYTHONWARNINGS", (before.empty() ? "" : before + ",") +
                                                    "ignore:libnvJitLink.so* is too old:RuntimeWarning");
  return found;
}

// Loaded before all other libraries into each process, through links: a space in a path would end it in
// LD_PRELOAD.
void preload(ProgramEnvironment& made, const std::vector<fs::path>& libraries) {
  std::string list;
  std::error_code error;
  const fs::path folder = fs::path(made.folder) / "preload";
  fs::create_directories(folder, error);
  for (const fs::path& library : libraries) {
    fs::create_symlink(library, folder / library.filename(), error);
    list += (list.empty() ? "" : ":") + (folder / library.filename()).string();
  }
  if (!list.empty()) made.variables.emplace_back("LD_PRELOAD", in_front_of(list, "LD_PRELOAD"));
}

// Numba leaves line information out unless a script asks for it: without it, a fault has no line.
void add_lines(ProgramEnvironment& made) {
  const fs::path folder = fs::path(made.folder) / "python";
  std::error_code error;
  fs::create_directories(folder, error);
  std::string text(find_embedded("program/numba_lines.py"));
  text += find_embedded("program/sitecustomize.py");
  if (write_text((folder / "sitecustomize.py").string(), text))
    made.variables.emplace_back("PYTHONPATH", in_front_of(folder.string(), "PYTHONPATH"));
}

}  // namespace

std::string in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  for (const std::string& folder : split_paths(environment_variable("PATH"))) {
    const fs::path path = fs::path(folder) / name;
    if (may_execute(path.string())) return path.string();
  }
  return name;
}

Result<std::string> find_driver() {
  std::vector<fs::path> places;
  if (const auto chosen = chosen_path("WARPLENS_DRIVER"); chosen && !chosen->empty())
    places.emplace_back(*chosen);
  const fs::path folder = program_path().parent_path();
  places.push_back(folder / "driver" / "libcuda.so.1");
  // cuda/stand_in/driver/CMakeLists.txt installs it there, where no loader looks.
  places.push_back(folder.parent_path() / "lib" / "warplens" / "driver" / "libcuda.so.1");
  for (const fs::path& place : places) {
    if (is_there(place)) return fs::absolute(place).string();
  }
  return missing(
      "The driver for programs (libcuda.so.1) is not in this program's folder. The wheel and the archive "
      "have it; "
      "in a checkout tools/run program … builds it, and its libraries, from the CUDA headers, "
      "libzstd, "
      "liblz4 and Eigen, which tools/setup brings.");
}

namespace {

// Tools that compile for the virtual GPU, or for launches that it shall run again: PTX in place of machine
// code.
Result<void> add_nvcc(ProgramEnvironment& made, const std::string& driver, bool is_real) {
  made.variables.emplace_back("PYCUDA_CACHE_DIR", made.folder + "/pycuda");
  if (!is_real) {
    // CuPy compiles by NVRTC, and keeps what it compiled: machine code of a real GPU may be among it.
    made.variables.emplace_back("CUPY_COMPILE_WITH_PTX", "1");
    made.variables.emplace_back("CUPY_CACHE_DIR", (cache_folder() / "cupy").string());
    return nvcc::put_in_front(made, driver);
  }
  // Libraries of the toolkit are searched for next to its compiler.
  std::error_code found;
  const fs::path libraries =
      fs::weakly_canonical(in_path("nvcc"), found).parent_path().parent_path() / "lib64";
  if (!found && is_there(libraries / "libcudadevrt.a"))
    fs::create_directory_symlink(libraries, fs::path(made.folder) / "lib64", found);
  if (const auto written = write_script(made.folder + "/bin/nvcc", nvcc_script); !written)
    return written.error();
  made.variables.emplace_back("PATH", in_front_of(made.folder + "/bin", "PATH"));
  return {};
}

void add_choices(ProgramEnvironment& made, const Choices& choices) {
  auto& variables = made.variables;
  std::string devices = choices.device;
  for (const std::string& further : choices.further_devices) devices += "," + further;
  variables.emplace_back("WARPLENS_PROGRAM_DEVICE", devices);
  variables.emplace_back("WARPLENS_PROGRAM_JOURNAL", made.journals);
  variables.emplace_back("WARPLENS_PROGRAM_CLOCK", choices.clock);
  variables.emplace_back("WARPLENS_PROGRAM_SANITIZE", choices.sanitize);
  variables.emplace_back("WARPLENS_PROGRAM_QUIET", choices.quiet ? "1" : "0");
  variables.emplace_back("WARPLENS_PROGRAM_ERRORS", name_of_errors());
  if (const auto compiler = chosen_compiler())
    variables.emplace_back(compiler_variable, to_string(*compiler));
  if (!choices.finds_waits) variables.emplace_back("WARPLENS_PROGRAM_WAITS", "no");
  if (!choices.stream_order.empty()) variables.emplace_back("WARPLENS_PROGRAM_ORDER", choices.stream_order);
  if (!choices.counts) variables.emplace_back("WARPLENS_PROGRAM_OBSERVE", "none");
  if (choices.passes_faults) variables.emplace_back("WARPLENS_PROGRAM_ON_FAULT", "continue");
  if (!choices.steps.empty()) variables.emplace_back("WARPLENS_PROGRAM_STEPS", choices.steps);
  if (!choices.record) return;
  variables.emplace_back("WARPLENS_PROGRAM_RECORD", made.launches);
  variables.emplace_back("WARPLENS_PROGRAM_LAUNCHES", choices.launches);
  variables.emplace_back("WARPLENS_PROGRAM_RECORD_LIMIT", std::to_string(choices.record_limit));
}

}  // namespace

Result<ProgramEnvironment> make_environment(const std::string& driver, const Choices& choices,
                                            const std::string& command) {
  const Result<std::string> folder = make_folder();
  if (!folder) return folder.error();
  ProgramEnvironment made{*folder, *folder + "/journals", *folder + "/launches", {}};
  const Result<int> lock =
      write_note(*folder, {choices.command, choices.device, choices.record, choices.record_limit});
  FolderGuard guard(made.folder, lock ? *lock : -1);
  if (!lock) return lock.error();
  made.lock = *lock;
  std::error_code error;
  for (const char* name : {"lib", "bin", "journals", "launches", "pycuda"})
    fs::create_directories(fs::path(*folder) / name, error);
  for (const char* name : {"libcuda.so.1", "libcuda.so"})
    fs::create_symlink(driver, fs::path(*folder) / "lib" / name, error);
  made.variables = {{"LD_LIBRARY_PATH", in_front_of(*folder + "/lib", "LD_LIBRARY_PATH")},
                    {"NUMBA_CUDA_DRIVER", *folder + "/lib/libcuda.so.1"}};
  add_choices(made, choices);
  const bool is_real = !choices.gpu_variables.empty();
  made.variables.insert(made.variables.end(), choices.gpu_variables.begin(), choices.gpu_variables.end());
  // On a real GPU the program has what it needs; only launches that shall be run again need their PTX.
  // NVIDIA's linker stays unless that is asked for: PyTorch and others need it.
  if (!is_real) add_nvvm(made, command);
  if (!is_real && choices.lines) add_lines(made);
  if (!choices.lines) made.variables.emplace_back("WARPLENS_PROGRAM_LINES", "no");
  std::vector<fs::path> first;
  if (const fs::path calls = fs::path(driver).parent_path() / "libwarplens_preload.so";
      !is_real && is_there(calls))
    first.push_back(calls);
  if (!is_real || choices.ptx)
    for (fs::path& linker : add_linkers(made, driver, command, is_real)) first.push_back(std::move(linker));
  preload(made, first);
  if (!is_real || choices.record) {
    if (const auto added = add_nvcc(made, driver, is_real); !added) return added.error();
  }
  guard.keep();
  return made;
}

}  // namespace warplens::program_run
