// What a plot or a table shows, as rows of text: for Save CSV.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as long as `columns`; an empty cell is not known
};

// RFC 4180: commas, CRLF, quotes where a cell needs them.
std::string csv_text(const Table& table);
// Unwritable paths are errors that name the path.
Result<void> save_csv(const Table& table, const std::string& path);

}  // namespace warplens
