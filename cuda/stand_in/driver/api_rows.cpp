#include "cuda/stand_in/driver/api_rows.h"

namespace warplens::driver {

ApiChoice choose_row(std::span<const ApiRow> rows, std::string_view name, int version, bool per_thread) {
  ApiChoice choice;
  for (const ApiRow& row : rows) {
    if (row.name != name) continue;
    choice.known = true;
    if (row.version > version || (row.per_thread && !per_thread)) continue;
    const ApiRow* best = choice.row;
    const bool better =
        best == nullptr || row.version > best->version || (row.version == best->version && row.per_thread);
    if (better && !(best != nullptr && best->per_thread && !row.per_thread)) choice.row = &row;
  }
  return choice;
}

}  // namespace warplens::driver
