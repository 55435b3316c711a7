#include "core/markdown/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace warplens::markdown {
namespace {

// A wider table stays text: its rows would be filled up with empty cells, far more than the text is long.
constexpr unsigned most_columns = 15;
// The name of a file. Many references to one long name would be far longer than the text.
constexpr size_t longest_file = 255;

class Reader {
 public:
  // Empty if a table is too wide.
  std::optional<std::vector<Block>> read(std::string_view text, unsigned flags) {
    MD_PARSER parser{};
    parser.flags = flags | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<Reader*>(self)->enter(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      static_cast<Reader*>(self)->leave(type);
      return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      static_cast<Reader*>(self)->enter(type, detail);
      return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      static_cast<Reader*>(self)->leave(type);
      return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* self) {
      static_cast<Reader*>(self)->add(type, {words, size});
      return 0;
    };
    if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this) != 0) return std::nullopt;
    return std::move(m_blocks);
  }

 private:
  struct List {
    unsigned next = 0;   // the number of its next item
    char delimiter = 0;  // after that number; 0 for bullets
  };

  int enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_UL:
      case MD_BLOCK_QUOTE:
        end_block();
        m_lists.emplace_back();
        break;
      case MD_BLOCK_OL: {
        end_block();
        const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
        m_lists.push_back({list.start, list.mark_delimiter});
        break;
      }
      case MD_BLOCK_LI: {
        List& list = m_lists.back();
        m_mark = list.delimiter == 0 ? "•" : fmt::format("{}{}", list.next++, list.delimiter);
        break;
      }
      case MD_BLOCK_H:
        begin(Block::Kind::heading).level = static_cast<MD_BLOCK_H_DETAIL*>(detail)->level;
        break;
      case MD_BLOCK_HR:
        begin(Block::Kind::rule);
        break;
      case MD_BLOCK_CODE:
        begin(Block::Kind::code);
        break;
      case MD_BLOCK_TABLE:
        if (static_cast<MD_BLOCK_TABLE_DETAIL*>(detail)->col_count > most_columns) return 1;
        begin(Block::Kind::table);
        break;
      case MD_BLOCK_TR:
        m_block->rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        m_block->rows.back().emplace_back();
        break;
      default:
        break;
    }
    return 0;
  }

  void leave(MD_BLOCKTYPE type) {
    if (type >= MD_BLOCK_THEAD) return;                                         // a part of a table
    if (type == MD_BLOCK_LI && !m_mark.empty()) begin(Block::Kind::paragraph);  // an item without words
    end_block();
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL || type == MD_BLOCK_QUOTE) m_lists.pop_back();
  }

  void enter(MD_SPANTYPE type, void* detail) {
    m_strong += type == MD_SPAN_STRONG ? 1 : 0;
    m_code = type == MD_SPAN_CODE;
    if (type != MD_SPAN_IMG || m_pictures++ > 0) return;
    if (m_block && m_block->kind != Block::Kind::paragraph) return;
    const MD_ATTRIBUTE& file = static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src;
    begin(Block::Kind::picture).text = std::string(file.text, std::min<size_t>(file.size, longest_file));
  }

  void leave(MD_SPANTYPE type) {
    m_strong -= type == MD_SPAN_STRONG ? 1 : 0;
    m_code = false;
    if (type == MD_SPAN_IMG && --m_pictures == 0 && m_block->kind == Block::Kind::picture) end_block();
  }

  void add(MD_TEXTTYPE type, std::string_view words) {
    if (type == MD_TEXT_NULLCHAR) words = "\uFFFD";
    if (type == MD_TEXT_BR) words = "\n";
    if (type == MD_TEXT_SOFTBR) words = " ";
    if (!m_block) begin(Block::Kind::paragraph);
    if (m_block->kind == Block::Kind::code) {
      m_block->text += words;
      return;
    }
    Spans& spans = m_block->kind == Block::Kind::table ? m_block->rows.back().back() : m_block->spans;
    const Span next{std::string(words), m_strong > 0, m_code};
    if (!spans.empty() && spans.back().strong == next.strong && spans.back().code == next.code)
      spans.back().text += words;
    else
      spans.push_back(next);
  }

  Block& begin(Block::Kind kind) {
    end_block();
    m_block.emplace();
    m_block->kind = kind;
    m_block->level = static_cast<uint32_t>(m_lists.size());
    m_block->mark = std::exchange(m_mark, "");
    return *m_block;
  }

  void end_block() {
    if (!m_block) return;
    if (m_block->text.ends_with('\n')) m_block->text.pop_back();
    // Between two pictures of a paragraph there is only a blank.
    const bool blank = m_block->kind == Block::Kind::paragraph && m_block->mark.empty() &&
                       trimmed(plain_text(m_block->spans)).empty();
    if (!blank) m_blocks.push_back(std::move(*m_block));
    m_block.reset();
  }

  std::vector<Block> m_blocks;
  std::optional<Block> m_block;  // that is being read
  std::vector<List> m_lists;     // and quotes, from the outermost
  std::string m_mark;            // of the item whose first block has not begun
  int m_strong = 0, m_pictures = 0;
  bool m_code = false;
};

}  // namespace

std::vector<Block> read(std::string_view text) {
  if (auto blocks = Reader().read(text, MD_FLAG_TABLES)) return std::move(*blocks);
  return Reader().read(text, 0).value_or(std::vector<Block>{});
}

Spans read_line(std::string_view text) {
  // Nothing but a paragraph begins with a full stop.
  std::string line = fmt::format(".{}", text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  Spans spans;
  for (Block& block : read(line))
    if (block.kind == Block::Kind::paragraph)
      spans.insert(spans.end(), std::move_iterator(block.spans.begin()),
                   std::move_iterator(block.spans.end()));
  spans.front().text.erase(0, 1);
  if (spans.front().text.empty()) spans.erase(spans.begin());
  return spans;
}

Spans strong(Spans spans) {
  for (Span& span : spans) span.strong = true;
  return spans;
}

std::string plain_text(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

}  // namespace warplens::markdown
