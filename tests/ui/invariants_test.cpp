// What holds in every step of every lesson and in every challenge, in each layout: what is asked for is on
// the screen and can be clicked, no text is cut or lies over another, and no two items have one identifier
// (the driver fails on that).
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "app/state/parts/course.h"
#include "core/lesson/play/answers.h"
#include "tests/app/lesson_moves.h"
#include "tests/ui/drawn_texts.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

using lesson::QuestionKind;
using lesson::Target;

struct Layout {
  int width, height;
  float text;
  bool present;
  std::string name() const {
    return fmt::format("{}x{} at {:.0f} %{}", width, height, 100 * text, present ? ", present" : "");
  }
};

constexpr Layout layouts[] = {{1280, 720, 1, false},  {1280, 720, 1, true},     {1920, 1080, 1, true},
                              {1920, 1080, 1, false}, {1280, 720, 2.5f, false}, {1280, 720, 2.5f, true},
                              {390, 844, 1, false}};

// WARPLENS_INVARIANTS=all looks at every question of every step and at all challenges, a name at those of one
// lesson or challenge. By default the steps of the first lesson are looked at as they begin, and one
// challenge.
std::string chosen() {
  const char* name = std::getenv("WARPLENS_INVARIANTS");
  return name == nullptr ? "" : name;
}

class Invariants : public WindowTest {
 protected:
  // What does not hold, and where; each is reported once.
  void found(const std::string& what, const std::string& where) {
    auto& places = m_found[what];
    places.push_back(where);
  }
  void report() const {
    fmt::print("{} cases, {} findings\n", m_cases, m_found.size());
    std::string list;
    for (const auto& [what, places] : m_found)
      list += fmt::format("{} (cases: {}, the first: {})\n", what, places.size(), places.front());
    if (!list.empty()) ADD_FAILURE() << list;
  }

  std::map<std::string, std::vector<std::string>> m_found;
  size_t m_cases = 0;
};

void use(Driver& d, const Layout& layout) {
  d.shell.actions().push(Present{layout.present});
  d.shell.actions().push(SetTextScale{layout.text});
  if (ImGui::GetMainViewport()->Size.x != static_cast<float>(layout.width))
    d.resize(layout.width, layout.height);
  d.ui->Yield(10);
  d.wait_for_result();
}

std::vector<std::string> faults_of_texts(Driver& d) {
  std::vector<std::string> faults;
  d.after_frame = [&] { faults = faults_of(drawn_texts()); };
  d.ui->Yield(2);
  return faults;
}

// The window that a click at this place goes to.
const ImGuiWindow* window_at(ImVec2 at) {
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx(at, true, &window, nullptr);
  return window;
}

// Empty if the item is whole, not covered, and large enough to be clicked.
std::string why_not_clickable(const ImGuiTestItemInfo& info) {
  if (info.ID == 0 || info.Window == nullptr) return "is not there";
  const ImRect box = info.RectFull, seen = info.RectClipped;
  if (!ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(box)) return "leaves the window";
  if (seen.GetWidth() < box.GetWidth() - 1.5f || seen.GetHeight() < box.GetHeight() - 1.5f) return "is cut";
  const float x = std::min(4.0f, box.GetWidth() / 3), y = std::min(4.0f, box.GetHeight() / 3);
  for (const ImVec2 at :
       {box.GetCenter(), ImVec2(box.Min.x + x, box.Min.y + y), ImVec2(box.Max.x - x, box.Max.y - y)}) {
    const ImGuiWindow* window = window_at(at);
    if (window != info.Window)
      return fmt::format("is covered by {}", window == nullptr ? "nothing that hears clicks" : window->Name);
  }
  return "";
}

// ---- what the open question asks for

std::vector<std::string> controls_of(const lesson::Question& question) {
  std::vector<std::string> names;
  switch (question.kind) {
    case QuestionKind::number:
      return {"##number", "###give"};
    case QuestionKind::choice:
      for (size_t i = 0; i < question.choices.size(); ++i)
        names.push_back(fmt::format("##choice_{}", static_cast<char>('A' + i)));
      return names;
    case QuestionKind::marker:
      return {"##slide_marker", "###give"};
    case QuestionKind::order:
      for (size_t i = 0; i < question.items.size(); ++i) names.push_back(fmt::format("##item_{}", i));
      names.push_back("###give");
      return names;
    case QuestionKind::formula:
      for (size_t i = 0; i < question.tiles.size(); ++i) names.push_back(fmt::format("###tile_{}", i));
      for (size_t i = 0, box = 0; i < question.formula.size(); ++i)
        if (question.formula[i].box)
          names.push_back(fmt::format("{}box_{}", question.tiles.empty() ? "##" : "###", box++));
      names.push_back("###give");
      return names;
    case QuestionKind::click:
      if (question.what == Target::Kind::lane || question.what == Target::Kind::bank)
        for (int i = 0; i < 32; ++i) names.push_back(fmt::format("###tile_{}", i));
      return names;
  }
  return names;
}

const ImGuiWindow* view_window(const AppState& state, const Layout& layout) {
  return ImGui::FindWindowByName(
      layout.present ? "##present" : (std::string("###") + row_of(state.frame.view).name).c_str());
}

// ---- targets in the picture

// What views draw on. A picture whose result is to be found out is in a part of its own.
constexpr const char* canvases[] = {"##block", "##map", "##picture", "masked"};

ImGuiTestItemInfo canvas_info(Driver& d, const std::string& view, const std::string& canvas) {
  if (canvas != "masked") return d.ui->ItemInfo((view + canvas).c_str(), ImGuiTestOpFlags_NoError);
  const ImGuiTestItemInfo part = d.ui->WindowInfo((view + canvas).c_str(), ImGuiTestOpFlags_NoError);
  if (part.ID == 0 || part.Window == nullptr || !part.Window->WasActive) return {};
  d.ui->SetRef(part.ID);
  return d.ui->ItemInfo("##picture", ImGuiTestOpFlags_NoError);
}

bool is_target(const AppState& state, const Pick& pick, const Target& target) {
  switch (target.kind) {
    case Target::Kind::thread:
      return pick.block == target.block && pick.thread == target.thread;
    case Target::Kind::block:
      return pick.block == target.block;
    case Target::Kind::element: {
      if (!pick.element || !state.runs.result) return false;
      const auto& buffers = state.runs.result->request->buffers;
      if (pick.element->buffer >= buffers.size()) return false;
      const BufferSpec& buffer = buffers[pick.element->buffer];
      // A pixel of a photograph is smaller than the distance of the points: its neighbours do.
      const uint64_t near = pick.element->index > target.index ? pick.element->index - target.index
                                                               : target.index - pick.element->index;
      const uint64_t count = uint64_t{buffer.width} * buffer.height * buffer.channels;
      return near <= (count < 1024 ? 0 : count / 32 + buffer.width) &&
             (target.array.empty() || buffer.name == target.array);
    }
    default:
      return false;
  }
}

bool view_has(Driver& d, const std::string& view, const char* item) {
  return d.ui->ItemInfo((view + item).c_str(), ImGuiTestOpFlags_NoError).ID != 0;
}

// Points at places of the view, from left to right and down, until the target is under the pointer.
std::string why_not_pointed_at(Driver& d, const Layout& layout, const Target& target) {
  const ImGuiWindow* window = view_window(d.state(), layout);
  if (window == nullptr) return "has no view";
  const std::string view = std::string("//") + window->Name + "/";
  if (target.kind == Target::Kind::thread) {
    const uint64_t linear = uint64_t{target.block.x} * d.state().runs.result->shape.block.x + target.thread.x;
    const std::string path = view + fmt::format("thread_at:{}", linear);
    const ImGuiTestItemInfo info = d.ui->ItemInfo(path.c_str(), ImGuiTestOpFlags_NoError);
    if (info.ID != 0) return why_not_clickable(info);
  }
  // A thread is reached in two steps, if its block is not the one that is open: its block, which a click
  // opens (tests/ui/learn_lesson_test.cpp), then the thread.
  if (target.kind == Target::Kind::thread && !d.state().selection.pinned.block &&
      view_has(d, view, "##map")) {
    Target block = target;
    block.kind = Target::Kind::block;
    return why_not_pointed_at(d, layout, block);
  }
  if (target.kind == Target::Kind::thread && d.state().selection.pinned.block &&
      d.state().selection.pinned.block != target.block && view_has(d, view, "##block")) {
    Target block = target, thread = target;
    block.kind = Target::Kind::block;
    thread.block = *d.state().selection.pinned.block;
    // Where the map has no room beside the block, a click on its name brings it.
    const std::string why = view_has(d, view, "##map")
                                ? why_not_pointed_at(d, layout, block)
                                : why_not_clickable(d.ui->ItemInfo((view + "level:grid").c_str()));
    return why.empty() ? why_not_pointed_at(d, layout, thread) : why;
  }
  for (const char* item : canvases) {
    const ImGuiTestItemInfo info = canvas_info(d, view, item);
    if (info.ID == 0) continue;
    const ImRect box = info.RectClipped;
    // At first far apart; then as many as a row of threads has.
    for (const auto& [columns, rows] : {std::pair{33, 11}, std::pair{132, 48}})
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
          const ImVec2 at{box.Min.x + box.GetWidth() * (float(x) + 0.5f) / float(columns),
                          box.Min.y + box.GetHeight() * (float(y) + 0.5f) / float(rows)};
          d.ui->MouseTeleportToPos(at);
          if (is_target(d.state(), d.state().selection.hover, target))
            return window_at(at) == info.Window ? "" : "is covered";
        }
  }
  return "is not found in the picture";
}

std::string without_spaces(std::string_view text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' && c != '\t') words += c;
  return words;
}

// A line of the code, as it is seen in the view.
std::string why_not_read(Driver& d, const Layout& layout, uint32_t line) {
  const std::string& code = d.state().code.own ? d.state().code.text : d.state().setup.kernel->source;
  size_t at = 0;
  for (uint32_t i = 1; i < line && at != std::string::npos; ++i) at = code.find('\n', at) + 1;
  // The beginning of it: a long line is scrolled to its end.
  const std::string words = without_spaces(code.substr(at, code.find('\n', at) - at)).substr(0, 16);
  if (words.empty()) return "";
  std::string why = "is not drawn";
  d.after_frame = [&] {
    const ImGuiWindow* view = view_window(d.state(), layout);
    std::string line_so_far;
    for (const DrawnText& text : drawn_texts()) {
      if (view == nullptr || text.window == nullptr || text.window->RootWindow != view->RootWindow) continue;
      // A line in several colours is several texts.
      line_so_far += without_spaces(text.words);
      if (line_so_far.find(words) == std::string::npos) continue;
      const ImGuiWindow* window = window_at(text.box.GetCenter());
      why = window != nullptr && window->RootWindow == view->RootWindow ? "" : "is covered";
      if (why.empty()) return;
    }
  };
  d.ui->Yield(2);
  return why;
}

std::string words_of(const Target& target) {
  return target.kind == Target::Kind::element ? fmt::format("element {}", target.index)
         : target.kind == Target::Kind::line  ? fmt::format("line {}", target.index)
         : target.kind == Target::Kind::block
             ? fmt::format("block {},{},{}", target.block.x, target.block.y, target.block.z)
             : fmt::format("thread {},{},{} of block {},{},{}", target.thread.x, target.thread.y,
                           target.thread.z, target.block.x, target.block.y, target.block.z);
}

// Whether the code is longer than its part of the screen, so that it is scrolled to a line.
bool code_scrolls(const AppState& state, const Layout& layout) {
  const ImGuiWindow* view = view_window(state, layout);
  return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [&](const ImGuiWindow* window) {
    return window->WasActive && view != nullptr && window->RootWindow == view->RootWindow &&
           window->ScrollMax.y > 0;
  });
}

std::string why_not_there(Driver& d, const Layout& layout, const Target& target) {
  if (target.kind == Target::Kind::line)
    return code_scrolls(d.state(), layout) ? ""
                                           : why_not_read(d, layout, static_cast<uint32_t>(target.index));
  if (target.kind == Target::Kind::lane || target.kind == Target::Kind::bank)
    return "";  // tiles of the panel
  return why_not_pointed_at(d, layout, target);
}

// ---- one case

using Found = std::function<void(const std::string&)>;

void check_texts(Driver& d, const Found& found) {
  // The columns of Step scroll within its picture.
  const bool scrolls = d.state().frame.view == View::step;
  for (const std::string& fault : faults_of_texts(d))
    if (!scrolls || !fault.starts_with("cut above or below")) found(fault);
  const ImGuiWindow* card = ImGui::FindWindowByName("##present_card");
  if (card != nullptr && card->WasActive && card->ScrollMax.y > 0) found("the card below the figure scrolls");
}

// No window but its own is over the picture of the view.
void check_picture(Driver& d, const Layout& layout, const Found& found) {
  const ImGuiWindow* view = view_window(d.state(), layout);
  if (view == nullptr || !view->WasActive) return;
  for (const char* item : canvases) {
    const ImGuiTestItemInfo info = canvas_info(d, std::string("//") + view->Name + "/", item);
    if (info.ID == 0) continue;
    const ImRect box = info.RectClipped;
    std::set<std::string> over;
    for (int y = 0; y <= 6; ++y)
      for (int x = 0; x <= 6; ++x) {
        const ImGuiWindow* window = window_at({box.Min.x + 2 + (box.GetWidth() - 4) * float(x) / 6,
                                               box.Min.y + 2 + (box.GetHeight() - 4) * float(y) / 6});
        if (window == nullptr || window->RootWindow != view->RootWindow)
          over.insert(window == nullptr ? "nothing" : window->Name);
      }
    for (const std::string& name : over) found(name + " is over the picture " + item);
  }
}

void check_question(Driver& d, const Layout& layout, size_t index, const Found& found) {
  const lesson::LessonStep& step = *current_step(d.state());
  const lesson::Question& question = step.questions.at(index);
  in_strip(d);
  for (const std::string& name : controls_of(question)) {
    const ImGuiTestItemInfo info =
        d.ui->ItemInfo(fmt::format("$${}/{}", index, name).c_str(), ImGuiTestOpFlags_NoError);
    if (const std::string why = why_not_clickable(info); !why.empty())
      found(fmt::format("question {}: {} {}", index + 1, name, why));
  }
  if (question.kind != QuestionKind::click || index >= step.solution.answers.size()) return;
  const auto answer = lesson::answer_in(step.solution.answers[index].text, question);
  for (const Target& target : std::get<lesson::ClickAnswer>(*answer).clicked)
    if (const std::string why = why_not_there(d, layout, target); !why.empty())
      found(fmt::format("question {}: {} {}", index + 1, words_of(target), why));
}

// What is to be changed or pinned before there is a question.
void check_changes(Driver& d, const Layout& layout, const Found& found) {
  const lesson::Show& changes = current_step(d.state())->solution.changes;
  const lesson::LessonStep& step = *current_step(d.state());
  const std::string view = changes.view.value_or("");
  const bool here = view.empty() || view == row_of(d.state().frame.view).name;
  if (changes.pins && here && step.questions.empty())
    for (const Target& target : *changes.pins)
      if (const std::string why = why_not_there(d, layout, target); !why.empty())
        found(fmt::format("to pin: {} {}", words_of(target), why));
  if (d.state().frame.view == View::code && !code_scrolls(d.state(), layout))
    for (const auto& [line, text] : changes.edits)
      if (const std::string why = why_not_read(d, layout, line); !why.empty())
        found(fmt::format("to edit: line {} {}", line, why));
  in_strip(d);
  std::vector<std::string> fields;
  for (const auto& [name, value] : changes.values) fields.push_back(name + "/##number_" + name);
  if (changes.grid) fields.push_back("##number_grid_x");
  if (changes.block) fields.push_back("##number_block_x");
  for (const std::string& field : fields) {
    const ImGuiTestItemInfo info = d.ui->ItemInfo(field.c_str(), ImGuiTestOpFlags_NoError);
    if (const std::string why = why_not_clickable(info); !why.empty())
      found("to change: " + field + " " + why);
  }
}

void park_pointer(Driver& d) {
  d.ui->MouseTeleportToPos({1, 1});
  d.ui->Yield(2);
}

// A program of the step is run as it is now; the step may refuse that before a guess.
void run_given(Driver& d) {
  if (!d.state().program.run.given) return;
  d.shell.actions().push(SaveProgram{true});
  d.ui->Yield(4);
  d.wait_for_result();
}

// Answers a question as the solution does, and not by the controls, which other tests use.
void answer(Driver& d, size_t index) {
  const lesson::LessonStep& step = *current_step(d.state());
  if (index >= step.solution.answers.size()) return;
  const auto parsed = lesson::answer_in(step.solution.answers[index].text, step.questions.at(index));
  ASSERT_TRUE(parsed);
  if (const auto* clicks = std::get_if<lesson::ClickAnswer>(&*parsed)) {
    for (const Target& target : clicks->clicked) d.shell.actions().push(ClickAnswer{target});
  } else {
    d.shell.actions().push(SetAnswer{index, *parsed});
    d.shell.actions().push(GiveAnswer{index});
  }
  d.ui->Yield(4);
  d.wait_for_result();
  if (!d.state().program.run.has_run) run_given(d);
}

void do_changes(Driver& d) {
  const lesson::Show changes = current_step(d.state())->solution.changes;
  for (const auto& [name, value] : changes.values) d.shell.actions().push(SetValue{name, value});
  for (const Action& action : lesson_moves::setup_actions(d.state(), changes)) d.shell.actions().push(action);
  d.wait_for_result();
  run_given(d);
  for (const Action& action : lesson_moves::look_actions(d.state(), changes)) d.shell.actions().push(action);
  d.ui->Yield(4);
  d.wait_for_result();
}

void go_to(Driver& d, size_t step) {
  d.shell.actions().push(GoToStep{step});
  d.ui->Yield(3);
  ASSERT_TRUE(d.wait_for_result());
  ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.phase == ShowPhase::step; }));
  d.ui->Yield(4);
}

void keep_picture(Driver& d, const std::string& name, const Layout& layout) {
  if (std::getenv("WARPLENS_SCREENSHOTS") == nullptr) return;
  Driver::keep(d.picture(), fmt::format("{}_{}_{:.0f}{}", name, layout.width, 100 * layout.text,
                                        layout.present ? "_present" : ""));
}

// Two items of one identifier are found where the pointer is (tests/ui/driver.cpp).
void point_everywhere(Driver& d) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  constexpr int columns = 16, rows = 12;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      d.ui->MouseTeleportToPos({room.x * (float(x) + 0.5f) / columns, room.y * (float(y) + 0.5f) / rows});
  park_pointer(d);
}

// A step before each question is answered, and when all are.
void look_at_step(Driver& d, const std::function<Found(const Layout&, const std::string&)>& found) {
  const size_t questions = current_step(d.state())->questions.size();
  for (size_t i = 0; i <= questions; ++i) {
    for (const Layout& layout : layouts) {
      use(d, layout);
      park_pointer(d);
      const std::string place = fmt::format("{}, {}", current_step(d.state())->id,
                                            i < questions ? fmt::format("question {}", i + 1) : "done");
      const Found here = found(layout, place);
      check_texts(d, here);
      check_picture(d, layout, here);
      if (i < questions) check_question(d, layout, i, here);
      if (i == 0) check_changes(d, layout, here);
      park_pointer(d);
      keep_picture(d,
                   fmt::format("invariant_{}_{}_{}", d.state().lesson.open->folder.name,
                               d.state().lesson.player.at + 1, i),
                   layout);
    }
    if (chosen().empty()) return;
    use(d, layouts[0]);
    point_everywhere(d);
    if (i == 0) do_changes(d);
    if (i < questions) answer(d, i);
  }
}

TEST_F(Invariants, OfLessons) {
  const std::string only = chosen();
  for (const CourseLesson& lesson : course_lessons()) {
    if (only != "all" && lesson.name != (only.empty() ? "who_am_i" : only)) continue;
    drive(
        [&](Driver& d) {
          ImGuiTestEngine_GetIO(d.ui->Engine).ConfigWatchdogKillTest = 1e6f;  // it counts frames, as seconds
          ASSERT_TRUE(d.wait_for_result());
          d.shell.actions().push(ShowWelcome{false});
          d.shell.actions().push(OpenLesson{lesson.name});
          d.ui->Yield(3);
          ASSERT_TRUE(d.wait_for_result());
          // Where no lesson is chosen, every second step: all of them take twice the window's other tests.
          for (size_t at = 0; at < lesson.steps.size(); at += only.empty() ? 2 : 1) {
            go_to(d, at);
            look_at_step(d, [&](const Layout& layout, const std::string& place) -> Found {
              ++m_cases;
              return [this, where = lesson.name + ", " + place,
                      layout = layout.name()](const std::string& what) {
                this->found(where.substr(0, where.find(", question")) + ": " + what, where + ", " + layout);
              };
            });
            use(d, layouts[0]);
          }
        },
        small_window());
  }
  report();
}

// The judge and the code stand side by side, before and after a verdict.
void look_at_challenge(Driver& d, const std::function<Found(const Layout&, const std::string&)>& found) {
  for (const bool judged : {false, true}) {
    if (judged && chosen().empty()) return;
    if (judged) {
      d.shell.actions().push(JudgeAnswer{});
      d.ui->Yield(3);
      ASSERT_TRUE(d.wait_until([&] { return !d.state().challenge.judging; }, 120));
      ASSERT_TRUE(d.wait_for_result());
    }
    for (const Layout& layout : layouts) {
      use(d, layout);
      park_pointer(d);
      const Found here = found(layout, judged ? "judged" : "begun");
      check_texts(d, here);
      const std::string strip = layout.present ? "//##present_lesson/" : "//###launch/";
      for (const char* button : {"###hint", "###reset", "###hand_in", "###judge"}) {
        const ImGuiTestItemInfo info = d.ui->ItemInfo((strip + button).c_str(), ImGuiTestOpFlags_NoError);
        if (const std::string why = why_not_clickable(info); !why.empty()) here(button + (" " + why));
      }
      if (d.state().frame.view == View::code)
        if (const std::string why = why_not_read(d, layout, 1); !why.empty()) here("the first line " + why);
      keep_picture(d, fmt::format("invariant_{}_{}", d.state().challenge.open->folder.name, int(judged)),
                   layout);
    }
    use(d, layouts[0]);
    point_everywhere(d);
  }
}

TEST_F(Invariants, OfChallenges) {
  const std::string only = chosen();
  drive(
      [&](Driver& d) {
        ImGuiTestEngine_GetIO(d.ui->Engine).ConfigWatchdogKillTest = 1e6f;
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(ShowWelcome{false});
        for (const CourseChallenge& challenge : course_challenges()) {
          if (only != "all" && challenge.name != (only.empty() ? "bounds_check" : only)) continue;
          d.shell.actions().push(OpenChallenge{challenge.name});
          ASSERT_TRUE(d.wait_until(
              [&] {
                return d.state().challenge.open && d.state().challenge.open->folder.name == challenge.name &&
                       d.state().challenge.judged != nullptr;
              },
              60));
          ASSERT_TRUE(d.wait_for_result());
          look_at_challenge(d, [&](const Layout& layout, const std::string& place) -> Found {
            ++m_cases;
            return [this, where = challenge.name + ", " + place, layout = layout.name()](
                       const std::string& what) { this->found(where + ": " + what, where + ", " + layout); };
          });
        }
      },
      small_window());
  report();
}

}  // namespace THIS_FILE
}  // namespace warplens
