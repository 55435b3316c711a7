// What the program found on this machine, and what is missing: for `warplens doctor` and `warplens
// --version`.
#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/cli.h"

namespace warplens {

struct MachinePart {
  std::string name;     // "compiler"
  std::string found;    // "NVRTC 12.9"; empty if it is missing
  std::string place;    // path; empty where there is none to tell
  std::string missing;  // why it is not there, what works without it, and how to get it
};

// The program itself comes first and is never missing. Loads libraries and a driver, and opens a hidden
// window: up to a second, and longer where a driver is slow to answer.
std::vector<MachinePart> machine_parts(const Cli& cli);

// "warplens 0.9.0 (3d2dc7f)", and below it a line for each part.
std::string version_text(const Cli& cli);

}  // namespace warplens
