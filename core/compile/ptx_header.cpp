#include "core/compile/ptx_header.h"

#include <algorithm>
#include <charconv>

namespace warplens {

namespace {

// The rest of the first line that begins with `directive`.
std::optional<std::string_view> after_directive(std::string_view ptx, std::string_view directive) {
  for (size_t at = ptx.find(directive); at != ptx.npos; at = ptx.find(directive, at + 1)) {
    size_t line_start = ptx.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at != 0 && line_start != ptx.npos && ptx[line_start] != '\n' && ptx[line_start] != '\r') continue;
    std::string_view rest = ptx.substr(at + directive.size());
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    size_t first = rest.find_first_not_of(" \t");
    if (first == 0 || first == rest.npos) continue;
    return rest.substr(first);
  }
  return std::nullopt;
}

// Removes a number from the start of the text.
std::optional<uint32_t> take_number(std::string_view& text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<PtxHeader> read_ptx_header(std::string_view ptx) {
  auto version = after_directive(ptx, ".version"), target = after_directive(ptx, ".target");
  if (!version || !target || !target->starts_with("sm_")) return std::nullopt;
  target->remove_prefix(3);
  auto major = take_number(*version);
  if (!major || !version->starts_with('.')) return std::nullopt;
  version->remove_prefix(1);
  auto minor = take_number(*version), number = take_number(*target);
  if (!minor || !number) return std::nullopt;
  PtxHeader header{*major, *minor, *number, {}};
  if (target->starts_with('a') || target->starts_with('f')) header.target_suffix = target->substr(0, 1);
  return header;
}

constexpr std::string_view made_by = "// Compiled by ";

std::string compiler_of(std::string_view ptx) {
  const std::string_view head = ptx.substr(0, std::min(ptx.find(".version"), ptx.size()));
  const auto words_after = [&](std::string_view before, std::string_view end) {
    const size_t at = head.find(before);
    if (at == head.npos) return std::string();
    const std::string_view rest = head.substr(at + before.size());
    return std::string(rest.substr(0, rest.find_first_of(end)));
  };
  if (std::string ours = words_after(made_by, "\r\n"); !ours.empty()) return ours;
  if (const std::string release = words_after("compilation tools, release ", ",\r\n"); !release.empty())
    return "NVIDIA's compiler " + release;
  return head.find("LLVM NVPTX") == head.npos ? "" : "LLVM";
}

std::string with_compiler(std::string ptx, std::string_view compiler) {
  return ptx.insert(0, std::string(made_by) + std::string(compiler) + "\n");
}

std::string with_plain_file_name(std::string ptx, const std::string& name) {
  const std::string end = "/" + name + "\"";
  for (size_t at = ptx.find("\n\t.file\t"); at != ptx.npos; at = ptx.find("\n\t.file\t", at + 1)) {
    size_t open = ptx.find('"', at), line_end = ptx.find('\n', at + 1);
    if (open == ptx.npos || open > line_end) continue;
    size_t close = ptx.find('"', open + 1);
    if (close == ptx.npos || close > line_end) continue;
    if (std::string_view(ptx).substr(open + 1, close - open).ends_with(end))
      ptx.replace(open + 1, close - open - 1, name);
  }
  return ptx;
}

}  // namespace warplens
