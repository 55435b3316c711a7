#include "app/user_program/program_libraries.h"

#include <fmt/format.h>

#include <sstream>

#include "app/user_program/environment.h"
#include "core/base/system/files.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;
using program_run::write_script;

namespace {

// The versions of libraries that come with CUDA 12 and 13, as NVIDIA counts them.
struct LibraryVersions {
  const char* name;
  int with_12, with_13;
};
constexpr LibraryVersions library_versions[] = {
    {"cublas", 12, 13},   {"cublasLt", 12, 13}, {"curand", 10, 10}, {"cufft", 11, 12},
    {"cusolver", 11, 12}, {"cusparse", 12, 12}, {"nccl", 2, 2}};

fs::path library_of(const LibraryVersions& one, const fs::path& driver, int major) {
  return driver.parent_path().parent_path() / "libraries" /
         fmt::format("lib{}.so.{}", one.name, major == 12 ? one.with_12 : one.with_13);
}

// What a linker finds as -lcublas: a text that names our library.
Result<void> add_link_file(const fs::path& folder, const char* name, const fs::path& library,
                           const std::string& driver) {
  const std::string text =
      fmt::format("INPUT(\"{}\" AS_NEEDED(\"{}\" -lstdc++))\n", library.string(), driver);
  for (const char* end : {".so", "_static.a"})
    if (const auto written = write_script(folder / fmt::format("lib{}{}", name, end), text); !written)
      return written.error();
  return {};
}

}  // namespace

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

fs::path runtime_library(const fs::path& driver, int major) {
  return driver.parent_path().parent_path() / "runtime" / fmt::format("libcudart.so.{}", major);
}

// A runtime library that is named by its path, as CMake does, becomes a name, also in the response files that
// they pass on; the first folder is ours.
std::string linker_script(const std::string& linker, const std::string& folder) {
  return fmt::format(R"(#!/bin/sh
# In front of the linker: programs are linked with the runtime library of WarpLens, and with its cuBLAS and its like.
first=yes made=
for word in "$@"; do
  [ $first = yes ] && {{ set --; first=no; }}
  case "$word" in
    */libcudart_static.a|*/libcudart.so|*/libcudart.so.*) word=-lcudart ;;
    */libcublas*|*/libcurand*|*/libcufft*|*/libcusolver*|*/libcusparse*|*/libnccl*)
        name=${{word##*/lib}} name=${{name%%.*}} name=${{name%_static}}
        [ -e {1}/lib$name.so ] && word=-l$name ;;
    @*) file=$(mktemp) || exit 1
        sed -E -e 's#[^" ]*/libcudart(_static\.a|\.so[.0-9]*)#-lcudart#g' \
            -e 's#[^" ]*/lib(cublasLt|cublas|curand|cufft|cusolver|cusparse|nccl)(_static\.a|\.so[.0-9]*)#-l\1#g' \
            "${{word#@}}" > "$file"
        made="$made $file" word="@$file" ;;
  esac
  set -- "$@" "$word"
done
[ -z "$made" ] && exec {0} -L {1} "$@" --enable-new-dtags
{0} -L {1} "$@" --enable-new-dtags
status=$?
rm -f $made
exit $status
)",
                     quoted(linker), quoted(folder));
}

// What links look for under NVIDIA's names. A linker wants to see what a shared library needs: the driver.
// What nvcc makes of a kernel has static variables with a guard, which a link by gcc lacks.
Result<void> add_link_files(const fs::path& folder, const std::string& driver, int major) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (const auto added = add_link_file(folder, "cudart", runtime_library(driver, major), driver); !added)
    return added.error();
  for (const LibraryVersions& one : library_versions) {
    const fs::path library = library_of(one, driver, major);
    if (!fs::exists(library, error)) continue;
    if (const auto added = add_link_file(folder, one.name, library, driver); !added) return added.error();
  }
  fs::create_symlink(driver, folder / "libcuda.so", error);
  return {};
}

void link_libraries(const fs::path& driver, const fs::path& to, int major) {
  std::error_code error;
  const auto link = [&](const fs::path& library, const fs::path& name) {
    if (fs::exists(library, error)) fs::create_symlink(library, to / name, error);
  };
  for (const int one : {12, 13}) link(runtime_library(driver, one), runtime_library(driver, one).filename());
  link(runtime_library(driver, major), "libcudart.so");
  for (const LibraryVersions& one : library_versions) {
    for (const int other : {12, 13})
      link(library_of(one, driver, other), library_of(one, driver, other).filename());
    link(library_of(one, driver, major), fmt::format("lib{}.so", one.name));
  }
  // The runtime for kernels is the virtual GPU's own. Programs that link kernels, as PyCUDA does, look for
  // the file.
  (void)write_text((to / "libcudadevrt.a").string(), "!<arch>\n");
}

// What a text in CUDA C++ is linked with, by the headers that it includes itself.
std::vector<IncludedLibrary> libraries_of(const std::string& text) {
  constexpr IncludedLibrary libraries[] = {{"cublas_v2.h", "cublas"},  {"cublasLt.h", "cublasLt"},
                                           {"curand.h", "curand"},     {"cufft.h", "cufft"},
                                           {"cufftXt.h", "cufft"},     {"cusolverDn.h", "cusolver"},
                                           {"cusparse.h", "cusparse"}, {"nccl.h", "nccl"}};
  std::vector<IncludedLibrary> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("#include") == std::string::npos) continue;
    for (const IncludedLibrary& library : libraries)
      if (line.find(fmt::format("<{}>", library.header)) != std::string::npos ||
          line.find(fmt::format("\"{}\"", library.header)) != std::string::npos)
        found.push_back(library);
  }
  return found;
}

}  // namespace warplens::nvcc
