#include "core/system/capabilities.h"

namespace warplens {

std::string system_name() { return "no operating system"; }
bool has_programs() { return false; }
bool is_a_page() { return false; }

}  // namespace warplens
