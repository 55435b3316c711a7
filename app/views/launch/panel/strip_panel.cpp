#include "app/views/launch/panel/strip_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/views/launch/lesson_words.h"
#include "app/views/launch/panel/changes_panel.h"
#include "app/views/launch/panel/figures_panel.h"
#include "app/views/launch/panel/lesson_bar_panel.h"
#include "app/views/launch/panel/offered_code_panel.h"
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

void draw_picture(LessonStripState& own, const markdown::Block& picture) {
  const auto& raster = picture_of(own, picture.text);
  const std::string about = markdown::plain_text(picture.spans);
  if (raster == nullptr) return small_text(about.empty() ? picture.text : about);
  const float width = std::min(ImGui::GetContentRegionAvail().x, scaled(float(raster->width)));
  const float height = width * float(raster->height) / float(raster->width);
  ImGui::Image(own.textures.texture_of(raster, Sampling::linear), {width, height});
  hover_text(about);
}

void draw_text(const AppState& state, LessonStripState& own, const std::string& text) {
  draw_markdown(filled_text(state, text),
                [&](const markdown::Block& picture) { draw_picture(own, picture); });
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

void draw_hidden_figures(const AppState& state, const LaunchView& launch) {
  const lesson::LessonStep& step = *current_step(state);
  if (step.show.hide && std::ranges::any_of(*step.show.hide, [](const std::string& name) {
        return name.starts_with("launch") || name.starts_with("occupancy");
      }))
    draw_key_figures(launch);
}

void draw_missing(const AppState& state) {
  const lesson::StepProgress& answers = state.lesson.player.progress();
  if (answers.done || answers.revealed || open_question(state)) return;
  for (const std::string& words : answers.missing) quiet_text("Still to do: " + words);
}

// What is missing stands above the controls, which stay where they are.
void draw_changes(const AppState& state, const LaunchView& launch, Actions& actions) {
  draw_missing(state);
  small_text("You may change " + changeable_words(state) + ", and nothing else.");
  draw_changes_of(state, launch, *current_step(state)->show.change, actions);
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
  if (changeable_words(state).empty()) draw_missing(state);
}

void draw_notes_part(const AppState& state, LessonStripState& own) {
  const lesson::LessonStep& step = *current_step(state);
  if (!state.lesson.notes || state.frame.present) return;  // while presenting they have a window of their own
  ImGui::Dummy({0, scaled(6)});
  heading("Teacher's notes (N hides them)");
  draw_text(state, own, step.notes.empty() ? "This step has no notes." : step.notes.text);
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
  draw_answered_questions(state, own.questions, actions);
  draw_hidden_figures(state, launch);
  if (!state.lesson.refusal.empty()) body_text(state.lesson.refusal);
  draw_offered_code(state, actions);
  draw_hints(state, own);
  draw_outcome(state, own);
  draw_notes_part(state, own);
}

// ---- what is asked, and may be changed: it stays at the bottom while the text above scrolls

bool has_task(const AppState& state) { return open_question(state) || !changeable_words(state).empty(); }

// The part of the height that the text keeps.
float least_body(float height) { return std::max(height * 0.2f, std::min(scaled(50), height * 0.5f)); }

void draw_task(const AppState& state, const LaunchView& launch, LessonStripState& own, float height,
               Actions& actions) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y},
                                      colour(look().palette.line), scaled(1));
  const bool hidden = !own.task.is_settled();
  if (hidden) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.001f);  // 0 would be taken as not drawn at all
  // A scroll bar that comes and goes would change the width, and with it the height.
  ImGui::BeginChild("question", {0, height}, ImGuiChildFlags_NavFlattened,
                    own.task.overflows() ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoScrollbar);
  const float top = ImGui::GetCursorPosY();
  {
    const SmallerText smaller(own.task.factor());
    draw_open_question(state, own.questions, actions);
    if (!changeable_words(state).empty()) draw_changes(state, launch, actions);
  }
  own.task.note(ImGui::GetCursorPosY() - top);
  ImGui::EndChild();
  if (hidden) ImGui::PopStyleVar();
}

void begin_task(const AppState& state, LessonStripState& own, float height) {
  const uint64_t question = open_question(state).value_or(lesson::max_questions);
  own.task.begin(state.lesson.entered * (lesson::max_questions + 1) + question,
                 ImGui::GetContentRegionAvail().x, height - least_body(height));
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
  follow_questions(state, own.questions);
  const float between = ImGui::GetStyle().ItemSpacing.y;
  // In present mode another bar has the steps.
  const float bar = state.frame.present ? 0 : lesson_bar_height() + between;
  const float room = std::max(ImGui::GetContentRegionAvail().y - bar, scaled(60));
  const bool asks = has_task(state);
  if (asks) begin_task(state, own, room);
  const float task = asks ? std::min(own.task.needed(), room - least_body(room)) + between : 0;
  ImGui::BeginChild("lesson", {0, room - task}, ImGuiChildFlags_NavFlattened);
  if (own.entered != state.lesson.entered) {
    ImGui::SetScrollY(0);
    own.was_done = state.lesson.player.progress().done;
  }
  own.entered = state.lesson.entered;
  draw_body(state, launch, own, actions);
  ImGui::EndChild();
  if (asks) draw_task(state, launch, own, task - between, actions);
  if (!state.frame.present) draw_lesson_bar(state, actions);
}

}  // namespace warplens
