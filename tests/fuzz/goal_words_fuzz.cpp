// Any text as a goal, with words of its own or without: it is put into words, or stays as it is, and a goal
// that is read without a mistake says what was reached.
#include <cstdlib>
#include <string>

#include "core/lesson/goals/goal_words.h"
#include "core/lesson/read/field_readers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  lesson::Facts facts;
  facts.set("n", 1000);
  facts.set("launch.warps", 32);
  facts.set("counters.global_load_sectors", 4096);
  if (lesson::goal_words(text, facts).empty() != text.empty()) std::abort();
  lesson::Mistakes mistakes("challenge.md");
  const lesson::Condition goal = lesson::goal_of({text, 1}, mistakes);
  const std::string words = lesson::goal_words(goal, facts);
  if (!words.starts_with(goal.words.text)) std::abort();
  const auto sides = lesson::goal_sides(goal.expression.text, facts);
  if (mistakes.take().empty() && sides && !goal.words.empty() && words.find("; yours ") == words.npos)
    std::abort();
  return 0;
}
