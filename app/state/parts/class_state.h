// The class whose hand-ins are shown (docs/classroom.md).
#pragma once

#include <memory>
#include <string>

namespace warplens {

struct ClassReport;  // app/classroom

struct ClassState {
  std::string folder;                         // empty if none was opened
  std::shared_ptr<const ClassReport> report;  // null until it is read
  std::string error;                          // why there is none, or why its answers were not judged
  bool names = false;                         // real names are shown, not made-up ones
  bool judged = false;
  bool working = false;
};

}  // namespace warplens
