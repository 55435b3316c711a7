#include "core/recording/launch_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/ptx/parser/parse.h"

namespace warplens::recording {

namespace {

constexpr uint64_t largest_source = uint64_t{16} << 20;
constexpr uint32_t most_lines = 200, most_lines_above = 40;

// The first line of a kernel for a reader: its `def` or signature, with decorators above it.
uint32_t start_of_kernel(const std::vector<std::string>& lines, uint32_t first) {
  const auto line = [&](uint32_t number) { return std::string(trimmed(lines[number - 1])); };
  const uint32_t highest = first > most_lines_above ? first - most_lines_above : 1;
  for (uint32_t at = first; at >= highest; --at) {
    const std::string text = line(at);
    const bool python = text.starts_with("def ");
    if (!python && text.find("__global__") == std::string::npos) continue;
    while (at > 1 && python && line(at - 1).starts_with("@")) --at;
    return at;
  }
  return first;
}

}  // namespace

std::string text_of(const LaunchSource& source) { return place_text(source.file, source.first); }

std::optional<LaunchSource> lines_of(const ptx::Module& module, const ptx::Function& function) {
  std::optional<LaunchSource> source;
  uint32_t file = 0;
  for (const ptx::Instruction& instruction : function.instructions) {
    uint32_t at = instruction.location;
    // The kernel's own line, at which it calls the inlined function.
    for (size_t steps = 0; at != 0 && module.locations[at].inlined_at != 0 && steps < module.locations.size();
         ++steps)
      at = module.locations[at].inlined_at;
    if (at == 0 || module.locations[at].line == 0) continue;
    const ptx::Location& location = module.locations[at];
    if (!source) {
      const ptx::SourceFile* found = module.find_file(location.file);
      if (found == nullptr) continue;
      file = location.file;
      source = {found->name, location.line, location.line};
    }
    if (location.file != file) continue;
    source->first = std::min(source->first, location.line);
    source->last = std::max(source->last, location.line);
  }
  return source;
}

std::optional<LaunchSource> source_of(const Recording& recording, const Event& event) {
  std::optional<LaunchSource> source;
  if (event.line != 0) source = {event.file, event.line, event.line};
  if (event.launch == nullptr) return source;
  const auto text = recording.modules.find(event.launch->module);
  if (text == recording.modules.end()) return source;
  const ptx::ParseResult parsed =
      ptx::parse({reinterpret_cast<const char*>(text->second.data()), text->second.size()}, event.name);
  if (parsed.module == nullptr) return source;
  const ptx::Function* entry = parsed.module->find_entry(event.launch->entry);
  const std::optional<LaunchSource> all = entry == nullptr ? std::nullopt : lines_of(*parsed.module, *entry);
  return all ? all : source;
}

SourceText lines_of_text(std::string_view whole) {
  SourceText text;
  text.first = 1;
  for (size_t at = 0; at < whole.size();) {
    const size_t end = std::min(whole.find('\n', at), whole.size());
    text.lines.emplace_back(whole.substr(at, end - at));
    if (!text.lines.back().empty() && text.lines.back().back() == '\r') text.lines.back().pop_back();
    at = end + 1;
  }
  return text;
}

SourceText read_lines(const std::string& file, const std::string& recording) {
  SourceText text;
  Result<std::string> read = read_text(file, largest_source);
  if (!read && !recording.empty()) {
    const auto beside =
        std::filesystem::path(recording).parent_path() / std::filesystem::path(file).filename();
    if (Result<std::string> found = read_text(beside.string(), largest_source)) read = std::move(found);
  }
  if (!read) {
    text.why_not = fmt::format("{} cannot be read here: {}", file, read.error().message);
    return text;
  }
  return lines_of_text(*read);
}

SourceText read_source(const LaunchSource& source, const std::string& recording) {
  SourceText text = read_lines(source.file, recording);
  if (!text.why_not.empty()) return text;
  const std::vector<std::string> lines = std::exchange(text.lines, {});
  if (source.first == 0 || source.first > lines.size()) {
    text.why_not =
        fmt::format("{} has {} lines today, and the kernel was compiled from line {}: it was changed since.",
                    source.file, lines.size(), source.first);
    return text;
  }
  text.first = start_of_kernel(lines, source.first);
  const auto count = static_cast<uint32_t>(lines.size());
  const uint32_t last = std::min({std::max(source.last, source.first), count, text.first + most_lines - 1});
  text.lines.assign(lines.begin() + text.first - 1, lines.begin() + last);
  return text;
}

}  // namespace warplens::recording
