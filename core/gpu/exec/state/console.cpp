#include "core/gpu/exec/state/console.h"

#include <utility>

namespace warplens::exec {

void Console::trim() {
  if (text.size() <= console_bytes) return;
  const size_t least = text.size() - console_bytes;
  const size_t line = text.find('\n', least - 1);
  const size_t cut = line == std::string::npos ? least : line + 1;
  dropped += cut;
  text.erase(0, cut);
}

void ConsoleOrder::add(uint64_t block, Console&& console) {
  if (console.text.empty() && console.dropped == 0) return;
  console.trim();
  m_bytes += console.text.size();
  Console& place = m_blocks[block];
  place.text += console.text;
  place.dropped += console.dropped;
  console = {};
  // The text of later blocks fills the buffer completely, so this text can never be seen.
  while (!m_blocks.empty() && m_bytes - m_blocks.begin()->second.text.size() >= console_bytes) {
    const Console& oldest = m_blocks.begin()->second;
    m_bytes -= oldest.text.size();
    m_dropped += oldest.text.size() + oldest.dropped;
    m_blocks.erase(m_blocks.begin());
  }
}

Console ConsoleOrder::take() {
  Console all;
  all.dropped = m_dropped;
  for (const auto& [block, console] : m_blocks) {
    // A block that filled the whole buffer overwrote the text of the blocks before it.
    if (console.dropped != 0) {
      all.dropped += all.text.size() + console.dropped;
      all.text.clear();
    }
    all.text += console.text;
  }
  all.trim();
  return all;
}

}  // namespace warplens::exec
