// What is wrong with the program that the Program view is about.
#pragma once

#include <string>
#include <vector>

#include "app/state/parts/problems.h"
#include "app/state/parts/program.h"

namespace warplens {

// The file of the program that was run, or of the recording, without its folder.
std::string program_name(const ProgramState& program);

// How the run ended if it did not end well: it is not compiled, it failed, it could not be recorded.
// Then what the driver found, and what would make the program faster.
void add_program_problems(const ProgramState& program, std::vector<Problem>& problems);

}  // namespace warplens
