#include "core/system/capabilities.h"

namespace warplens {

std::string system_name() { return "no operating system"; }
bool has_programs() { return false; }

}  // namespace warplens
