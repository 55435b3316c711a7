#include "core/base/csv.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

char separator_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  const auto count = [&](char c) { return std::ranges::count(head, c); };
  return std::ranges::max(std::string_view(",;\t"), {}, count);
}

// Platforms write "-" if there is no grade.
bool is_number_or_none(std::string_view text) {
  if (text == "-") return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789.,") == text.npos &&
         text.find_first_of("0123456789") != text.npos;
}

// Reads one cell from `at` on. Afterwards `at` is at the separator, or at the end of the line or the text.
// False if a quote is never closed.
bool read_cell(std::string_view text, size_t& at, char separator, std::string& cell) {
  if (at >= text.size() || text[at] != '"') {
    while (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r')
      cell += text[at++];
    return true;
  }
  for (++at; at < text.size(); ++at) {
    if (text[at] != '"') {
      cell += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      cell += text[at++];
    } else {
      ++at;
      return true;
    }
  }
  return false;
}

}  // namespace

Result<CsvTable> parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  table.has_mark = text.starts_with(utf8_mark);
  if (table.has_mark) text.remove_prefix(utf8_mark.size());
  if (text.find('\0') != text.npos)
    return bad_input(fmt::format("{} is no CSV: it has bytes of zero in it. Save it as CSV in UTF-8.", file));
  table.separator = separator_of(text);
  std::vector<std::string> row;
  const auto line_of = [&](size_t at) { return 1 + std::ranges::count(text.substr(0, at), '\n'); };
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    std::string cell;
    if (!read_cell(text, at, table.separator, cell))
      return bad_input(fmt::format("{}:{}: a quote is opened here and never closed.", file, line_of(begin)));
    row.push_back(std::move(cell));
    if (at < text.size() && text[at] == table.separator) {
      ++at;
      if (at < text.size()) continue;
      row.emplace_back();  // the text ends after a separator
    } else if (at < text.size() && text[at] != '\n' && text[at] != '\r') {
      return bad_input(fmt::format("{}:{}: text follows a closing quote.", file, line_of(at)));
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    if (row.size() > 1 || !row[0].empty()) table.rows.push_back(std::move(row));
    row.clear();
  }
  return table;
}

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_field(std::string_view text, char separator) {
  const bool plain = text.find(separator) == text.npos && text.find_first_of("\"\r\n") == text.npos;
  return plain ? std::string(text) : csv_quoted(text);
}

std::string csv_cell(std::string_view text, char separator) {
  std::string cell(text);
  if (!cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos &&
      !is_number_or_none(cell))
    cell.insert(0, "'");
  return csv_field(cell, separator);
}

std::string csv_text(const CsvTable& table) {
  std::string text(table.has_mark ? utf8_mark : std::string_view());
  for (const std::vector<std::string>& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += table.separator;
      text += csv_cell(row[i], table.separator);
    }
    text += "\r\n";
  }
  return text;
}

}  // namespace warplens
