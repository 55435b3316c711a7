#include "driver/code/managed.h"

#include <cctype>

namespace warplens::driver {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

// The last word of a declaration in front of its size, its values or its end.
std::string name_in(std::string_view declaration) {
  size_t end = declaration.find_first_of("[=");
  if (end == std::string_view::npos) end = declaration.size();
  while (end > 0 && !is_word(declaration[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(declaration[begin - 1])) --begin;
  return std::string(declaration.substr(begin, end - begin));
}

}  // namespace

std::vector<std::string> managed_variables(std::string_view ptx) {
  std::vector<std::string> names;
  constexpr std::string_view attribute = ".attribute(.managed";
  for (size_t at = ptx.find(attribute); at != std::string_view::npos; at = ptx.find(attribute, at)) {
    at = ptx.find(')', at);
    const size_t end = ptx.find(';', at);
    if (end == std::string_view::npos) break;
    names.push_back(name_in(ptx.substr(at, end - at)));
    at = end;
  }
  return names;
}

}  // namespace warplens::driver
