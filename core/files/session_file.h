// Sessions (docs/sessions.md): what somebody was looking at, in one small JSON file. The window saves and
// opens it, `warplens run` replays it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct Session {
  std::string kernel;  // a built-in one; empty: the code below
  // An own kernel: its file, and the text where it is in none, or edited and not saved.
  std::string code_path, code_name, code_text, code_entry, copy_of;
  bool has_code_text = false;
  std::string device;  // id; empty: the default
  KernelSetup setup;   // without the picture itself
  std::string view;
  std::optional<Dim3> pinned_block, pinned_thread;
  std::string pinned_buffer;  // by name; empty: no element
  uint64_t pinned_index = 0;
  uint32_t pinned_line = 0;
  std::vector<std::string> warnings;  // unknown keys

  bool own() const { return kernel.empty(); }
};

constexpr uint64_t max_session_bytes = uint64_t{32} << 20;

// A JSON text with the key "warplens_session".
bool is_session(std::string_view text);
std::string session_text(const Session& session);
// Errors name the file and the place in it. Relative paths start from `folder`.
Result<Session> parse_session(std::string_view text, const std::string& name, const std::string& folder);
Result<Session> read_session(const std::string& path);

}  // namespace warplens
