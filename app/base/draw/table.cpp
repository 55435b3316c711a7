#include "app/base/draw/table.h"

#include "core/base/csv.h"
#include "core/base/system/files.h"

namespace warplens {

namespace {

void add_row(std::string& text, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(cells[i]);
  }
  text += "\r\n";
}

}  // namespace

std::string csv_text(const Table& table) {
  std::string text;
  add_row(text, table.columns);
  for (const std::vector<std::string>& row : table.rows) add_row(text, row);
  return text;
}

Result<void> save_csv(const Table& table, const std::string& path) {
  return write_text(path, csv_text(table));
}

}  // namespace warplens
