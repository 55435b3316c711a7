// A program in CUDA C++ that is in no file of the user's: of a lesson or a challenge, as the student has it
// now.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/lesson/format/program.h"

namespace warplens::program_run {

// A file with this text, in the user's cache; where that cannot be written, in the folder for temporary
// files. Equal texts have the same file, which is compiled once. Only the newest of them are kept.
Result<std::string> file_of_text(const std::string& text, const std::string& name);

// Runs programs of lessons and challenges, each in a process of its own and for a limited time.
lesson::RunsProgram runs_given_programs();

// The compiler's messages about the file of this name, out of what it has written. Empty if none is an error.
std::vector<Diagnostic> mistakes_in(const std::vector<std::string>& said, const std::string& name);

}  // namespace warplens::program_run
