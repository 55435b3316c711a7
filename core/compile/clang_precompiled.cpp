// The header that each source begins with, as clang keeps it after reading it ("precompiled header").
#include <fmt/format.h>

#include <filesystem>

#include "core/base/hash.h"
#include "core/base/system/files.h"
#include "core/compile/clang.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// Another clang, and other options, have another file.
std::string precompiled_file(const Clang& clang, const std::vector<std::string>& words,
                             const std::string& headers) {
  std::error_code error;
  const auto written = fs::last_write_time(clang.path, error);
  const uint64_t key = hash_of(
      fmt::format("{} {} {}", fmt::join(words, " "), clang.version, written.time_since_epoch().count()));
  return error ? "" : (fs::path(headers) / fmt::format("{:016x}.pch", key)).string();
}

Result<void> precompile(std::vector<std::string> words, const std::string& headers, const std::string& path) {
  // The header's time is not compared: two processes may write the same folder of headers at the same time.
  for (const char* word : {"-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", "-o"})
    words.emplace_back(word);
  words.push_back(path);
  words.push_back((fs::path(headers) / first_header).string());
  const Result<ProcessEnd> end = run_clang(words, "");
  if (!end) return end.error();
  std::error_code error;
  if (end->status != 0 || !fs::exists(path, error)) return failed("The header could not be precompiled.");
  return {};
}

}  // namespace

std::string precompiled_header(const Clang& clang, const CompileOptions& options,
                               const std::string& headers) {
  if (!options.extra.empty() || !options.include_directories.empty()) return "";
  const auto words = clang_words(clang, options, headers);
  if (!words) return "";
  std::string path = precompiled_file(clang, *words, headers);
  std::error_code error;
  if (path.empty() || fs::exists(path, error)) return path;
  if (!check_writable(path)) return "";  // in the sandbox
  const Result<void> made =
      write_with(path, [&](const std::string& part) { return precompile(*words, headers, part); });
  return made ? path : "";
}

}  // namespace warplens
