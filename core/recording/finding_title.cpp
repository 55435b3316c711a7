#include "core/recording/finding_title.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace warplens::recording {
namespace {

// Those whose kind, read as words, would not say enough.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> special_words = {{
    {"uninitialized", "Read of uninitialised memory"},
    {"printf", "Unknown format of printf"},
    {"refused", "Refused launch"},
    {"call", "Failed call"},
    {"runtime", "Failed call"},
    {"missing", "Call that is not provided"},
    {"unread_error", "Error that the program did not read"},
}};

}  // namespace

std::string finding_words(std::string_view kind) {
  const auto special = std::find_if(special_words.begin(), special_words.end(),
                                    [&](const auto& words) { return words.first == kind; });
  if (special != special_words.end()) return std::string(special->second);
  return capitalised(replace_all(std::string(kind), "_", " "));
}

bool is_of_a_launch(std::string_view kind) {
  constexpr std::array<std::string_view, 7> of_calls = {
      "call", "runtime", "refused", "missing", "unread_error", "missing_wait", "unflushed_output"};
  return std::find(of_calls.begin(), of_calls.end(), kind) == of_calls.end();
}

std::string finding_title(std::string_view kind, uint64_t launch, std::string_view kernel,
                          std::string_view place) {
  std::string title = finding_words(kind);
  if (launch != 0) title += fmt::format(" in launch {}", launch);
  if (!kernel.empty()) title += fmt::format("{} {}", launch != 0 ? " of" : " in", kernel);
  if (!place.empty()) title += fmt::format(" at {}", place);
  return title + ".";
}

}  // namespace warplens::recording
