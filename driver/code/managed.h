// Which variables of a PTX text are managed: reached by the host under the same address.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::driver {

// Names, in the order of the text: PTX ISA, ".attribute", ".managed".
std::vector<std::string> managed_variables(std::string_view ptx);

}  // namespace warplens::driver
