#include "core/compile/compiler_log.h"
#include "core/base/text.h"

#include <charconv>

namespace warplens {

namespace {

// Removes the next line from `text` and returns it.
std::string_view next_line(std::string_view& text) {
  size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<uint32_t> number_at(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

// The number before `unit`: 36 in "Used 36 registers".
std::optional<uint32_t> number_before(std::string_view line, std::string_view unit) {
  size_t at = line.find(unit);
  if (at == line.npos) return std::nullopt;
  std::string_view before = trimmed(line.substr(0, at));
  size_t start = before.find_last_not_of("0123456789");
  return number_at(before.substr(start == before.npos ? 0 : start + 1));
}

Severity severity_of(std::string_view word) {
  if (word.find("error") != word.npos || word.find("fatal") != word.npos) return Severity::error;
  return word.find("warning") != word.npos ? Severity::warning : Severity::note;
}

// Reads "add.cu(4): warning #177-D: text". Empty for lines of any other form. A file's name may have
// parentheses itself.
std::optional<Diagnostic> parse_headline(std::string_view line) {
  for (size_t close = line.find("): "); close != line.npos; close = line.find("): ", close + 1)) {
    size_t open = line.rfind('(', close);
    if (open == line.npos || open == 0) continue;
    std::string_view digits = line.substr(open + 1, close - open - 1);
    if (!is_digits(digits)) continue;
    std::string_view rest = line.substr(close + 3);
    size_t colon = rest.find(": ");
    if (colon == rest.npos) continue;
    Diagnostic diagnostic;
    diagnostic.severity = severity_of(rest.substr(0, colon));
    diagnostic.file = line.substr(0, open);
    diagnostic.line = number_at(digits).value_or(0);
    diagnostic.message = rest.substr(colon + 2);
    return diagnostic;
  }
  return std::nullopt;
}

}  // namespace

std::string without_deprecation_note(std::string_view log) {
  std::string kept;
  while (!log.empty()) {
    std::string_view line = next_line(log);
    if (line.find("Architectures prior to") != line.npos && line.find("deprecated") != line.npos) continue;
    kept.append(line).push_back('\n');
  }
  return trimmed(kept).empty() ? std::string() : kept;
}

std::vector<Diagnostic> parse_nvrtc_log(std::string_view log) {
  std::vector<Diagnostic> diagnostics;
  bool below_headline = false;
  while (!log.empty()) {
    std::string_view line = next_line(log);
    if (auto diagnostic = parse_headline(line)) {
      diagnostics.push_back(std::move(*diagnostic));
      below_headline = true;
    } else if (trimmed(line).empty()) {
      below_headline = false;
    } else if (below_headline && trimmed(line) == "^") {
      // The source line is shown two columns to the right, with its own indentation.
      size_t caret = line.find('^');
      if (caret >= 2 && diagnostics.back().column == 0)
        diagnostics.back().column = static_cast<uint32_t>(caret - 1);
    } else if (below_headline && line.starts_with("          ") && diagnostics.back().column != 0) {
      diagnostics.back().message.append("; ").append(trimmed(line));  // "detected during instantiation of …"
    }
  }
  return diagnostics;
}

std::vector<Diagnostic> parse_ptxas_errors(std::string_view log, std::string_view file) {
  std::vector<Diagnostic> diagnostics;
  while (!log.empty()) {
    std::string_view line = next_line(log);
    if (!line.starts_with("ptxas ")) continue;
    size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    std::string_view head = line.substr(0, colon);
    Diagnostic diagnostic;
    diagnostic.severity = severity_of(head);
    if (diagnostic.severity == Severity::note) continue;
    diagnostic.file = file;
    if (size_t at = head.find("line "); at != head.npos)
      diagnostic.line = number_at(head.substr(at + 5)).value_or(0);
    diagnostic.message = line.substr(colon + 2);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

PtxasInfo parse_ptxas_info(std::string_view log, std::string_view entry) {
  PtxasInfo info;
  bool ours = false;
  auto keep = [](std::optional<uint32_t>& field, std::optional<uint32_t> value) {
    if (!field) field = value;
  };
  while (!log.empty()) {
    std::string_view line = next_line(log);
    for (std::string_view opening : {"Compiling entry function '", "Function properties for "})
      if (size_t at = line.find(opening); at != line.npos) {
        std::string_view name = line.substr(at + opening.size());
        if (name.starts_with('\'')) name.remove_prefix(1);
        ours = name.substr(0, name.find_first_of("': ")) == entry;
      }
    if (!ours) continue;
    keep(info.registers, number_before(line, " registers"));
    keep(info.stack_bytes, number_before(line, " bytes stack frame"));
    keep(info.spill_store_bytes, number_before(line, " bytes spill stores"));
    keep(info.spill_load_bytes, number_before(line, " bytes spill loads"));
    keep(info.shared_bytes, number_before(line, " bytes smem"));
    keep(info.barriers, number_before(line, " barriers"));
    keep(info.parameter_bytes, number_before(line, " bytes cmem[0]"));
  }
  return info;
}

}  // namespace warplens
