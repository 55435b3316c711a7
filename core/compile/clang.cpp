#include "core/compile/clang.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

#include "core/base/hash.h"
#include "core/base/system/files.h"
#include "core/compile/locations.h"
#include "core/compile/ptx_header.h"
#include "core/compile/refused_source.h"
#include "core/system/places.h"
#include "core/system/process.h"
#include "core/system/run_program.h"

namespace warplens {

namespace {

constexpr uint32_t oldest = 14;

// "Debian clang version 14.0.6" and "clang version 19.1.7 (3~deb12u1)".
std::string version_of(std::string_view said) {
  const std::string_view before = "clang version ";
  const size_t at = said.find(before);
  if (at == said.npos) return "";
  const std::string_view rest = said.substr(at + before.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

// The cache's file with the version of this clang; its name has all that changes with another clang.
std::string version_file(const std::string& path, std::filesystem::file_time_type written) {
  std::error_code error;
  const uint64_t key = hash_of(fmt::format("{} {} {}", path, written.time_since_epoch().count(),
                                           std::filesystem::file_size(path, error)));
  return error ? "" : (cache_folder() / fmt::format("clang-version-{:016x}", key)).string();
}

// Empty if it is not clang. Calling it takes 25 ms of processor time, and each compilation needs the version,
// so it is cached as long as the file does not change: here, and in a file for other processes.
std::string version_at(const std::string& path) {
  struct Known {
    std::filesystem::file_time_type written;
    std::string version;
  };
  static std::mutex mutex;
  static std::map<std::string, Known> known;
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  const std::lock_guard lock(mutex);
  if (const auto at = known.find(path); at != known.end() && !error && at->second.written == written)
    return at->second.version;
  const std::string file = error ? "" : version_file(path, written);
  if (!file.empty())
    if (const Result<std::string> stored = read_text(file, 64))
      return (known[path] = {written, *stored}).version;
  const Result<ProgramEnd> end = run_program(path, {"--version"}, std::chrono::seconds(20));
  if (!end) return "";
  const std::string version = version_of(end->output);
  if (!file.empty() && !version.empty()) (void)write_text(file, version);  // the next process asks again
  return (known[path] = {written, version}).version;
}

constexpr const char* how_to_get =
    "clang is in every distribution: apt install clang, and WARPLENS_CLANG may name one.";

// A line marker at the start replaces the compiler's name for standard input by the source's name.
std::string with_name(std::string_view source, const std::string& name) {
  std::string quoted;
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return fmt::format("# 1 \"{}\"\n{}", quoted, text_for_clang(source));
}

// A compiler cannot read the bitcode of a later version.
void explain_libclc(const Clang& clang, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.file.find(clang.libclc) != std::string::npos ||
        diagnostic.message.find(clang.libclc) != std::string::npos)
      diagnostic.message +=
          fmt::format(" ({} is of another version. {})", clang.libclc, how_to_get_libclc(clang));
}

// With the header of before this clang or its standard library, the compilation is tried again without it.
Result<ProcessEnd> run_clang_precompiled(const std::vector<std::string>& words, const Clang& clang,
                                         std::string& precompiled, const std::string& input, bool libclc,
                                         const std::stop_token& stop) {
  Result<ProcessEnd> end = run_clang(clang_command(words, clang, libclc, precompiled), input, stop);
  if (!end || end->status == 0 || precompiled.empty() || end->err.find(precompiled) == std::string::npos)
    return end;
  std::error_code ignored;
  std::filesystem::remove(precompiled, ignored);
  precompiled.clear();
  return run_clang(clang_command(words, clang, libclc, precompiled), input, stop);
}

}  // namespace

Result<ProcessEnd> run_clang(const std::vector<std::string>& words, const std::string& input,
                             std::stop_token stop) {
  ProcessLimits limits;
  limits.time = std::chrono::seconds(120);
  limits.output_bytes = uint64_t{64} << 20;
  // Folders from environment variables may contain NVIDIA's headers.
  std::vector<std::string> alone = {"env", "-u", "CPATH", "-u", "CPLUS_INCLUDE_PATH"};
  alone.insert(alone.end(), words.begin(), words.end());
  Result<ProcessEnd> end = run_limited(alone, input, limits, std::move(stop));
  if (!end) return end;
  if (end->stopped) return Error{ErrorKind::cancelled, "The compilation was cancelled."};
  if (end->timed_out) return failed("clang had not ended after 120 s, and was stopped.");
  return end;
}

Result<Clang> find_clang() {
  std::string too_old;
  for (const std::string& path : clang_candidates()) {
    const std::string version = version_at(path);
    const auto major = static_cast<uint32_t>(std::strtoul(version.c_str(), nullptr, 10));
    if (major >= oldest) return Clang{path, major, version, libclc_place()};
    if (!version.empty())
      too_old = fmt::format(" {} is version {}; {} or later is needed.", path, version, oldest);
  }
  return missing(
      fmt::format("There is no clang that compiles CUDA C++ on this machine.{} {}", too_old, how_to_get));
}

// nvcc accepts alignas after a memory space specifier. clang accepts it only before one, but accepts C's
// keyword anywhere.
std::string text_for_clang(std::string_view source) {
  std::string text(source);
  constexpr std::string_view specifiers[] = {"__shared__", "__constant__", "__device__"};
  for (const std::string_view specifier : specifiers)
    for (size_t at = text.find(specifier); at != text.npos; at = text.find(specifier, at + 1)) {
      const size_t next = text.find_first_not_of(" \t", at + specifier.size());
      if (next != text.npos && text.compare(next, 8, "alignas(") == 0) text.replace(next, 7, "_Alignas");
    }
  // nvcc also accepts kernel<< <grid, block>> >(…). Columns do not change.
  for (size_t at = text.find("<< <"); at != text.npos; at = text.find("<< <", at + 1)) {
    text.replace(at, 4, " <<<");
    const size_t close = text.find(">> >", at);
    if (close < text.find(';', at)) text.replace(close, 4, ">>> ");
  }
  return text;
}

std::string how_to_get_libclc(const Clang& clang) {
  return fmt::format("Mathematical functions come from libclc: apt install libclc-{}.", clang.major);
}

std::string defined_nowhere(const std::vector<std::string>& functions, const Clang& clang) {
  std::string message = fmt::format("{} is defined nowhere.", fmt::join(functions, ", "));
  if (clang.libclc.empty()) message += fmt::format(" {}", how_to_get_libclc(clang));
  return message;
}

Result<Compilation> compile_with_clang(const Clang& clang, std::string_view source, std::string_view name,
                                       const CompileOptions& options, std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::string program_name(name);
  const Result<std::string> headers = clang_header_folder();
  if (!headers) return headers.error();
  const auto words = clang_words(clang, options, *headers);
  if (!words) return words.error();
  std::string precompiled = precompiled_header(clang, options, *headers);
  const std::string input = with_name(source, program_name);
  Result<ProcessEnd> end = run_clang_precompiled(*words, clang, precompiled, input, false, stop);
  if (!end) return end.error();
  // Most kernels need no library, and the library is large.
  std::vector<std::string> lacks = missing_functions(end->out);
  if (!lacks.empty() && !clang.libclc.empty()) {
    end = run_clang_precompiled(*words, clang, precompiled, input, true, stop);
    if (!end) return end.error();
    lacks = missing_functions(end->out);
  }
  Compilation compilation;
  compilation.compiler = "clang " + clang.version;
  compilation.log = end->err;
  compilation.diagnostics = parse_clang_log(end->err);
  if (!clang.libclc.empty()) explain_libclc(clang, compilation.diagnostics);
  compilation.ok = end->status == 0 && lacks.empty();
  if (end->status == 0 && !lacks.empty()) {
    compilation.diagnostics.push_back({Severity::error, program_name, 0, 0, defined_nowhere(lacks, clang)});
  } else if (end->status == 0) {
    compilation.ptx =
        with_compiler(with_plain_file_name(std::move(end->out), program_name), compilation.compiler);
  } else if (compilation.diagnostics.empty()) {
    return refused_source(program_name, end->err.empty() ? "clang failed without a message" : end->err);
  }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  compilation.compile_ms = elapsed.count();
  return compilation;
}

}  // namespace warplens
