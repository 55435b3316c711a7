// Which symbol cuGetProcAddress gives for a name and a version of CUDA (cuda.h, cuGetProcAddress).
#pragma once

#include <span>
#include <string_view>

namespace warplens::driver {

struct ApiRow {
  std::string_view name;
  int version = 0;  // of CUDA that brought it, as 12040
  void (*address)() = nullptr;
  bool per_thread = false;  // with a default stream for each thread
};

struct ApiChoice {
  const ApiRow* row = nullptr;  // null: none that is old enough
  bool known = false;           // the name is one of the API
};
// The newest symbol that the requested version has. With a default stream for each thread, that form wins if
// there is one.
ApiChoice choose_row(std::span<const ApiRow> rows, std::string_view name, int version, bool per_thread);

}  // namespace warplens::driver
