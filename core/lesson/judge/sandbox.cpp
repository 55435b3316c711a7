#include "core/lesson/judge/sandbox.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/text.h"
#include "core/system/library.h"
#include "core/system/places.h"

namespace warplens::lesson {

namespace {

// A compiler and the files that it loads from its own folder. Not the whole folder, since it may contain
// other files.
std::vector<std::string> files_of_compiler(const std::string& compiler) {
  std::vector<std::string> files{compiler};
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(compiler).parent_path(), error))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins")) files.push_back(entry.path());
  return files;
}

// The files that the compiler and the program itself must read.
std::vector<std::string> readable_paths(const std::string& program) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path) {
    std::error_code ignored;
    // Everything below /usr is already readable.
    if (!path.empty() && !path.starts_with("/usr/") && std::filesystem::exists(path, ignored))
      paths.push_back(path);
  };
  add(program);
  for (const std::string& library : loaded_libraries()) add(library);  // an installed program has its own
  const std::filesystem::path folder = std::filesystem::path(program).parent_path();
  add((folder.parent_path() / "share" / "warplens").string());
  // What programs find in place of CUDA's own libraries, as built and as installed.
  for (const char* part : {"driver", "runtime", "libraries"}) add((folder / part).string());
  add((folder.parent_path() / "lib" / "warplens").string());
  add(cache_folder().string());
  for (const std::string& toolkit : toolkit_folders()) add(toolkit);
  if (const std::optional<std::string> clang = chosen_path("WARPLENS_CLANG"); clang && !clang->empty()) {
    // Its libraries and headers are next to its folder of programs.
    std::error_code unknown;
    const std::filesystem::path installed =
        std::filesystem::weakly_canonical(*clang, unknown).parent_path().parent_path();
    for (const char* part : {"bin", "lib"}) add((installed / part).string());
  }
  add(chosen_path("WARPLENS_LIBCLC").value_or(""));
  for (const char* variable : {"WARPLENS_NVRTC", "WARPLENS_PTXAS", "WARPLENS_PTXAS12"})
    if (const std::optional<std::string> chosen = chosen_path(variable); chosen && !chosen->empty())
      for (const std::string& file : files_of_compiler(*chosen)) add(file);
  if (const std::optional<std::string> chosen = chosen_path("WARPLENS_CUDA_INCLUDE_DIRS"))
    for (const std::string& path : split_paths(*chosen)) add(path);
  return paths;
}

}  // namespace

bool speaks_of_memory(std::string_view text) {
  return text.find("bad_alloc") != text.npos || text.find("out of memory") != text.npos ||
         text.find("emory exhausted") != text.npos || text.find("annot allocate memory") != text.npos ||
         text.find("MemoryError") != text.npos;
}

Result<void> sandbox_works() {
  static const Result<void> works = []() -> Result<void> {
    ProcessLimits limits;
    limits.time = std::chrono::seconds(10);
    const Result<ProcessEnd> tried = run_limited(in_sandbox({"/bin/true"}, {}, OfSystem::all), "", limits);
    if (!tried) return missing("bubblewrap is not installed (Debian: apt install bubblewrap).");
    if (tried->status != 0)
      return missing(fmt::format("bubblewrap does not work on this machine: {}", trimmed(tried->err)));
    return {};
  }();
  return works;
}

Result<OtherUser> judge_user() {
  static const Result<OtherUser> user = []() -> Result<OtherUser> {
    const std::string name = chosen_path("WARPLENS_JUDGE_USER").value_or("warplens-judge");
    const Result<OtherUser> found = find_other_user(name);
    if (!found) return found.error();
    ProcessLimits limits;
    limits.time = std::chrono::seconds(10);
    limits.user = *found;
    const Result<ProcessEnd> tried = run_limited({"/bin/true"}, "", limits);
    if (!tried) return tried.error();
    if (tried->status != 0) return missing(fmt::format("nothing can be run as the user {}.", name));
    return *found;
  }();
  return user;
}

std::string why_not_apart() {
  const Result<void> sandbox = sandbox_works();
  if (sandbox) return {};
  const Result<OtherUser> user = judge_user();
  if (user) return {};
  return fmt::format("{} Nor is there a user of its own for answers: {}", sandbox.error().message,
                     user.error().message);
}

std::vector<std::string> in_sandbox(const std::vector<std::string>& words,
                                    const std::vector<std::string>& readable, OfSystem of_system) {
  std::vector<std::string> all = {"bwrap",         "--unshare-all", "--die-with-parent",
                                  "--new-session", "--cap-drop",    "ALL"};
  const auto add = [&](std::initializer_list<std::string> more) { all.insert(all.end(), more); };
  for (const char* path : {"/lib", "/lib64", "/lib32", "/etc/ld.so.cache", "/etc/alternatives"})
    add({"--ro-bind-try", path, path});
  if (of_system == OfSystem::all)
    for (const char* path : {"/usr", "/bin", "/sbin"}) add({"--ro-bind-try", path, path});
  else
    for (const char* path : {"/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local"})
      add({"--ro-bind-try", path, path});
  add({"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"});
  add({"--setenv", "TMPDIR", "/tmp"});  // that of this process may not be there
  for (const std::string& path : readable) add({"--ro-bind", path, path});
  add({"--chdir", "/tmp"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Result<ProcessEnd> run_in_sandbox(const std::vector<std::string>& words, std::string_view input,
                                  const ProcessLimits& limits, std::stop_token stop) {
  return run_limited(in_sandbox(words, readable_paths(words[0]), OfSystem::all), input, limits,
                     std::move(stop));
}

}  // namespace warplens::lesson
