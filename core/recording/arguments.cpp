#include "core/recording/arguments.h"

namespace warplens::recording {

std::string text_of(const ShownArgument& argument) { return argument.name; }
std::vector<ShownArgument> arguments_of(const Recording&, const Event&) { return {}; }

}  // namespace warplens::recording
