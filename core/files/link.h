// A state as the end of an address (docs/links.md): "#w1-" and a session with the lesson that it is seen in,
// packed. The 1 is the version of the format.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/files/session_file.h"

namespace warplens {

struct Link {
  Session session;
  std::string lesson, step;  // by their names; empty if no lesson is open
  std::string challenge;
};

// The most that a link may have, its mark included. What has more is a file.
constexpr size_t max_link_bytes = 2048, max_link_bytes_with_source = 6144;

// Whether the text is or ends with a link, of whatever version.
bool is_link(std::string_view text);
// "#w1-…". An error: there is too much in it.
Result<std::string> link_text(const Link& link);
// Of a link, or an address that ends with one.
Result<Link> parse_link(std::string_view text);

}  // namespace warplens
