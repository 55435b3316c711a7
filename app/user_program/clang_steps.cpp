#include "app/user_program/clang_steps.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/user_program/fat_binary.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/system/attached.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t largest_text = uint64_t{256} << 20;

// Folders that the environment names may be NVIDIA's, and what clang starts is not to come back here.
const std::vector<std::pair<std::string, std::string>> variables{
    {"CPATH", ""}, {"C_INCLUDE_PATH", ""}, {"CPLUS_INCLUDE_PATH", ""}, {"WARPLENS_FRONT", ""}};

// Where clang must read another text than the file has, a file of its own stands in the file's place;
// messages and lines name the file. The option that says so, or nothing.
Result<std::vector<std::string>> replaced_text(const std::string& source, const std::string& scratch) {
  const Result<std::string> text = read_text(source, largest_text);
  if (!text) return std::vector<std::string>();  // clang says why
  const std::string read = text_for_clang(*text);
  if (read == *text) return std::vector<std::string>();
  std::error_code error;
  const std::string own = scratch + "/text.cu", overlay = scratch + "/overlay.json";
  if (const auto written = write_text(own, read); !written) return written.error();
  const Json file = {{"type", "file"},
                     {"name", fs::absolute(source, error).lexically_normal().string()},
                     {"external-contents", own}};
  const Json rows = {{"version", 0}, {"use-external-names", false}, {"roots", Json::array({file})}};
  const auto written = write_text(overlay, json_values::one_line(rows));
  if (!written) return written.error();
  return std::vector<std::string>{"-ivfsoverlay", overlay};
}

}  // namespace

Result<ClangTools> clang_tools(const Clang& clang, uint32_t capability, const std::string& scratch,
                               const std::string& libraries) {
  const Result<std::string> headers = clang_header_folder();
  if (!headers) return headers.error();
  const auto device = clang_device_words(clang, ComputeCapability{capability / 10, capability % 10});
  if (!device) return device.error();
  return ClangTools{.clang = clang.path,
                    .major = clang.major,
                    .version = clang.version,
                    .device_words = *device,
                    .headers = *headers,
                    .libraries = libraries,
                    .capability = capability,
                    .scratch = scratch,
                    .is_toolkit = [](const std::string& folder) {
                      std::error_code error;
                      return fs::exists(fs::path(folder) / "crt" / "host_defines.h", error);
                    }};
}

Result<int> run_clang_step(const Step& step, const Clang& clang, const ClangTools& tools, std::ostream& err) {
  std::vector<std::string> words = step.words;
  if (!step.source.empty()) {
    const auto replaced = replaced_text(step.source, tools.scratch);
    if (!replaced) return replaced.error();
    words.insert(words.begin() + 1, replaced->begin(), replaced->end());
  }
  Result<int> ended = run_attached(words, variables);
  if (!ended || *ended != 0 || step.ptx.empty()) return ended;
  Result<std::string> ptx = read_text(step.ptx, largest_text);
  if (!ptx) return ptx.error();
  std::vector<std::string> lacks = missing_functions(*ptx);
  if (!lacks.empty() && !clang.libclc.empty()) {
    const std::vector<std::string> linked = libclc_words(clang);
    words.insert(words.end(), linked.begin(), linked.end());
    ended = run_attached(words, variables);
    if (!ended || *ended != 0) return ended;
    ptx = read_text(step.ptx, largest_text);
    if (!ptx) return ptx.error();
    lacks = missing_functions(*ptx);
  }
  if (!lacks.empty() && !step.may_lack) {
    err << fmt::format("{}: error: {}\n", step.source, defined_nowhere(lacks, clang));
    return 1;
  }
  if (step.fat_binary.empty()) return 0;
  if (const auto written = write_text(step.fat_binary, fat_binary_of(*ptx, tools.capability)); !written)
    return written.error();
  return 0;
}

}  // namespace warplens::nvcc
