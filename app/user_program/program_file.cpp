#include "app/user_program/program_file.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "app/user_program/compiled_program.h"
#include "core/base/text.h"
#include "core/system/files.h"
#include "core/system/places.h"

namespace warplens::program_run {

namespace {

// Only a regular file is read: a pipe would wait for its other end.
bool begins_as_a_program(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  char first[4] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(first, sizeof first);
  const std::string_view read(first, static_cast<size_t>(file.gcount()));
  return read.starts_with("#!") || read ==
                                       "\x7f"
                                       "ELF";
}

}  // namespace

bool is_script(std::string_view path) { return lower_case(path).ends_with(".py"); }

bool is_program_file(const std::string& path) {
  return is_script(path) || nvcc::is_program_source(path) || (may_execute(path) && begins_as_a_program(path));
}

std::vector<std::string> command_of(const std::string& path) {
  if (is_script(path)) return {chosen_python(), path};
  return {path};
}

}  // namespace warplens::program_run
