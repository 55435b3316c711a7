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
// What a program is made of.
struct ProgramSources {
  std::string main;                       // the file with the main()
  std::vector<std::string> further = {};  // sources, objects and archives beside it
  std::vector<std::string> options = {};  // of nvcc
  std::string folder = {};                // for the compiled program; empty: in the user's cache
  bool variables = false;  // for the debugger (-G): Step has the kernels' variables by name; slower
};
// The path of such a program, which is in the cache, and the command that makes it: empty while its files and
// all that they include are unchanged since it was compiled for the same device by the same compiler with the
// same options. Kind missing where a compiler is missing, kind bad input where a file is not there.
struct CompiledProgram {
  std::string path;
  std::vector<std::string> command;
};
Result<CompiledProgram> plan_program(const ProgramSources& sources,
                                     const program_run::ProgramEnvironment& made);
// Runs that command where there is one, and gives the program's path. Errors: as plan_program; kind bad input
// where it does not compile: what the compiler said is on standard error.
Result<std::string> compile_program(const ProgramSources& sources,
                                    const program_run::ProgramEnvironment& made);

}  // namespace warplens::nvcc
