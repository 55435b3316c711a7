// The text of the Code view: a kernel of the user's own, which may have a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"

namespace warplens {

struct CodeState {
  // The user's own kernel is chosen, with the text `text`. Otherwise a built-in kernel is chosen and shown.
  bool own = false;
  std::string name;          // "blur.cu"
  std::string path;          // empty if it has no file yet
  std::string text, saved;   // as edited; as in the file
  std::string given;         // as it was before the first edit: the starter, the copied kernel, the file
  std::string compiled;      // the last compiled text
  std::string entry;         // which kernel of the text; empty for the first
  uint64_t text_serial = 0;  // counts texts from elsewhere, which the editor then loads
  std::optional<double>
      edited_s;         // when it was last edited, by the window's clock; empty once it has been compiled
  uint64_t wanted = 0;  // serial of the compilation in progress; 0 if none
  std::string opening;  // the file that it reads first; empty if it uses `text`
  std::string saving;   // the text that is being written to the file
  std::string copy_of;  // the built-in kernel from which `text` was copied
  std::string changed_from;  // the built-in kernel that a fix has replaced by this one; empty if none has
  double compile_ms = 0;     // of the last compilation, measured; 0 if none
  std::string compiler;      // that made it: "clang 19.1.7"; empty for PTX
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> entries;
  // Whether it has unsaved changes. They are kept when another kernel is chosen.
  bool dirty() const { return own && text != saved; }
  // Whether something was typed that is in no file. The starter of a challenge, as it was given, is not.
  bool is_draft() const { return dirty() && text != given; }
};

struct AppState;

// Under which DraftsState keeps its text: the path, or the name while there is no file.
std::string key_of(const CodeState& code);
// Whether it is time to run it: in a lesson whose step lets it be changed, a third of a second after the last
// key.
bool runs_after_typing(const AppState& state);

}  // namespace warplens
