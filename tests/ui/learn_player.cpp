#include "tests/ui/learn_player.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/system/files.h"
#include "core/lesson/play/answers.h"
#include "tests/app/example_lesson.h"
#include "tests/app/lesson_moves.h"

namespace warplens {

std::string folder_on_disk(const lesson::Folder& folder) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("warplens_learn_{}", ::getpid()) / folder.name;
  std::filesystem::create_directories(path);
  for (const auto& [name, bytes] : folder.files) EXPECT_TRUE(write_text((path / name).string(), bytes));
  return path.string();
}

lesson::Folder example_lesson() {
  lesson::Folder folder;
  folder.name = "example";
  folder.files["lesson.md"] = example_lesson_text();
  return folder;
}

void open_step(Driver& d, const std::string& lesson, const std::string& step) {
  ASSERT_TRUE(d.wait_for_result());
  d.shell.actions().push(OpenLesson{lesson, 0});
  d.ui->Yield(3);
  ASSERT_TRUE(d.state().lesson.is_open()) << "there is no lesson " << lesson;
  const auto& steps = d.state().lesson.open->lesson.steps;
  const auto at = std::ranges::find(steps, step, &lesson::LessonStep::id);
  ASSERT_NE(at, steps.end()) << lesson << " has no step " << step;
  d.shell.actions().push(GoToStep{static_cast<size_t>(at - steps.begin())});
  d.ui->Yield(3);
  ASSERT_TRUE(d.wait_for_result());
  ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.phase == ShowPhase::step; }));
  d.ui->Yield(6);
}

void in_strip(Driver& d) {
  const char* strip = d.state().frame.present ? "##present_lesson" : "###launch";
  for (const char* part : {"question", "lesson"}) {
    const ImGuiTestItemInfo info =
        d.ui->WindowInfo(fmt::format("//{}/{}", strip, part).c_str(), ImGuiTestOpFlags_NoError);
    if (info.ID == 0 || info.Window == nullptr || !info.Window->WasActive) continue;
    d.ui->SetRef(info.ID);
    return;
  }
  ADD_FAILURE() << "there is no strip";
}

void press_bar(Driver& d, const char* id) {
  d.ui->SetRef("//###launch");
  d.ui->ItemClick(id);
  d.ui->Yield(3);
}

namespace {

using lesson::Show;

const lesson::QuestionProgress& own_of(Driver& d, size_t question) {
  return d.state().lesson.player.steps.at(d.state().lesson.player.at).questions.at(question);
}

std::string path_of(size_t question, const std::string& id) { return fmt::format("$${}/{}", question, id); }

void type_in(Driver& d, const std::string& path, const std::string& text) {
  d.ui->ItemInput(path.c_str());
  d.ui->KeyCharsReplaceEnter(text.c_str());
  d.ui->Yield(3);
}

void answer_number(Driver& d, size_t question, double value) {
  type_in(d, path_of(question, "##number"), fmt::format("{}", value));
}

void answer_marker(Driver& d, size_t question, double value) {
  type_in(d, path_of(question, "##number_marker"), fmt::format("{}", value));
  d.ui->ItemClick(path_of(question, "###give").c_str());
}

void answer_clicks(Driver& d, size_t question, const lesson::Question& asked, const std::string& text) {
  using Kind = lesson::Target::Kind;
  if (asked.what != Kind::lane && asked.what != Kind::bank)
    return type_in(d, path_of(question, "##click"), text);
  const auto answer = lesson::answer_in(text, asked);
  for (const lesson::Target& target : std::get<lesson::ClickAnswer>(*answer).clicked)
    d.ui->ItemClick(path_of(question, fmt::format("###tile_{}", target.index)).c_str());
}

// By keys: a row is focused and moved up with Alt.
void answer_order(Driver& d, size_t question, const lesson::Question& asked,
                  const lesson::OrderAnswer& answer) {
  std::vector<uint32_t> now = lesson::offered_order(asked, 1);
  for (size_t place = 0; place < answer.items.size(); ++place) {
    auto at = static_cast<size_t>(std::ranges::find(now, answer.items[place]) - now.begin());
    for (; at > place; --at) {
      d.ui->NavMoveTo(path_of(question, fmt::format("##item_{}", at)).c_str());
      d.ui->KeyPress(ImGuiMod_Alt | ImGuiKey_UpArrow);
      d.ui->Yield(2);
      std::swap(now[at], now[at - 1]);
    }
  }
  d.ui->ItemClick(path_of(question, "###give").c_str());
}

void answer_formula(Driver& d, size_t question, const lesson::Question& asked,
                    const lesson::FormulaAnswer& answer) {
  for (size_t box = 0; box < answer.boxes.size(); ++box) {
    const std::string id = path_of(question, fmt::format("###box_{}", box));
    if (asked.tiles.empty()) {
      type_in(d, path_of(question, fmt::format("##box_{}", box)), answer.boxes[box]);
      continue;
    }
    const auto tile = std::ranges::find(asked.tiles, answer.boxes[box]) - asked.tiles.begin();
    d.ui->ItemClick(id.c_str());
    d.ui->ItemClick(path_of(question, fmt::format("###tile_{}", tile)).c_str());
  }
  if (!own_of(d, question).settled() && d.ui->ItemExists(path_of(question, "###give").c_str()))
    d.ui->ItemClick(path_of(question, "###give").c_str());
}

void give_answer(Driver& d, size_t question, const std::string& text) {
  const lesson::Question& asked = current_step(d.state())->questions.at(question);
  const auto answer = lesson::answer_in(text, asked);
  ASSERT_TRUE(answer) << answer.error().message;
  in_strip(d);
  if (const auto* number = std::get_if<lesson::NumberAnswer>(&*answer)) {
    if (asked.kind == lesson::QuestionKind::marker)
      answer_marker(d, question, number->value);
    else
      answer_number(d, question, number->value);
  } else if (const auto* choice = std::get_if<lesson::ChoiceAnswer>(&*answer)) {
    d.ui->ItemClick(path_of(question, fmt::format("##choice_{}", char('A' + choice->letter))).c_str());
  } else if (const auto* order = std::get_if<lesson::OrderAnswer>(&*answer)) {
    answer_order(d, question, asked, *order);
  } else if (const auto* formula = std::get_if<lesson::FormulaAnswer>(&*answer)) {
    answer_formula(d, question, asked, *formula);
  } else {
    answer_clicks(d, question, asked, text);
  }
  d.ui->Yield(4);
}

// By its button, as it is now; before a guess is given, the step refuses that.
void run_program(Driver& d, const Show& changes) {
  const ProgramRun& run = d.state().program.run;
  const auto ended = [&] { return run.phase != ProgramRun::Phase::running; };
  d.ui->SetRef(d.state().frame.present ? "//##present" : "//###program");
  if (d.ui->ItemExists("source/###run_program")) d.ui->ItemClick("source/###run_program");
  d.ui->Yield(4);
  ASSERT_TRUE(d.wait_until(ended, 60));
  d.ui->Yield(4);
  if (!changes.order || run.phase != ProgramRun::Phase::ended) return;
  d.ui->ItemClick("run/Run in another order");
  d.ui->Yield(4);
  ASSERT_TRUE(d.wait_until(ended, 60));
  d.ui->Yield(4);
}

void do_changes(Driver& d, const Show& changes) {
  Actions& actions = d.shell.actions();
  const std::vector<Action> setup = lesson_moves::setup_actions(d.state(), changes);
  for (const auto& [name, value] : changes.values) {
    in_strip(d);
    const std::string field = name + "/##number_" + name;
    if (d.ui->ItemExists(field.c_str()))
      type_in(d, field, fmt::format("{}", value));
    else
      actions.push(SetValue{name, value});
  }
  for (const Action& action : setup) actions.push(action);
  d.wait_for_result();
  if (d.state().program.run.given) run_program(d, changes);
  for (const Action& action : lesson_moves::look_actions(d.state(), changes)) actions.push(action);
  d.ui->Yield(4);
  if (!changes.step) return;
  ASSERT_TRUE(d.wait_until([&] { return d.state().step.shown != nullptr && !d.state().step.moving; }));
  actions.push(StepBy{lesson_moves::move_to(*changes.step)});
  d.ui->Yield(4);
  d.wait_until([&] { return !d.state().step.moving; });
}

bool guessed_rightly(const lesson::StepProgress& answers) {
  return std::ranges::all_of(answers.questions, [](const lesson::QuestionProgress& own) {
    return own.mark == lesson::AnswerMark::right ||
           (own.mark == lesson::AnswerMark::guessed && own.guess_right);
  });
}

// What came of each question, for the test's own words.
std::string words_of(const lesson::StepProgress& answers) {
  std::string words;
  for (const lesson::QuestionProgress& own : answers.questions)
    words += fmt::format("mark {}, rightly {}, truth \"{}\"\n", static_cast<int>(own.mark), own.guess_right,
                         own.truth_words);
  return words;
}

}  // namespace

void do_moves(Driver& d, const lesson::Moves& moves) {
  do_changes(d, moves.changes);
  for (size_t question = 0; question < moves.answers.size(); ++question) {
    const auto& questions = d.state().lesson.player.steps.at(d.state().lesson.player.at).questions;
    if (question > 0 && !questions.at(question - 1).settled()) return;  // the next one is not shown yet
    give_answer(d, question, moves.answers[question].text);
    d.wait_for_result();
  }
  // What was guessed is known only after the run.
  const ProgramRun& run = d.state().program.run;
  if (run.given && (!run.has_run || run.is_busy())) run_program(d, {});
  d.wait_for_result();
}

void play_to_the_end(Driver& d) {
  ASSERT_TRUE(d.state().lesson.is_open());
  const size_t count = d.state().lesson.player.steps.size();
  for (size_t at = 0; at < count; ++at) {
    ASSERT_EQ(d.state().lesson.player.at, at);
    const lesson::LessonStep step = *current_step(d.state());
    SCOPED_TRACE(d.state().lesson.open->folder.name + ", step " + step.id);
    ASSERT_TRUE(d.wait_for_result());
    const auto answers = [&]() -> const lesson::StepProgress& {
      return d.state().lesson.player.steps.at(at);
    };
    EXPECT_FALSE(answers().done) << "before anything was done";
    do_moves(d, step.wrong);
    EXPECT_FALSE(answers().done && guessed_rightly(answers())) << "answered wrongly";
    press_bar(d, "###reset");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_FALSE(answers().done) << "Reset begins again";
    do_moves(d, step.solution);
    EXPECT_TRUE(d.wait_until([&] { return answers().done; })) << "answered rightly";
    // A guess is compared with what `reveal` shows: Step may still be on its way there.
    EXPECT_TRUE(d.wait_until([&] { return guessed_rightly(answers()); })) << words_of(answers());
    if (at + 1 < count) press_bar(d, "###next");
  }
}

}  // namespace warplens
