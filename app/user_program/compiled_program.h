// The compiler and runtime library that a program on the virtual GPU finds instead of CUDA's: the compiler
// with `warplens nvcc` in front, our runtime library, and a linker that finds it
// (docs/adr/0074-a-runtime-library-for-programs.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/user_program/environment.h"
#include "core/base/result.h"

namespace warplens::nvcc {

// The folders with the wrappers of the compiler and the linker, one for each set of a compiler, a driver and
// this program. They stay: CMake keeps the compiler's path for the next time that it builds.
std::filesystem::path fronts_folder();

// Adds files to the folder of `made`, and variables. `driver` is the library that the program finds as
// libcuda.so.1. Without a compiler on this machine, the one in front says so. Errors: the folder cannot be
// written.
Result<void> put_in_front(program_run::ProgramEnvironment& made, const std::string& driver);

// A file in CUDA C++ that has a main().
bool is_program_source(const std::string& path);
// The path of such a file's program, and the command that makes it: empty while it and all that it includes
// is unchanged since it was compiled for the same device by the same compiler. With `variables` it is
// compiled for the debugger (-G), so that Step has the kernels' variables by name; it is slower then. Kind
// missing where a compiler is missing.
struct CompiledProgram {
  std::string path;
  std::vector<std::string> command;
};
Result<CompiledProgram> plan_program(const std::string& source, const program_run::ProgramEnvironment& made,
                                     bool variables = false);
// Compiles such a file, unless it and all that it includes is unchanged since it was compiled for the same
// device by the same compiler, and gives the path of the program, which is in the cache. Kind missing where a
// compiler is missing, kind bad input where the file does not compile: what the compiler said is on standard
// error.
Result<std::string> compile_program(const std::string& source, const program_run::ProgramEnvironment& made);

}  // namespace warplens::nvcc
