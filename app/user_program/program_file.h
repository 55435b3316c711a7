// Which files are programs that can be run, and how.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::program_run {

bool is_script(std::string_view path);  // in Python

// A Python script (.py), a file in CUDA C++ that has a main(), or a file that says itself that it is a
// program: it begins with #! or as an ELF file, and this user may execute it. What a picture or a kernel is
// called is no program whatever its permissions are.
bool is_program_file(const std::string& path);

// The command that runs it: python3 and its path, or only its path.
std::vector<std::string> command_of(const std::string& path);

}  // namespace warplens::program_run
