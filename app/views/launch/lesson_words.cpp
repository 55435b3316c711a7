#include "app/views/launch/lesson_words.h"

#include <fmt/format.h>

#include "core/lesson/goals/facts.h"

namespace warplens {
namespace {

std::string position_words(Dim3 at) {
  if (at.z != 0) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (at.y != 0) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

}  // namespace

std::string lesson_heading(const AppState& state) {
  if (!state.lesson.is_open()) return "Lesson";
  const lesson::Lesson& open = state.lesson.open->lesson;
  return open.number == 0 ? open.title : fmt::format("Lesson {} · {}", open.number, open.title);
}

std::string click_words(const lesson::Question& question) {
  switch (question.what) {
    case lesson::Target::Kind::thread:
      return "Click a thread in the picture.";
    case lesson::Target::Kind::block:
      return "Click a block in the picture.";
    case lesson::Target::Kind::warp:
      return "Click a warp in the picture.";
    case lesson::Target::Kind::element:
      return question.array.empty()
                 ? "Click an element in the picture."
                 : fmt::format("Click an element of the array {} in the picture.", question.array);
    case lesson::Target::Kind::line:
      return "Click a line of the code.";
    case lesson::Target::Kind::lane:
      return "Click a lane, here or in the picture.";
    case lesson::Target::Kind::bank:
      return "Click a bank.";
    case lesson::Target::Kind::nothing:
      break;
  }
  return "";
}

std::string found_words(const lesson::Question& question, const lesson::QuestionProgress& own) {
  const auto* clicks = std::get_if<lesson::ClickAnswer>(&own.answer);
  if (clicks == nullptr || clicks->clicked.empty()) return "";
  const size_t found = clicks->clicked.size();
  const bool several = question.find_all || !question.find.empty();
  if (own.settled() || !several) return fmt::format("{} found", found);
  if (question.find_all || own.wanted == 0) return fmt::format("{} found, and there are more", found);
  return fmt::format("{} of {} found", found, own.wanted);
}

std::string target_words(const lesson::Target& target) {
  switch (target.kind) {
    case lesson::Target::Kind::thread:
      return fmt::format("block {}, thread {}", position_words(target.block), position_words(target.thread));
    case lesson::Target::Kind::block:
      return "block " + position_words(target.block);
    case lesson::Target::Kind::warp:
      return fmt::format("block {}, warp {}", position_words(target.block), target.index);
    case lesson::Target::Kind::lane:
      return fmt::format("lane {}", target.index);
    case lesson::Target::Kind::bank:
      return fmt::format("bank {}", target.index);
    case lesson::Target::Kind::element:
      return target.array.empty() ? fmt::format("element {}", target.index)
                                  : fmt::format("{}[{}]", target.array, target.index);
    case lesson::Target::Kind::line:
      return fmt::format("line {}", target.index);
    case lesson::Target::Kind::nothing:
      break;
  }
  return "";
}

std::string changeable_words(const AppState& state) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr || !step->show.change) return "";
  std::string words;
  for (const lesson::Change& change : *step->show.change) {
    if (change.name == "view") continue;
    if (!words.empty()) words += ", ";
    words += change.name;
    if (!change.range) continue;
    if (change.name == "code" && change.range->first == change.range->second)
      words += fmt::format(" (line {:g})", change.range->first);
    else
      words += fmt::format(" ({}{:g} to {:g})", change.name == "code" ? "lines " : "", change.range->first,
                           change.range->second);
  }
  return words;
}

std::string formula_words(const AppState& state, const lesson::Question& question) {
  if (question.kind == lesson::QuestionKind::choice || question.kind == lesson::QuestionKind::click)
    return "";
  if (!question.shows.empty()) return filled_text(state, question.shows.text);
  if (question.kind == lesson::QuestionKind::number || question.kind == lesson::QuestionKind::marker)
    return question.right.text;
  return "";
}

}  // namespace warplens
