// Any text as a goal: it is put into words, or stays as it is.
#include <cstdlib>
#include <string>

#include "core/lesson/goal_words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  lesson::Facts facts;
  facts.set("n", 1000);
  facts.set("launch.warps", 32);
  facts.set("counters.global_load_sectors", 4096);
  if (lesson::goal_words(text, facts).empty() != text.empty()) std::abort();
  return 0;
}
