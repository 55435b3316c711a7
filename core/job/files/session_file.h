// Sessions (docs/sessions.md): a small JSON file with what the user was looking at. The window saves and
// opens it; `warplens run` replays it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json_reader.h"
#include "core/base/result.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct Session {
  std::string kernel;  // a built-in one; empty for the code below
  // A kernel of the user's own: its file, and its text if it was never saved or has unsaved edits.
  std::string code_path, code_name, code_text, code_entry, copy_of;
  bool has_code_text = false;
  std::string device;         // id; empty for the default
  KernelSetup setup;          // without the picture itself
  std::string view, part;     // part: which of its contents the view shows ("warp"); may be empty
  uint32_t text_percent = 0;  // size of texts; 0 to leave it
  uint64_t order = 0;         // of warps and blocks; 0: one after the other
  // The launch of run A, with which every figure is compared, of the same kernel. Empty if there is none.
  std::optional<KernelSetup> baseline;
  std::optional<Dim3> pinned_block, pinned_thread;
  std::string pinned_buffer;  // by name; empty if no element is pinned
  uint64_t pinned_index = 0;
  uint32_t pinned_line = 0;
  struct Breakpoint {  // of the Step view
    std::string file;
    uint32_t line = 0;
    std::string condition;
  };
  std::vector<Breakpoint> breakpoints;
  std::vector<std::string> warnings;  // unknown keys

  bool own() const { return kernel.empty(); }
};

constexpr uint64_t max_session_bytes = uint64_t{32} << 20;

// Whether it is a JSON text with the key "warplens_session".
bool is_session(std::string_view text);
ReportJson session_json(const Session& session);
std::string session_text(const Session& session);
// Errors name the file and the place in it. Relative paths start from `folder`.
Result<Session> parse_session(std::string_view text, const std::string& name, const std::string& folder);
Result<Session> read_session(const std::string& path);
// A session within another file. A mistake is the reader's error.
Session read_session_in(JsonReader& reader, const JsonNode& node, const std::string& folder);

}  // namespace warplens
