#include "core/compile/kernel_headers.h"

#include <sstream>
#include <vector>

#include "core/base/system/embedded.h"

namespace warplens {

namespace {

std::vector<KernelHeader> read_kernel_headers() {
  std::vector<KernelHeader> headers;
  std::istringstream lines{std::string(find_embedded("kernel_headers/headers.txt"))};
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    const std::string text(find_embedded("kernel_headers/" + line.substr(0, colon)));
    std::istringstream names(line.substr(colon + 1));
    for (std::string name; names >> name;) headers.push_back({name, text});
  }
  return headers;
}

}  // namespace

std::span<const KernelHeader> kernel_headers() {
  static const std::vector<KernelHeader> headers = read_kernel_headers();
  return headers;
}

}  // namespace warplens
