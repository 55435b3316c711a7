#include "core/kernels/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/system/embedded.h"
#include "core/base/text.h"

namespace warplens {

namespace {

constexpr std::string_view folder = "kernels/";
constexpr std::string_view description_ending = ".json";

struct Catalogue {
  std::vector<KernelDescription> kernels;
  std::vector<std::string> mistakes;
};

Catalogue read_catalogue() {
  Catalogue made;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(folder) || !file.path.ends_with(description_ending)) continue;
    Result<KernelDescription> kernel = parse_kernel(file.bytes, file.path);
    if (!kernel) {
      made.mistakes.push_back(kernel.error().message);
      continue;
    }
    const std::string stem = kernel->source_name.substr(0, kernel->source_name.rfind('.'));
    kernel->source = find_embedded(fmt::format("{}{}", folder, kernel->source_name));
    kernel->ptx = find_embedded(fmt::format("{}{}.ptx", folder, stem));
    if (!kernel->ptx.empty()) made.kernels.push_back(std::move(*kernel));
  }
  std::ranges::stable_sort(made.kernels, {}, &KernelDescription::order);
  return made;
}

const Catalogue& catalogue() {
  static const Catalogue read = read_catalogue();
  return read;
}

}  // namespace

const std::vector<KernelDescription>& built_in_kernels() { return catalogue().kernels; }
const std::vector<std::string>& kernel_mistakes() { return catalogue().mistakes; }

std::vector<std::string> kernel_categories() {
  std::vector<std::string> categories;
  for (const KernelDescription& kernel : built_in_kernels())
    if (std::ranges::find(categories, kernel.category) == categories.end())
      categories.push_back(kernel.category);
  return categories;
}

Result<const KernelDescription*> find_kernel(std::string_view name) {
  std::string known;
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (lower_case(kernel.name) == lower_case(name)) return &kernel;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  return bad_input(fmt::format("There is no built-in kernel named \"{}\"; there are {}.", name,
                               known.empty() ? "none in this build" : known));
}

std::string resources_key(std::string_view kernel, uint32_t max_registers) {
  return max_registers == 0 ? std::string(kernel) : fmt::format("{}@{}", kernel, max_registers);
}

}  // namespace warplens
