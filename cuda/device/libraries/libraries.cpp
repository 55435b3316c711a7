#include "cuda/device/libraries/libraries.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <type_traits>

#include "core/system/library.h"
#include "cuda/device/driver/driver_library.h"

namespace warplens::cuda {

namespace {

// Major versions of a library, newest first, each with the CUDA version that a driver must support for it.
struct Major {
  int library, cuda;
};

std::vector<std::string> folders() {
  std::vector<std::string> found{""};  // wherever the system's loader looks
  if (const char* list = std::getenv("WARPLENS_CUDA_LIBRARIES")) {
    std::istringstream parts(list);
    for (std::string folder; std::getline(parts, folder, ':');)
      if (!folder.empty()) found.push_back(folder + "/");
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(variable); toolkit != nullptr && *toolkit != '\0')
      found.push_back(std::string(toolkit) + "/lib64/");
  found.emplace_back("/usr/local/cuda/lib64/");
  return found;
}

template <class Table>
Result<Table> load(std::string_view name, const std::vector<Major>& majors, int driver_version) {
  if (const char* wanted = std::getenv("WARPLENS_CUDA_LIBRARIES");
      wanted && std::string_view(wanted) == "none")
    return missing(
        fmt::format("{} is left alone, because WARPLENS_CUDA_LIBRARIES is set to none.", Table::title));
  std::vector<std::string> candidates;
  for (const Major& major : majors)
    for (const std::string& folder : folders())
      if (major.cuda <= driver_version)
        candidates.push_back(folder + toolkit_library_name(name, major.library));
  const Result<DynamicLibrary> library = DynamicLibrary::open_first(candidates);
  if (!library)
    return missing(fmt::format(
        "{0} is not on this machine, so its row is missing: install it (pip install nvidia-{1}-cu{2}, or a "
        "CUDA toolkit) and let WARPLENS_CUDA_LIBRARIES name its folder.",
        Table::title, name, driver_version >= 13000 ? 13 : 12));
  Table table;
  std::string lacking;
  table.each([&](const char* symbol, auto& function) {
    function = library->template function<std::remove_pointer_t<std::remove_reference_t<decltype(function)>>>(
        symbol);
    if (function == nullptr) lacking += (lacking.empty() ? "" : ", ") + std::string(symbol);
  });
  if (!lacking.empty()) return missing(fmt::format("{} lacks {}.", library->path(), lacking));
  return table;
}

}  // namespace

Libraries load_libraries(int driver_version) {
  Libraries libraries;
  libraries.cublas = load<Cublas>("cublas", {{13, 13000}, {12, 12000}, {11, 11000}}, driver_version);
  libraries.cusolver = load<Cusolver>("cusolver", {{12, 13000}, {11, 11000}}, driver_version);
  libraries.curand = load<Curand>("curand", {{10, 11000}}, driver_version);
  return libraries;
}

// From cuBLAS 12 and cuSOLVER 12 on, the major version is multiplied by 10,000; before, and in cuRAND, by
// 1,000.
std::string library_version(int number) {
  if (number >= 100000) return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
  return fmt::format("{}.{}.{}", number / 1000, number / 100 % 10, number % 100);
}

}  // namespace warplens::cuda
