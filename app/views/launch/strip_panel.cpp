#include "app/views/launch/strip_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/views/launch/changes_panel.h"
#include "app/views/launch/figures_panel.h"
#include "app/views/launch/lesson_words.h"
#include "app/views/launch/offered_code_panel.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/image/image.h"

namespace warplens {
namespace {

// ---- texts

std::shared_ptr<const Raster> raster_of(const Image& image) {
  Raster raster = make_raster(image.width, image.height);
  for (uint64_t i = 0; i < uint64_t{image.width} * image.height; ++i) {
    const uint8_t* from = image.pixels.data() + 3 * i;
    put_pixel(raster, i, uint32_t{from[0]} << 16 | uint32_t{from[1]} << 8 | from[2]);
  }
  return std::make_shared<const Raster>(std::move(raster));
}

const std::shared_ptr<const Raster>& picture_of(LessonStripState& own, const std::string& file) {
  const auto known = own.pictures.find(file);
  if (known != own.pictures.end()) return known->second;
  std::shared_ptr<const Raster>& picture = own.pictures[file];
  const auto& files = own.of->folder.files;
  if (const auto bytes = files.find(file); bytes != files.end()) {
    const auto image =
        decode_image(std::as_bytes(std::span(bytes->second.data(), bytes->second.size())), file, 3);
    if (image) picture = raster_of(*image);
  }
  return picture;
}

void draw_picture_part(LessonStripState& own, const TextPart& part) {
  const auto& raster = picture_of(own, part.picture);
  if (raster == nullptr) return small_text(part.about.empty() ? part.picture : part.about);
  const float width = std::min(ImGui::GetContentRegionAvail().x, scaled(float(raster->width)));
  const float height = width * float(raster->height) / float(raster->width);
  ImGui::Image(own.textures.texture_of(raster, Sampling::linear), {width, height});
  hover_text(part.about);
}

void draw_text(const AppState& state, LessonStripState& own, const std::string& text) {
  for (const TextPart& part : parts_of_text(filled_text(state, text)))
    part.picture.empty() ? draw_markdown(part.words) : draw_picture_part(own, part);
}

void strong_line(const std::string& words, uint32_t rgb) {
  ImGui::PushFont(look().strong, body_size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::PushTextWrapPos(0);
  show_words(words);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

// ---- mistakes of the file

void draw_mistakes(const AppState& state, Actions& actions) {
  const auto& mistakes = state.lesson.mistakes;
  const bool broken =
      std::ranges::any_of(mistakes, [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (!broken && state.lesson.is_open()) return;
  title(state.lesson.is_open() ? "The saved lesson has mistakes" : "This lesson cannot be opened");
  small_text(state.lesson.is_open() ? "You see the lesson as it was before. Correct the file and save it."
                                    : "Correct these places, then open it again.");
  for (const Diagnostic& one : mistakes) {
    mono_text_wrapped(one.line == 0 ? one.file : fmt::format("{}:{}", one.file, one.line),
                      look().palette.accent);
    body_text(one.message);
  }
  if (!state.lesson.is_open() && chip("Close")) actions.push(CloseLesson{});
  ImGui::Dummy({0, scaled(6)});
}

// ---- what may be changed

void draw_changes(const AppState& state, const LaunchView& launch, Actions& actions) {
  const lesson::LessonStep& step = *current_step(state);
  if (step.show.hide && std::ranges::any_of(*step.show.hide, [](const std::string& name) {
        return name.starts_with("launch") || name.starts_with("occupancy");
      }))
    draw_key_figures(launch);
  const std::string words = changeable_words(state);
  if (!state.lesson.refusal.empty()) body_text(state.lesson.refusal);
  if (words.empty()) return;
  ImGui::Dummy({0, scaled(4)});
  heading("What you may change");
  small_text(words + ". Nothing else can be changed in this step.");
  draw_changes_of(state, launch, *step.show.change, actions);
}

// ---- hints, and what comes when the step is done

void draw_hints(const AppState& state, LessonStripState& own) {
  const lesson::LessonStep& step = *current_step(state);
  const size_t shown = std::min(state.lesson.player.steps[state.lesson.player.at].hints, step.hints.size());
  const bool more = own.hints_entered == state.lesson.entered && shown > own.hints;
  own.hints = shown;
  own.hints_entered = state.lesson.entered;
  for (size_t i = 0; i < shown; ++i) {
    ImGui::Dummy({0, scaled(2)});
    heading(step.hints.size() == 1 ? std::string("Hint")
                                   : fmt::format("Hint {} of {}", i + 1, step.hints.size()));
    draw_text(state, own, step.hints[i].text);
  }
  if (more) ImGui::SetScrollHereY(1);
}

void draw_outcome(const AppState& state, LessonStripState& own) {
  const lesson::LessonStep& step = *current_step(state);
  const lesson::StepProgress& answers = state.lesson.player.steps[state.lesson.player.at];
  if (answers.done) {
    ImGui::Dummy({0, scaled(4)});
    strong_line("✓ Done", look().palette.right);
    if (!own.was_done) ImGui::SetScrollHereY(0.6f);
  }
  if (answers.done || answers.revealed) {
    if (!step.then.empty()) draw_text(state, own, step.then.text);
    own.was_done = answers.done;
    return;
  }
  own.was_done = false;
  const bool answered = !open_question(state).has_value();
  if (!answered) return;
  for (const std::string& words : answers.missing) quiet_text("Still to do: " + words);
}

void draw_notes_part(const AppState& state, LessonStripState& own) {
  const lesson::LessonStep& step = *current_step(state);
  if (!state.lesson.notes || state.frame.present) return;  // while presenting they have a window of their own
  ImGui::Dummy({0, scaled(6)});
  heading("Teacher's notes (N hides them)");
  draw_text(state, own, step.notes.empty() ? "This step has no notes." : step.notes.text);
}

// ---- the bar at the bottom

struct BarButton {
  std::string label, hint;
  bool enabled = true, main = false;
  Action action;
};

std::vector<BarButton> bar_buttons(const AppState& state, bool brief) {
  const size_t at = state.lesson.player.at, count = state.lesson.player.steps.size();
  const lesson::LessonStep& step = *current_step(state);
  const lesson::StepProgress& answers = state.lesson.player.steps[at];
  const bool hints = answers.hints < step.hints.size();
  const std::string hint = brief ? "?###hint" : "Hint###hint";
  const std::string next = brief ? "▶###next" : at + 1 < count ? "Next ▶###next" : "End ▶###next";
  const BarButton reset =
      can_undo_reset(state)
          ? BarButton{"Undo reset###reset", "What you had before the reset comes back.", true, false,
                      UndoReset{}}
          : BarButton{"Reset###reset", "Sets this step as it was, and begins its questions again.", true,
                      false, ResetStep{}};
  return {{brief ? "◀###back" : "◀ Back###back", "Page Up", at > 0, false, GoToStep{at - 1}},
          {hint,
           step.hints.empty() ? "This step has none."
           : hints            ? ""
                              : "There are no more.",
           hints, false, ShowHint{}},
          reset,
          {next, "Page Down", true, answers.done,
           at + 1 < count ? Action(GoToStep{at + 1}) : Action(ShowDialog{Dialog::learn})}};
}

bool bar_button(const BarButton& button) {
  const bool pressed = button.main ? main_button(button.label) : chip(button.label, false, button.enabled);
  if (!button.hint.empty()) hover_text(button.hint);
  return pressed;
}

std::string counter_words(const AppState& state) {
  return fmt::format("{} / {}", state.lesson.player.at + 1, state.lesson.player.steps.size());
}

// How many lines the bar needs at this width.
int bar_lines(const AppState& state, float width, bool brief) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float x = 0;
  int lines = 1;
  const auto place = [&](float needed) {
    if (x > 0 && x + gap + needed > width) {
      ++lines;
      x = 0;
    }
    x += (x > 0 ? gap : 0) + needed;
  };
  size_t i = 0;
  for (const BarButton& button : bar_buttons(state, brief)) {
    place(chip_width(button.label));
    if (i++ == 0 && !brief) place(size_of_words(counter_words(state)).x);
  }
  return lines;
}

// A thin line of one piece a step: done, here, still to come.
void draw_track(const AppState& state) {
  const Palette& p = look().palette;
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto count = static_cast<float>(state.lesson.player.steps.size());
  const float gap = std::min(scaled(3), width / count / 4), piece = (width - gap * (count - 1)) / count;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < state.lesson.player.steps.size(); ++i) {
    const float x = at.x + static_cast<float>(i) * (piece + gap);
    const bool here = i == state.lesson.player.at;
    const float up = here ? scaled(2) : 0;
    draw->AddRectFilled({x, at.y - up}, {x + piece, at.y + height + up},
                        colour(here                                ? p.text
                               : state.lesson.player.steps[i].done ? p.right
                                                                   : p.line),
                        scaled(2));
  }
  ImGui::Dummy({width, height + scaled(4)});
}

void draw_bar(const AppState& state, bool brief, Actions& actions) {
  draw_track(state);
  size_t i = 0;
  for (const BarButton& button : bar_buttons(state, brief)) {
    if (i > 0) wrap_before(chip_width(button.label));
    if (bar_button(button)) actions.push(button.action);
    if (i++ > 0 || brief) continue;
    const std::string words = counter_words(state);
    wrap_before(size_of_words(words).x);
    ImGui::AlignTextToFramePadding();
    show_words(words);
  }
}

// "Lesson 5 · Memory by the sector"; where that has no room next to the button, the title is a line of its
// own.
void draw_strip_head(const AppState& state, Actions& actions) {
  const float room = ImGui::GetContentRegionAvail().x - chip_width("×") - ImGui::GetStyle().ItemSpacing.x;
  const float start = ImGui::GetCursorPosX();
  const std::string words = lesson_heading(state);
  const bool fits = heading_width(words) <= room;
  const size_t dot = words.find(" · ");
  heading(fits ? words : words.substr(0, dot));
  ImGui::SameLine(start + room + ImGui::GetStyle().ItemSpacing.x);
  if (state.frame.present) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});  // a stray click would end the lecture
  } else {
    if (chip("×###close")) actions.push(CloseLesson{});
    hover_text("Closes the lesson. What was there before comes back, and your progress is kept.");
  }
  if (!fits && dot != std::string::npos) heading(words.substr(dot + std::string_view(" · ").size()));
}

void draw_body(const AppState& state, const LaunchView& launch, LessonStripState& own, Actions& actions) {
  const lesson::LessonStep& step = *current_step(state);
  draw_mistakes(state, actions);
  draw_strip_head(state, actions);
  ImGui::PushTextWrapPos(0);
  title(filled_text(state, step.title.text));
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, scaled(2)});
  draw_text(state, own, step.text.text);
  draw_questions(state, own.questions, actions);
  draw_changes(state, launch, actions);
  draw_offered_code(state, actions);
  draw_hints(state, own);
  draw_outcome(state, own);
  draw_notes_part(state, own);
}

}  // namespace

void draw_lesson(const AppState& state, const LaunchView& launch, LessonStripState& own, Actions& actions) {
  own.textures.collect();
  if (!current_step(state)) return draw_mistakes(state, actions);
  if (own.of != state.lesson.open) {
    own.of = state.lesson.open;
    own.pictures.clear();
  }
  use_letter_keys(state, actions);
  const float width = ImGui::GetContentRegionAvail().x;
  const float line = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  // Large text: the bar stays one line, and leaves the room to what is to be read.
  const int lines = bar_lines(state, width, false);
  const bool brief = lines > 2 || line * static_cast<float>(lines) > ImGui::GetContentRegionAvail().y / 4;
  const bool own_bar = !state.frame.present;  // which has the steps in its own
  const float bar = !own_bar ? 0
                             : scaled(12) + line * static_cast<float>(bar_lines(state, width, brief)) +
                                   ImGui::GetStyle().ItemSpacing.y;
  const float body = std::max(ImGui::GetContentRegionAvail().y - bar, scaled(60));
  ImGui::BeginChild("lesson", {0, body}, ImGuiChildFlags_NavFlattened);
  if (own.entered != state.lesson.entered) {
    ImGui::SetScrollY(0);
    own.was_done = state.lesson.player.steps[state.lesson.player.at].done;
  }
  own.entered = state.lesson.entered;
  draw_body(state, launch, own, actions);
  ImGui::EndChild();
  if (own_bar) draw_bar(state, brief, actions);
}

}  // namespace warplens
