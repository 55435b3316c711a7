#include "app/draw/table.h"

#include "core/base/system/files.h"

namespace warplens {

namespace {

void add_cell(std::string& text, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

void add_row(std::string& text, const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += ',';
    add_cell(text, cells[i]);
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
