#include "core/backend/run_result.h"

namespace warplens {

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::fault:
      return "fault";
    case RunStatus::check_failed:
      return "check_failed";
    case RunStatus::refused:
      return "refused";
    case RunStatus::cancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace warplens
