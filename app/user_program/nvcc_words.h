// The words of a command line of nvcc: options with their values, files, response files.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::nvcc {

// The contents of a response file (--options-file). Errors: it cannot be read.
using ReadText = std::function<Result<std::string>(const std::string& path)>;

enum class Kind : uint8_t {
  input,
  other,         // an option that is passed on unchanged
  architecture,  // -arch, -code, -gencode: the device's comes in their place
  cudart,        // -cudart: the shared library
  lto,           // link-time optimisation makes no PTX
  rdc,
  output,
  phase,         // -c, -dc, -dlink, …
  line_info,     // -lineinfo, -G
  no_link,       // -nodlink
  link_library,  // -l and -L, which archives are looked for by
  own,           // of `warplens nvcc` itself: --explain, --add-options
};

struct Word {
  Kind kind = Kind::other;
  std::string name;                // the option's long name
  std::string value;               // after = or in the next word
  std::vector<std::string> words;  // as it was given
};

// A command line, in its order.
struct Command {
  std::vector<Word> words;
  std::set<std::string, std::less<>> phases;
  bool rdc = false, has_line_info = false, has_objects = false;
  std::string output;
  bool has(std::string_view phase) const { return phases.contains(phase); }
};

// `words` without the name of the compiler. Errors: response files that cannot be read or contain themselves.
Result<Command> read_command(const std::vector<std::string>& words, const ReadText& read);

// The objects and archives of a link, archives of -l in the folders of -L among them; they may not be there.
std::vector<std::string> objects_of(const Command& command);
// A sentence if the command asks for architectures other than `capability` (86 for 8.6); else empty.
std::string note_on_architecture(const Command& command, uint32_t capability);

// Parts words by blanks; quotes hold words together.
std::vector<std::string> split_words(std::string_view text);

bool is_source(std::string_view path);
bool is_object(std::string_view path);  // or an archive

}  // namespace warplens::nvcc
