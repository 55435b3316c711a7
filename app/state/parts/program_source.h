// The text of the user's program in the window's editor. Its file is written only when the user saves it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

struct ProgramSource {
  bool open = false;  // the editor is shown
  // Of a lesson or challenge: `path` is its name in the drafts, `saved` the text with which it began, and no
  // file has it.
  bool given = false;
  std::string path;         // of the program's file
  std::string text, saved;  // as edited; as in the file when it was last read or written
  uint64_t serial = 0;      // counts texts from elsewhere, which the editor then loads
  bool wanted = false;      // it is being read
  std::string error;        // why it cannot be edited
  std::string saving;       // the text that is being written
  bool runs_when_saved = false;
  // What another program has made of the file, while there are edits here: the user decides which text
  // counts.
  std::optional<std::string> changed;

  bool is_ready() const { return open && !wanted && error.empty(); }
  bool dirty() const { return is_ready() && text != saved; }
};

// An edited text that is in no file, and the text that the file had.
struct ProgramDraft {
  std::string text, saved;
};

// Whether a program with this name is text: a script, or a source that is compiled before it runs.
bool is_program_text(std::string_view path);

struct AppState;
// The editor is in front, so that its keys are meant.
bool edits_program(const AppState& state);

}  // namespace warplens
