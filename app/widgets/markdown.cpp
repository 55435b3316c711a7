#include "app/widgets/markdown.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/base/language.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

enum class Ink { plain, strong, code };
struct Word {
  std::string text;
  Ink ink = Ink::plain;
  bool spaced = true;  // a blank is before it
};

// The words of a line, without their Markdown marks. Code keeps its spaces.
std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  std::string word;
  Ink ink = Ink::plain;
  bool spaced = true;
  const auto end_word = [&] {
    if (word.empty()) return;
    words.push_back({shown_numbers(std::exchange(word, "")), ink, spaced});
    spaced = false;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') {
      end_word();
      const size_t close = line.find('`', i + 1);
      if (close == std::string_view::npos) continue;
      words.push_back(
          {std::string(line.substr(i + 1, close - i - 1)), Ink::code, std::exchange(spaced, false)});
      i = close;
    } else if (line.substr(i, 2) == "**") {
      end_word();
      ink = ink == Ink::strong ? Ink::plain : Ink::strong;
      ++i;
    } else if (line[i] == '*' && (i == 0 || line[i - 1] == ' ' || line.find_first_of(" .,;:)", i) == i + 1 ||
                                  i + 1 == line.size())) {
      continue;  // emphasis is not drawn
    } else if (line[i] == ' ') {
      end_word();
      spaced = true;
    } else {
      word += line[i];
    }
  }
  end_word();
  return words;
}

ImFont* font_of(Ink ink) {
  return ink == Ink::strong ? look().strong : ink == Ink::code ? look().mono : look().words;
}

// The same, with code that is wider than the room in pieces, which fit on several lines.
std::vector<Word> words_in(std::string_view line, float room) {
  std::vector<Word> words;
  for (Word& word : words_of(line)) {
    ImGui::PushFont(font_of(word.ink), word.ink == Ink::code ? small_size : body_size);
    const bool fits = ImGui::CalcTextSize(word.text.c_str()).x <= room;
    ImGui::PopFont();
    if (word.ink != Ink::code || fits) {
      words.push_back(std::move(word));
      continue;
    }
    for (size_t at = 0; at < word.text.size();) {
      const size_t end = std::min(word.text.find(' ', at), word.text.size());
      if (end > at) words.push_back({word.text.substr(at, end - at), Ink::code});
      at = end + 1;
    }
  }
  return words;
}

// A full stop after code or bold words stays with them; a "?" between two blanks stands for a word.
bool is_glued(const Word& word) {
  return !word.spaced && word.text.find_first_not_of(".,;:)?!") == std::string::npos;
}

float width_of(const Word& word) {
  ImGui::PushFont(font_of(word.ink), word.ink == Ink::code ? small_size : body_size);
  const float width = ImGui::CalcTextSize(word.text.c_str()).x;
  ImGui::PopFont();
  return width;
}

float ascent_of(Ink ink) {
  ImGui::PushFont(font_of(ink), ink == Ink::code ? small_size : body_size);
  const float ascent = ImGui::GetFontBaked()->Ascent;
  ImGui::PopFont();
  return ascent;
}

// Code is smaller, and stands on the same line as the words around it.
void drop_to_base_line(bool begins_line) {
  const float drop = ascent_of(Ink::plain) - ascent_of(Ink::code);
  if (begins_line) {
    ImGui::Dummy({0, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, 0);
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + drop);
}

void draw_words(std::string_view line, float room) {
  const float left = ImGui::GetCursorPosX(), right = left + room;
  bool first = true;
  const std::vector<Word> words = words_in(line, room);
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const float after = i + 1 < words.size() && is_glued(words[i + 1]) ? width_of(words[i + 1]) : 0;
    ImGui::PushFont(font_of(word.ink), word.ink == Ink::code ? small_size : body_size);
    const bool glued = is_glued(word);
    const float width = ImGui::CalcTextSize(word.text.c_str()).x + after, space = glued ? 0 : scaled(4);
    bool begins_line = std::exchange(first, false);
    if (!begins_line) {
      ImGui::SameLine(0, space);
      if (ImGui::GetCursorPosX() + width > right && !glued) {
        ImGui::NewLine();
        ImGui::SetCursorPosX(left);
        begins_line = true;
      }
    }
    if (word.ink == Ink::code) drop_to_base_line(begins_line);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          colour(word.ink == Ink::code ? look().palette.accent : look().palette.text));
    ImGui::TextUnformatted(word.text.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
}

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  if (row.starts_with('|')) row.remove_prefix(1);
  while (!row.empty()) {
    const size_t end = std::min(row.find('|'), row.size());
    std::string_view cell = row.substr(0, end);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(cell);
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return cells;
}

class Drawing {
 public:
  void line(std::string_view text) {
    if (text.starts_with("```")) {
      end_block();
      m_code = !m_code;
      return;
    }
    if (m_code) return mono_line(text);
    if (text.starts_with('|')) {
      flush();
      m_table.emplace_back(text);
      return;
    }
    if (text.find_first_not_of(' ') == std::string_view::npos) return end_block();
    const size_t indent = text.find_first_not_of(' ');
    const std::string_view words = text.substr(indent);
    if (words.starts_with('#')) return heading_line(words);
    // Within a paragraph only 1 begins a list: "… = {{launch.blocks}}. In a program" may begin a line with 3.
    const bool goes_on = !m_paragraph.empty() && m_bullet.empty();
    const size_t item = item_mark(words);
    if (item > 0 && (!goes_on || words.starts_with("- ") || words.starts_with("1. "))) {
      end_block();
      m_bullet = std::string(words.substr(0, item));
      m_paragraph = std::string(words.substr(item));
      return;
    }
    m_paragraph += (m_paragraph.empty() ? "" : " ") + std::string(words);
  }

  void end_block() {
    flush();
    draw_table();
  }

 private:
  // The length of a list mark, "- " or "12. ". 0 if there is none.
  static size_t item_mark(std::string_view words) {
    if (words.starts_with("- ")) return 2;
    size_t digits = 0;
    while (digits < words.size() && words[digits] >= '0' && words[digits] <= '9') ++digits;
    return digits > 0 && words.substr(digits, 2) == ". " ? digits + 2 : 0;
  }

  void heading_line(std::string_view words) {
    end_block();
    const size_t level = words.find_first_not_of('#');
    ImGui::Dummy({0, scaled(level == 1 ? 2 : 8)});
    words.remove_prefix(std::min(level + 1, words.size()));
    if (level == 1)
      title(words);
    else
      heading(words);
    ImGui::Dummy({0, scaled(2)});
  }

  static void mono_line(std::string_view text) {
    ImGui::PushFont(look().mono, small_size);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(mix(look().palette.text, look().palette.accent, 0.25)));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + scaled(12));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }

  void flush() {
    if (m_paragraph.empty()) return;
    if (!m_bullet.empty()) {
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + scaled(6));
      ImGui::TextUnformatted(m_bullet.starts_with('-') ? "•" : m_bullet.c_str());
      ImGui::SameLine(0, scaled(8));
      ImGui::BeginGroup();
    }
    draw_words(m_paragraph, ImGui::GetContentRegionAvail().x);
    if (!m_bullet.empty()) ImGui::EndGroup();
    if (m_bullet.empty()) ImGui::Dummy({0, scaled(4)});
    m_paragraph.clear();
    m_bullet.clear();
  }

  void draw_table() {
    if (m_table.empty()) return;
    const size_t columns = cells_of(m_table[0]).size();
    ImGui::PushID(m_tables++);
    if (columns > 0 && columns < 16 &&
        ImGui::BeginTable("table", static_cast<int>(columns),
                          ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit)) {
      for (size_t i = 0; i + 1 < columns; ++i)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, scaled(170));
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
      for (size_t row = 0; row < m_table.size(); ++row) {
        if (row == 1) continue;  // |---|---|
        for (const std::string_view cell : cells_of(m_table[row])) {
          ImGui::TableNextColumn();
          draw_words(row == 0 ? "**" + std::string(cell) + "**" : std::string(cell),
                     ImGui::GetContentRegionAvail().x);
        }
      }
      ImGui::EndTable();
    }
    ImGui::PopID();
    ImGui::Dummy({0, scaled(4)});
    m_table.clear();
  }

  bool m_code = false;
  std::string m_paragraph, m_bullet;
  std::vector<std::string> m_table;
  int m_tables = 0;
};

}  // namespace

void draw_markdown_in(std::string_view paragraph, float width) { draw_words(paragraph, width); }

float markdown_height(std::string_view paragraph, float width) {
  const float line = ImGui::GetTextLineHeight(), between = ImGui::GetStyle().ItemSpacing.y;
  float x = 0, height = line;
  const std::vector<Word> words = words_in(paragraph, width);
  for (size_t i = 0; i < words.size(); ++i) {
    const bool glued = is_glued(words[i]);
    const float wide = width_of(words[i]);
    const float after = i + 1 < words.size() && is_glued(words[i + 1]) ? width_of(words[i + 1]) : 0;
    const float before = x == 0 || glued ? 0 : scaled(4);
    if (x > 0 && !glued && x + before + wide + after > width) {
      height += line + between;
      x = wide;
    } else {
      x += before + wide;
    }
  }
  return height;
}

void draw_markdown(std::string_view text) {
  Drawing drawing;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    drawing.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  drawing.end_block();
}

}  // namespace warplens
