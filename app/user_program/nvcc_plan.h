// A command line of nvcc, and the commands that run instead of it, so that the program fits the virtual GPU:
// the shared runtime library, PTX for the device, line information, and no device link that makes machine
// code (docs/adr/0074-a-runtime-library-for-programs.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/user_program/nvcc_words.h"
#include "core/base/result.h"

namespace warplens::nvcc {

struct Step {
  std::vector<std::string> words = {};  // to run; the first is nvcc. Empty: write a stub
  // A stub: the C file `stub` registers the device code of these objects and archives.
  std::string stub = {};
  std::vector<std::string> objects = {};
  // For clang only: the text in CUDA C++, the PTX that the step writes, the fat binary that it becomes for
  // the host's code (empty: none), and whether functions may be those of another file (-rdc).
  std::string source = {}, ptx = {}, fat_binary = {};
  bool may_lack = false;
};

struct Plan {
  std::vector<Step> steps;
  std::vector<std::string> notes;  // for people: what a program's author would want to know
  std::string said = {};           // the answer to --version and the like
  bool dry = false;                // --dryrun: steps are shown, and nothing is run
};

struct Toolchain {
  std::string nvcc;          // path of NVIDIA's compiler
  uint32_t capability = 86;  // of the device, as 86 for 8.6
  uint32_t target = 86;      // what is compiled for: the device's, where the compiler knows it
  std::string scratch;       // a folder for objects in between; it exists when steps run
};

// `words` without the name of the compiler. Errors: response files that cannot be read or contain themselves.
Result<Plan> plan(const std::vector<std::string>& words, const Toolchain& tools, const ReadText& read);

// Where several sources are compiled and linked at once, each has a file of its own with what it includes;
// `path` is what -MF names, which the first source (0) has.
std::string dependencies_of(const std::string& path, size_t source);

// C for the symbols that `nm` lists of objects and archives: a definition of __cudaRegisterLinkedBinary<id>
// for each that is wanted and that none of them defines.
std::string stub_of(const std::string& symbols);

}  // namespace warplens::nvcc
