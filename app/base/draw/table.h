// The contents of a plot or a table as rows of text, for Save CSV.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as long as `columns`; an empty cell means not known
};

// CSV text by RFC 4180: commas, CRLF, and quotes if a cell needs them.
std::string csv_text(const Table& table);
// A path that cannot be written is an error that names it.
Result<void> save_csv(const Table& table, const std::string& path);

}  // namespace warplens
