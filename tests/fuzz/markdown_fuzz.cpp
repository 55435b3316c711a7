// Any text as Markdown: it is read, and what comes of it is not much longer than the text.
#include <cstdlib>
#include <string>

#include "core/markdown/markdown.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens::markdown;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  size_t size = 0, lists = 0;
  for (const Block& block : read(text)) {
    size += plain_text(block.spans).size() + (block.kind == Block::Kind::picture ? 0 : block.text.size());
    lists += block.mark.empty() ? 0 : 1;
    for (const std::vector<Spans>& row : block.rows) {
      if (row.empty() || row.size() != block.rows.front().size()) std::abort();
      for (const Spans& cell : row) size += plain_text(cell).size();
    }
    for (const Span& span : block.spans)
      if (span.text.empty()) std::abort();
  }
  // A NUL becomes three bytes, a tab in code up to four blanks.
  if (size > 4 * count || lists > count) std::abort();
  std::string line = text;
  for (char& c : line)
    if (c == '\0') c = ' ';
  if (plain_text(read_line(line)).size() > count) std::abort();
  if (strong(read_line(line)).size() != read_line(line).size()) std::abort();
  return 0;
}
