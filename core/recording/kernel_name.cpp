#include "core/recording/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace warplens::recording {

namespace {

// Longer template arguments hide more than they tell.
constexpr size_t longest_shown = 24;
constexpr std::string_view unnamed = "(anonymous namespace)";

// The part of "void ns::add<float>(float*)" between the type and the parameters, with template arguments only
// if they are short.
std::string without_types(std::string_view plain) {
  std::string name;
  for (size_t at = 0; at < plain.size(); ++at) {
    if (plain.substr(at).starts_with(unnamed)) {
      name += unnamed;
      at += unnamed.size() - 1;
    } else if (plain[at] == '<') {
      const size_t begin = at;
      for (int depth = 1; depth > 0 && ++at < plain.size();)
        depth += plain[at] == '<' ? 1 : plain[at] == '>' ? -1 : 0;
      const std::string_view arguments = plain.substr(begin, at + 1 - begin);
      name += arguments.size() <= longest_shown ? arguments : std::string_view("<…>");
    } else if (plain[at] == '[' || plain[at] == '(') {
      break;  // a suffix that Numba appends, or the parameters
    } else if (plain[at] == ' ') {
      name.clear();
    } else {
      name += plain[at];
    }
  }
  return name;
}

}  // namespace

std::string readable_kernel_name(std::string_view mangled) {
  int status = 0;
  // What nvcc -rdc=true puts before the names of kernels that other files do not see.
  constexpr std::string_view of_one_file = "__nv_static_";
  const size_t begin = mangled.starts_with(of_one_file) ? mangled.find("__Z") : mangled.npos;
  if (begin != mangled.npos) mangled.remove_prefix(begin + 1);
  std::string text(mangled);
  if (!mangled.starts_with("_Z")) return text;  // "b" by itself would mean bool
  char* plain = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (plain == nullptr) return text;
  std::string name = without_types(plain);
  std::free(plain);
  return name.empty() ? text : name;
}

std::string short_kernel_name(const std::string& name) {
  const size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace warplens::recording
