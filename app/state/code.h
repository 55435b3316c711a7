// The text behind the Code view: a kernel of the user's own, in a file or not yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"

namespace warplens {

struct CodeState {
  // The own kernel at work: its text is `text`. False: a built-in kernel is chosen, and shown as it is.
  bool own = false;
  std::string name;          // "blur.cu"
  std::string path;          // empty: in no file yet
  std::string text, saved;   // as edited; as the file has it
  std::string compiled;      // the text that was compiled last
  std::string entry;         // which kernel of the text; empty: the first
  uint64_t text_serial = 0;  // counts texts that did not come from the editor, which then takes them
  uint64_t wanted = 0;       // serial of the compilation that is waited for; 0: none
  std::string opening;       // that compilation reads this file first; empty: it takes `text`
  std::string saving;        // the text on its way into the file
  std::string copy_of;       // the built-in kernel that `text` began as
  double compile_ms = 0;     // measured; of the last compilation; 0: none
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> entries;
  // Written in the meantime, and not lost, when another kernel is chosen.
  bool dirty() const { return own && text != saved; }
};

}  // namespace warplens
