// Code to choose from where a lesson or a challenge asks for code that is typed, in a page, which has no
// compiler: what solves it and what does not, as its author wrote both.
#pragma once

#include <string>
#include <vector>

namespace warplens {

struct AppState;

struct OfferedCode {
  std::string label;  // its lines that differ, or "Version A"
  std::string text;
  bool chosen = false;  // it is in the editor
};

// Whether CUDA C++ that is typed cannot be compiled: in a page, unless a server compiles for it.
bool lacks_compiler(const AppState& state);
// Whether the editor has CUDA C++ of the user's own that cannot be typed for that reason.
bool is_not_typed(const AppState& state);
// The choices in an order that gives no hint. Empty if nothing is to be typed, or if there may be a compiler.
std::vector<OfferedCode> offered_code(const AppState& state);

}  // namespace warplens
