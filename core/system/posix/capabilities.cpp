#include "core/system/capabilities.h"

#include <fmt/format.h>
#include <sys/utsname.h>

namespace warplens {

std::string system_name() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown system";
  return fmt::format("{} {}, {}", names.sysname, names.release, names.machine);
}

bool has_programs() { return true; }
bool is_a_page() { return false; }

}  // namespace warplens
