// Reads and writes CSV (RFC 4180), with the separator that spreadsheets of the user's country use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct CsvTable {
  char separator = ',';
  bool has_mark = false;  // begins with a UTF-8 byte order mark
  std::vector<std::vector<std::string>> rows;
};

// The separator is the one of comma, semicolon and tab that the first row has most of. Empty lines are
// skipped. An error names the file and the line.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file);
std::string csv_text(const CsvTable& table);

// The text in quotes. Quotes inside it are doubled.
std::string csv_quoted(std::string_view text);
// Quotes the text only if it needs that.
std::string csv_field(std::string_view text, char separator = ',');
// A field that a spreadsheet can open safely: a text that it would take for a formula gets an apostrophe at
// its start. Numbers get none.
std::string csv_cell(std::string_view text, char separator = ',');

}  // namespace warplens
