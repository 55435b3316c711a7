// A state encoded as the fragment of an address (docs/links.md): "#w1-" and a compressed session with the
// lesson that is open. The 1 is the version of the format.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/job/files/session_file.h"

namespace warplens {

struct Link {
  Session session;
  std::string lesson, step;  // by their names; empty if no lesson is open
  std::string challenge;
  bool reveal = false;  // shows the answers of the step, as the server of a class asks for (docs/serve.md)
};

// The largest size of a link, including its mark. A larger state must be saved as a file.
constexpr size_t max_link_bytes = 2048, max_link_bytes_with_source = 6144;

// Whether the text is or ends with a link, of any version.
bool is_link(std::string_view text);
// "#w1-…". It is an error if the state is too large.
Result<std::string> link_text(const Link& link);
// Parses a link, or an address that ends with one.
Result<Link> parse_link(std::string_view text);

}  // namespace warplens
