#include "app/user_program/words.h"

#include <optional>
#include <utility>

namespace warplens::program_run {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// In "…" a backslash is a character of its own unless one of these follows.
bool is_escaped_in_quotes(char c) { return c == '"' || c == '\\' || c == '$' || c == '`'; }

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // the one that is being read; "" is a word too
  char quote = 0;
  const auto add = [&](char c) {
    if (!word) word.emplace();
    *word += c;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool has_next = i + 1 < line.size();
    if (quote == '\'') {
      if (c == quote)
        quote = 0;
      else
        add(c);
    } else if (quote == '"') {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && has_next && is_escaped_in_quotes(line[i + 1]))
        add(line[++i]);
      else
        add(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      if (!word) word.emplace();
    } else if (c == '\\') {
      if (!has_next)
        return bad_input("The arguments end with a \\ that nothing follows: write \\\\ for one backslash.");
      add(line[++i]);
    } else if (is_blank(c)) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      add(c);
    }
  }
  if (quote != 0)
    return bad_input(std::string("The arguments have a ") + quote +
                     " that is not closed: add another one at its end.");
  if (word) words.push_back(*std::move(word));
  return words;
}

}  // namespace warplens::program_run
