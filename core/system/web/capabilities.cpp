#include "core/system/capabilities.h"

namespace warplens {

std::string system_name() { return "a web browser"; }
bool has_programs() { return false; }
bool is_a_page() { return true; }

}  // namespace warplens
