// A message about a place in a text: PTX, CUDA source, a launch file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens {

// A place in a text, counted from 1.
struct TextPosition {
  uint32_t line = 0, column = 0;
};

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  uint32_t line = 0;    // counted from 1; 0 for the whole file
  uint32_t column = 0;  // counted from 1; 0 for the whole line
  std::string message;  // what is wrong and what to do
};

bool has_errors(const std::vector<Diagnostic>& diagnostics);
// One line for each diagnostic: "kernel.ptx:12:5: error: …".
std::string to_text(const std::vector<Diagnostic>& diagnostics);

}  // namespace warplens
