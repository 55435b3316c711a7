// The program starts itself: as the compiler of programs (app/user_program/compiled_program.cpp), as a judge.
// In tests that is the test program, which would run all its tests, and those would start it again.
#pragma once

#include <unistd.h>

#include <cstdlib>

#include "core/system/paths.h"

namespace warplens {

// Does what the program that is tested does if it is asked for a command. Call it first in main().
inline void be_the_program_if_asked(int argc, char** argv) {
  const bool has_command = argc > 1 && argv[1][0] != '-';
  if (!has_command) return;
  execv((program_path().parent_path() / "warplens").c_str(), argv);
  std::_Exit(127);
}

}  // namespace warplens
