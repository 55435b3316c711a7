#include "core/system/paths.h"
#include "core/base/system/variable.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace warplens {

namespace fs = std::filesystem;

namespace {

constexpr const char* link_to_program = "/proc/self/exe";

// As in the XDG Base Directory Specification.
fs::path folder_of_user(const char* variable, const char* in_home) {
  if (const std::string chosen = environment_variable(variable); !chosen.empty()) return chosen;
  if (const std::string home = home_folder(); !home.empty()) return fs::path(home) / in_home;
  return {};
}

}  // namespace

fs::path program_path() {
  std::error_code error;
  fs::path path = fs::read_symlink(link_to_program, error);
  return error ? fs::path() : path;
}

std::string running_program() { return program_path().empty() ? "" : link_to_program; }

std::string home_folder() { return environment_variable("HOME"); }
fs::path folder_of_caches() { return folder_of_user("XDG_CACHE_HOME", ".cache"); }
fs::path folder_of_settings() { return folder_of_user("XDG_CONFIG_HOME", ".config"); }
fs::path folder_of_downloads() { return {}; }

std::string plain_temporary_folder() {
  const std::string chosen = environment_variable("TMPDIR");
  return chosen.empty() || chosen.find_first_of(" \t:;") != chosen.npos ? "/tmp" : chosen;
}

Result<std::string> make_folder_in(const fs::path& parent, std::string_view name) {
  std::string path = (parent / fmt::format("{}XXXXXX", name)).string();
  if (::mkdtemp(path.data()) != nullptr) return path;
  return failed(fmt::format("No folder could be made in {}: {}.", parent.string(), std::strerror(errno)));
}

}  // namespace warplens
