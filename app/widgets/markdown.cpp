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

using Kind = markdown::Block::Kind;

constexpr uint32_t deepest = 8;  // lists within lists stay readable

enum class Ink { plain, strong, code };
struct Word {
  std::string text;
  Ink ink = Ink::plain;
  bool spaced = true;  // a blank is before it
  bool begins_line = false;
  float width = 0;
};

void push_font(Ink ink) {
  ImGui::PushFont(ink == Ink::strong ? look().strong
                  : ink == Ink::code ? look().mono
                                     : look().words,
                  ink == Ink::code ? small_size : body_size);
}

float width_of(const std::string& text, Ink ink) {
  push_font(ink);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::PopFont();
  return width;
}

// Code keeps its spaces if it is not wider than the room. If it is, it is in pieces, which fit on several
// lines.
std::vector<Word> words_in(const markdown::Spans& spans, float room) {
  std::vector<Word> words;
  bool spaced = true, begins_line = true;
  const auto add = [&](std::string text, Ink ink) {
    const float width = width_of(text, ink);
    words.push_back(
        {std::move(text), ink, std::exchange(spaced, false), std::exchange(begins_line, false), width});
  };
  for (const markdown::Span& span : spans) {
    if (span.code && width_of(span.text, Ink::code) <= room) {
      add(span.text, Ink::code);
      continue;
    }
    for (size_t at = 0; at < span.text.size();) {
      const size_t end = std::min(span.text.find_first_of(" \t\n", at), span.text.size());
      const std::string_view word = std::string_view(span.text).substr(at, end - at);
      if (!word.empty() && span.code)
        add(std::string(word), Ink::code);
      else if (!word.empty())
        add(shown_numbers(word), span.strong ? Ink::strong : Ink::plain);
      spaced = spaced || end < span.text.size();
      begins_line = begins_line || (end < span.text.size() && span.text[end] == '\n');
      at = end + 1;
    }
  }
  return words;
}

// A full stop after code or bold words stays with them; a "?" between two blanks stands for a word.
bool is_glued(const Word& word) {
  return !word.spaced && word.text.find_first_not_of(".,;:)?!") == std::string::npos;
}

float gap_before(const Word& word) { return is_glued(word) ? 0 : scaled(4); }

// The words, with those marked that begin a line.
std::vector<Word> lines_in(const markdown::Spans& spans, float room) {
  std::vector<Word> words = words_in(spans, room);
  float x = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    const float after = i + 1 < words.size() && is_glued(words[i + 1]) ? words[i + 1].width : 0;
    const float from = x + gap_before(word);
    word.begins_line = word.begins_line || (!is_glued(word) && from + word.width + after > room);
    x = (word.begins_line ? 0 : from) + word.width;
  }
  return words;
}

float ascent_of(Ink ink) {
  push_font(ink);
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

void draw_heading(const markdown::Block& block) {
  ImGui::Dummy({0, scaled(block.level == 1 ? 2 : 8)});
  const std::string words = markdown::plain_text(block.spans);
  block.level == 1 ? title(words) : heading(words);
  ImGui::Dummy({0, scaled(2)});
}

void draw_code_line(std::string_view line) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + scaled(12));
  ImGui::TextUnformatted(line.data(), line.data() + line.size());
}

void draw_code(std::string_view text) {
  ImGui::PushFont(look().mono, small_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(mix(look().palette.text, look().palette.accent, 0.25)));
  ImGui::PushTextWrapPos(0);
  for (size_t end = 0; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    draw_code_line(text.substr(0, end));
  draw_code_line(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void draw_table(const markdown::Block& table) {
  const size_t columns = table.rows.front().size();
  if (ImGui::BeginTable("table", static_cast<int>(columns),
                        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit)) {
    for (size_t i = 0; i + 1 < columns; ++i)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, scaled(170));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    for (const std::vector<markdown::Spans>& row : table.rows)
      for (const markdown::Spans& cell : row) {
        ImGui::TableNextColumn();
        draw_spans(&row == &table.rows.front() ? markdown::strong(cell) : cell,
                   ImGui::GetContentRegionAvail().x);
      }
    ImGui::EndTable();
  }
  ImGui::Dummy({0, scaled(4)});
}

void draw_content(const markdown::Block& block, const DrawPicture& draw_picture) {
  switch (block.kind) {
    case Kind::heading:
      return draw_heading(block);
    case Kind::paragraph:
      draw_spans(block.spans, ImGui::GetContentRegionAvail().x);
      if (block.level == 0) ImGui::Dummy({0, scaled(4)});
      return;
    case Kind::code:
      return draw_code(block.text);
    case Kind::table:
      return draw_table(block);
    case Kind::picture:
      return draw_picture ? draw_picture(block) : small_text(markdown::plain_text(block.spans));
    case Kind::rule:
      return ImGui::Separator();
  }
}

// Next to its mark, or below what is next to it.
void draw_item(const markdown::Block& block, const DrawPicture& draw_picture) {
  const float mark = ImGui::CalcTextSize("•").x + scaled(8);
  const uint32_t outer = std::min(block.level, deepest) - 1;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + scaled(6) +
                       mark * static_cast<float>(block.mark.empty() ? outer + 1 : outer));
  if (!block.mark.empty()) {
    ImGui::TextUnformatted((block.mark == "•" ? block.mark : block.mark + " ").c_str());
    ImGui::SameLine(0, scaled(8));
  }
  ImGui::BeginGroup();
  draw_content(block, draw_picture);
  ImGui::EndGroup();
}

}  // namespace

void draw_spans(const markdown::Spans& spans, float width) {
  const float left = ImGui::GetCursorPosX();
  bool first = true;
  for (const Word& word : lines_in(spans, width)) {
    push_font(word.ink);
    if (!std::exchange(first, false)) {
      ImGui::SameLine(0, gap_before(word));
      if (word.begins_line) {
        ImGui::NewLine();
        ImGui::SetCursorPosX(left);
      }
    }
    if (word.ink == Ink::code) drop_to_base_line(word.begins_line);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          colour(word.ink == Ink::code ? look().palette.accent : look().palette.text));
    ImGui::TextUnformatted(word.text.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
}

float height_of_spans(const markdown::Spans& spans, float width) {
  const std::vector<Word> words = lines_in(spans, width);
  const auto lines = std::max<std::ptrdiff_t>(1, std::ranges::count(words, true, &Word::begins_line));
  const float line = ImGui::GetTextLineHeight();
  return static_cast<float>(lines) * (line + ImGui::GetStyle().ItemSpacing.y) -
         ImGui::GetStyle().ItemSpacing.y;
}

void draw_markdown(std::string_view text, const DrawPicture& draw_picture) {
  int number = 0;
  for (const markdown::Block& block : markdown::read(text)) {
    ImGui::PushID(number++);
    if (block.level == 0 || block.kind == Kind::heading)
      draw_content(block, draw_picture);
    else
      draw_item(block, draw_picture);
    ImGui::PopID();
  }
}

}  // namespace warplens
