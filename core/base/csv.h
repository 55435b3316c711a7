// CSV by RFC 4180, read and written, with the separator that spreadsheets of the country use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct CsvTable {
  char separator = ',';
  bool has_mark = false;  // begins with the mark of UTF-8
  std::vector<std::vector<std::string>> rows;
};

// The separator is a comma, a semicolon or a tab: that which the first row has most of. Empty lines are left
// out. An error names the file and the line.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file);
std::string csv_text(const CsvTable& table);

// A text in quotes, with those that are in it doubled.
std::string csv_quoted(std::string_view text);
// The same, or the text as it is where it needs none.
std::string csv_field(std::string_view text, char separator = ',');
// A cell that a spreadsheet opens: a field. What a spreadsheet would take for a formula gets an
// apostrophe in front; numbers are none.
std::string csv_cell(std::string_view text, char separator = ',');

}  // namespace warplens
