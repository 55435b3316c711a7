// The building blocks that all panels share, so that they look alike. They have no state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/state/state.h"
#include "app/widgets/look.h"
#include "core/base/provenance.h"

struct ImGuiWindow;

namespace warplens {

// A heading such as "WRITTEN BY", small and in a quiet colour.
void heading(std::string_view words);
// The width of these words as a heading on one line.
float heading_width(std::string_view words);
void title(std::string_view words);       // 19 px
void quiet_text(std::string_view words);  // wrapped
void small_text(std::string_view words);  // 13 px, quiet, wrapped
void body_text(std::string_view words);   // wrapped
void mono_text(std::string_view code);    // indices, code, amounts; not wrapped
void mono_text(std::string_view code, uint32_t rgb);
void mono_text_wrapped(std::string_view code, uint32_t rgb);
// The width of a line of text, in the current font if `font` is null.
float text_width(const std::string& words, ImFont* font = nullptr);
// As many letters as there is room for, with "…" after them if some are missing.
std::string cut_to(std::string words, float room, ImFont* font = nullptr);

// A small word on a coloured background that says where a number comes from. `hover` is its formula with the
// numbers filled in.
void source_tag(Provenance source, std::string_view hover = {});
// Whether the pointer is still where it clicked: a tip would cover what came of the click.
bool clicked_here();
// Hover text for the last item, wrapped at a readable width.
void hover_text(std::string_view words);
// A small rounded button of a toolbar. A chosen one has an accent outline.
bool chip(std::string_view label, bool chosen = false, bool enabled = true);
// A choice of one mode, as joined buttons on one line. Returns which was pressed.
struct Segment {
  std::string label;
  bool chosen = false;
  bool enabled = true;
};
std::optional<size_t> segmented(std::span<const Segment> segments);
float segmented_width(std::span<const Segment> segments);
// A button that is on or off, with a box that says which. True if it was pressed.
bool on_off(std::string_view label, bool on, bool enabled = true);
float on_off_width(std::string_view label);
// The one filled button: what is to be done next.
bool main_button(std::string_view label, bool enabled = true);
// Starts a new line if the next item of `width` would not fit next to the last one. Call it between chips.
void wrap_before(float width);
float chip_width(std::string_view label);
// Blue words that work like a button.
bool link(std::string_view label);
// A card with a coloured edge: amber for warnings, red for faults. Call end_card() after it.
void begin_card(std::string_view id, uint32_t edge_rgb);
void end_card();
// A list that opens, like ImGui::BeginCombo(), after which ImGui::EndCombo() ends it.
bool begin_drop_down(const char* id, const std::string& shown);
// The arrow of what opens a list, at the right edge of its frame.
void drop_down_arrow(ImDrawList* draw, ImVec2 min, ImVec2 max);
float drop_down_arrow_room();
// Whether an editor or a field has the keyboard: then printing keys are not shortcuts.
bool is_typing();
// Marks the window of an editor: when it gets the keyboard, is_typing() is true in the very next frame.
void mark_as_typed_into(ImGuiWindow& window, bool typed_into);
// A square of colour (a pixel's value).
void swatch(uint32_t rgb, float size);
// What was clicked for an answer in a picture: right, it is outlined green with a tick; wrong, amber with a
// cross.
void click_mark(ImVec2 min, ImVec2 max, bool wrong);
// Draws the glyph of the level as shapes in its colour: ● fault, ▲ warning, …
void level_glyph(ProblemLevel level);

}  // namespace warplens
