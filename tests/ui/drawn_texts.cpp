#include "tests/ui/drawn_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace warplens {
namespace {

using Corner = std::pair<float, float>;

// The letters of the atlas by the corner of their picture in it.
struct Alphabet {
  std::map<Corner, const ImFontGlyph*> by_upper, by_lower;

  Alphabet() {
    auto& pool = ImGui::GetIO().Fonts->Builder->BakedPool;
    for (int i = 0; i < pool.Size; ++i)
      for (const ImFontGlyph& glyph : pool[i].Glyphs) {
        if (!glyph.Visible) continue;
        by_upper[{glyph.U0, glyph.V0}] = &glyph;
        by_lower[{glyph.U1, glyph.V1}] = &glyph;
      }
  }
};

struct Letter {
  ImRect box, seen;
  const ImFontGlyph* glyph;
  float scale;
  ImVec2 pen;
  bool clipped;  // by Dear ImGui, before it was drawn
};

// The six indices of a quad that shows a letter.
bool is_quad(const ImDrawIdx* index) {
  const unsigned first = index[0];
  return index[1] == first + 1 && index[2] == first + 2 && index[3] == first && index[4] == first + 2 &&
         index[5] == first + 3;
}

std::vector<Letter> letters_of(const ImDrawList& list, const ImDrawCmd& command, const Alphabet& alphabet) {
  std::vector<Letter> letters;
  const ImRect screen({0, 0}, ImGui::GetMainViewport()->Size);
  ImRect clip(command.ClipRect);
  clip.ClipWith(screen);
  for (unsigned i = 0; i + 6 <= command.ElemCount; ++i) {
    const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
    if (!is_quad(index)) continue;
    const auto* corner = &list.VtxBuffer[static_cast<int>(command.VtxOffset + index[0])];
    if (corner[0].col >> IM_COL32_A_SHIFT == 0) continue;
    const auto upper = alphabet.by_upper.find({corner[0].uv.x, corner[0].uv.y});
    const auto lower = alphabet.by_lower.find({corner[2].uv.x, corner[2].uv.y});
    const bool whole = upper != alphabet.by_upper.end() && lower != alphabet.by_lower.end();
    if (upper == alphabet.by_upper.end() && lower == alphabet.by_lower.end()) continue;
    const ImFontGlyph* glyph = upper != alphabet.by_upper.end() ? upper->second : lower->second;
    Letter letter{ImRect(corner[0].pos, corner[2].pos), {}, glyph, 1, {}, !whole};
    if (whole) letter.scale = letter.box.GetHeight() / (glyph->Y1 - glyph->Y0);
    letter.pen = {letter.box.Min.x - glyph->X0 * letter.scale, letter.box.Min.y - glyph->Y0 * letter.scale};
    letter.seen = letter.box;
    letter.seen.ClipWith(clip);
    letters.push_back(letter);
    i += 5;
  }
  return letters;
}

// Whether the letter goes on in the line of the one before.
bool follows(const Letter& before, const Letter& now) {
  const float height = std::max(before.box.GetHeight(), now.box.GetHeight());
  const float from = before.pen.x + before.glyph->AdvanceX * before.scale;
  if (before.clipped || now.clipped)
    return std::abs(before.box.GetCenter().y - now.box.GetCenter().y) < height && now.pen.x >= before.pen.x;
  return std::abs(before.pen.y - now.pen.y) < 1 && now.pen.x > from - 1.5f &&
         now.pen.x < from + 1.5f * height;
}

std::string utf8(unsigned letter) {
  char text[5] = {};
  ImTextCharToUtf8(text, letter);
  return text;
}

void add(DrawnText& text, const Letter* before, const Letter& letter) {
  if (before != nullptr && letter.pen.x > before->pen.x + before->glyph->AdvanceX * before->scale + 1.5f)
    text.words += " ";
  text.words += utf8(letter.glyph->Codepoint);
  const float width = letter.seen.GetWidth(), height = letter.seen.GetHeight();
  const bool seen = width > 0 && height > 0;
  constexpr float some = 1.5f;  // pixels: the picture of a letter is a little larger than the letter
  text.cut_at_side |= letter.box.GetWidth() - width > some || letter.clipped;
  text.cut_at_edge |= letter.box.GetHeight() - height > some;
  if (!seen) return;
  text.letters.push_back(letter.seen);
  text.box.Add(letter.seen);
}

void add_texts(std::vector<DrawnText>& texts, const std::vector<Letter>& letters, const ImGuiWindow* window) {
  const Letter* before = nullptr;
  for (const Letter& letter : letters) {
    if (before == nullptr || !follows(*before, letter)) {
      texts.emplace_back();
      texts.back().box = ImRect(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
      texts.back().window = window;
      before = nullptr;
    }
    add(texts.back(), before, letter);
    before = &letter;
  }
}

bool scrolls(const ImGuiWindow* window, ImGuiAxis axis) {
  // The bar of the tabs has arrows where it has no room for all.
  const ImGuiDockNode* node = window != nullptr ? window->DockNodeAsHost : nullptr;
  if (axis == ImGuiAxis_X && node != nullptr) return true;
  const bool across = axis == ImGuiAxis_X;
  for (; window != nullptr; window = window->ParentWindow) {
    const bool has_bar = across ? (window->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0
                                : (window->Flags & ImGuiWindowFlags_NoScrollbar) == 0;
    if (window->ScrollMax[axis] > 0 && has_bar) return true;
  }
  return false;
}

// Letters of two texts that lie over each other by more than their rounded corners.
bool lie_over(const DrawnText& a, const DrawnText& b) {
  constexpr float some = 2;
  if (!a.box.Overlaps(b.box)) return false;
  for (const ImRect& one : a.letters)
    for (const ImRect& other : b.letters) {
      ImRect both = one;
      both.ClipWith(other);
      if (both.GetWidth() > some && both.GetHeight() > some) return true;
    }
  return false;
}

std::string place_of(const DrawnText& text) {
  return fmt::format("\"{}\" in {} at {:.0f}, {:.0f}", text.words,
                     text.window != nullptr ? text.window->Name : "no window", text.box.Min.x,
                     text.box.Min.y);
}

}  // namespace

std::vector<DrawnText> drawn_texts() {
  const Alphabet alphabet;
  std::map<const ImDrawList*, const ImGuiWindow*> windows;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) windows[window->DrawList] = window;
  std::vector<DrawnText> texts;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
    const auto window = windows.find(list);
    for (const ImDrawCmd& command : list->CmdBuffer)
      if (command.UserCallback == nullptr)
        add_texts(texts, letters_of(*list, command, alphabet),
                  window == windows.end() ? nullptr : window->second);
  }
  std::erase_if(texts, [](const DrawnText& text) { return text.letters.empty(); });
  return texts;
}

std::vector<std::string> faults_of(const std::vector<DrawnText>& texts) {
  std::set<std::string> faults;
  for (const DrawnText& text : texts) {
    if (text.cut_at_side && !scrolls(text.window, ImGuiAxis_X))
      faults.insert("cut at the side: " + place_of(text));
    if (text.cut_at_edge && !scrolls(text.window, ImGuiAxis_Y))
      faults.insert("cut above or below: " + place_of(text));
  }
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      const DrawnText &a = texts[i], &b = texts[k];
      const bool together =
          a.window != nullptr && b.window != nullptr && a.window->RootWindow == b.window->RootWindow;
      const bool shadow = a.words == b.words;  // drawn twice, as an outline
      if (together && !shadow && lie_over(a, b)) faults.insert(place_of(a) + " lies over " + place_of(b));
    }
  return {faults.begin(), faults.end()};
}

}  // namespace warplens
