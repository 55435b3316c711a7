#include "app/window/frame/dialogs.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>

#include "app/base/manual.h"
#include "app/state/files/file_dialogs.h"
#include "app/state/frame/commands.h"
#include "app/state/frame/typed_setting.h"
#include "app/views/step/commands.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/class_table.h"
#include "app/window/frame/learn.h"
#include "core/base/system/embedded.h"
#include "core/job/files/link.h"
#include "warplens_config.h"

namespace warplens {
namespace {

ImVec2 room() { return ImGui::GetMainViewport()->Size; }

bool begin_dialog(const char* id, float width, float from_top) {
  const float wide = std::min(scaled(width), room().x * 0.94f);
  ImGui::SetNextWindowPos({(room().x - wide) * 0.5f, room().y * from_top});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, room().y * (0.96f - from_top)});
  return ImGui::BeginPopup(id);
}

ChoiceRow row_of_command(const Command& command, size_t index) {
  ChoiceRow row;
  row.id = std::to_string(index);
  row.text = command.title;
  row.beside = command.checked && command.key.name.empty() ? "chosen" : key_text(command.key);
  row.enabled = command.enabled;
  return row;
}

void draw_palette(const AppState& state, DialogsState& own, Actions& actions) {
  const std::vector<Command> commands = all_commands(state);
  std::vector<Command> found;
  ChoiceList list;
  list.hint = "Type a command, a kernel, a device or a setting, such as block 32x8";
  list.nothing = "No command has these words.";
  list.height = room().y * 0.6f;
  list.rows = [&](const std::string& typed) {
    found.clear();
    if (auto setting = typed_setting(state, typed)) found.push_back(*std::move(setting));
    for (const size_t index : matching_commands(commands, typed)) found.push_back(commands[index]);
    std::vector<ChoiceRow> rows;
    rows.reserve(found.size());
    for (const Command& command : found) rows.push_back(row_of_command(command, rows.size()));
    return rows;
  };
  const auto taken = draw_choice_list(list, own.palette);
  if (!taken) return;
  actions.push(ShowDialog{Dialog::none});
  actions.push(found[*taken].action);
}

void draw_keys(const AppState& state) {
  title("Keys");
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingStretchProp)) {
    const auto row = [](const std::string& key, const std::string& words) {
      ImGui::TableNextColumn();
      mono_text(key, look().palette.accent);
      ImGui::TableNextColumn();
      body_text(words);
    };
    for (const Command& command : menu_commands(state)) {
      if (!command.key.name.empty()) row(key_text(command.key), command.title);
    }
    row("Esc", "Close, cancel the run, or unpin");
    row("F", "Fit the picture");
    row("B, S", "Present mode: blank the screen, spotlight on and off");
    row("Page Up, Page Down", "Lesson: the step before, the next one. Present mode: the view");
    row("1 to 4", "Lesson: the answers A to D, or a vote for them");
    row("Space", "Hold: show the input (Image)");
    row("Tab, arrows", "From control to control, through all panels");
    row("Ctrl+Tab", "From panel to panel");
    row("Wheel, drag", "Zoom, pan");
    ImGui::EndTable();
  }
  heading("Step");
  if (!ImGui::BeginTable("step keys", 2, ImGuiTableFlags_SizingStretchProp)) return;
  for (const StepCommand& command : step_commands()) {
    ImGui::TableNextColumn();
    mono_text(key_text(command.key), look().palette.accent);
    ImGui::TableNextColumn();
    body_text(command.words);
  }
  ImGui::EndTable();
}

// A number of the teacher's keeps students from revealing. It is no secret: it stands in the settings.
void draw_lock(const AppState& state, DialogsState& own, Actions& actions) {
  const bool locked = state.frame.preferences.answer_lock != 0;
  title(locked ? "Unlock the answers" : "Lock answers");
  body_text(locked
                ? "The number that locked them:"
                : "With a number of your own. Until it is typed again, this window shows no answers and no "
                  "notes. This deters but does not protect: the lessons are files that anyone can read.");
  ImGui::SetNextItemWidth(scaled(140));
  if (ImGui::IsWindowAppearing()) {
    ImGui::SetKeyboardFocusHere();
    own.lock.clear();
    own.wrong_lock = false;
  }
  const bool entered = ImGui::InputText(
      "##lock", &own.lock, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsDecimal);
  uint32_t number = 0;
  const auto read = std::from_chars(own.lock.data(), own.lock.data() + own.lock.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == own.lock.data() + own.lock.size() && number != 0;
  ImGui::SameLine();
  const bool pressed = main_button(locked ? "Unlock###lock" : "Lock###lock", whole);
  if (!own.lock.empty() && !whole) small_text("A whole number, from 1 to 4294967295.");
  if (own.wrong_lock) body_text("That is not the number.");
  if ((!entered && !pressed) || !whole) return;
  own.wrong_lock = locked && number != state.frame.preferences.answer_lock;
  if (own.wrong_lock) return;
  actions.push(LockAnswers{number});
  actions.push(ShowDialog{Dialog::none});
}

void draw_about(const AppState& state) {
  title("WarpLens " + std::string(config::version));
  body_text(
      "Shows how a CUDA grid works: a kernel, a grid and a block run on a virtual GPU, an exact interpreter "
      "of PTX on this machine's processor, and you can inspect every thread.");
  heading("Photographs");
  if (state.files.samples.empty())
    quiet_text("None are set up; the sample picture is drawn by the program itself.");
  for (const SamplePhoto& photo : state.files.samples) {
    body_text(photo.title);
    quiet_text(photo.credit);
  }
  heading("Fonts");
  quiet_text("Inter and JetBrains Mono are part of the program.");
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("licences/")) continue;
    const std::string name = "Licence of " + std::string(file.path.substr(file.path.find('/') + 1));
    if (ImGui::TreeNodeEx(shown_label(name).c_str(), ImGuiTreeNodeFlags_SpanAvailWidth)) {
      small_text(file.bytes);
      ImGui::TreePop();
    }
  }
  heading("Made with");
  quiet_text(
      "Dear ImGui, ImGuiColorTextEdit, FreeType, GLFW, portable_file_dialogs, stb_image, fmt, nlohmann-json, "
      "CLI11, md4c, cairo, Eigen; NVRTC and ptxas by NVIDIA.");
}

void draw_open_link(DialogsState& own, Actions& actions) {
  title("Open link");
  body_text("A link of WarpLens, whole or from its # on. Nothing runs but the program's own kernels.");
  if (ImGui::IsWindowAppearing()) {
    ImGui::SetKeyboardFocusHere();
    own.link.clear();
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputText("##link", &own.link, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool known = is_link(own.link);
  const bool pressed = main_button("Open###open link", known);
  if (!own.link.empty() && !known) small_text("This is no link of WarpLens: such a link has \"#w1-\" in it.");
  if ((entered || pressed) && known) actions.push(OpenLink{own.link});
}

// A stranger may have written the link, so the dialog shows what would run before anything runs.
void draw_offered_link(const AppState& state, Actions& actions) {
  if (state.files.offered_link == nullptr) return;
  const Session& session = state.files.offered_link->session;
  title("A link with a kernel of its own");
  body_text("It contains " + session.code_name +
            ", which runs only when you allow it: on the virtual GPU, where it reaches " +
            "nothing of this machine.");
  ImGui::BeginChild("source", {0, room().y * 0.5f}, ImGuiChildFlags_Borders | ImGuiChildFlags_NavFlattened);
  mono_text(session.code_text);
  ImGui::EndChild();
  if (main_button("Open and run###take link", true)) actions.push(TakeLink{});
  ImGui::SameLine();
  if (chip("Leave it")) actions.push(ShowDialog{Dialog::none});
}

void draw_manual(const AppState& state, Actions& actions) {
  const std::vector<ManualPage> chapters = manual_pages(spoken());
  if (chapters.empty()) return quiet_text("The manual is not part of this program.");
  const size_t shown = std::min(state.frame.manual_chapter, chapters.size() - 1);
  for (size_t i = 0; i < chapters.size(); ++i) {
    const std::string name(title_of(chapters[i]));
    if (i > 0) wrap_before(chip_width(name));
    if (chip(name, i == shown)) actions.push(ShowManual{i});
  }
  ImGui::Dummy({0, scaled(4)});
  ImGui::PushID(static_cast<int>(shown));  // each chapter scrolls by itself
  ImGui::BeginChild("chapter", {0, room().y * 0.72f}, ImGuiChildFlags_NavFlattened);
  draw_markdown(chapters[shown].text);
  ImGui::EndChild();
  ImGui::PopID();
}

void draw_other_window(const AppState& state, Actions& actions) {
  if (!state.drafts.offered) return;
  const std::string words = state.drafts.offered->words();
  title("WarpLens is open in another window");
  body_text(
      "What you type is kept for each window by itself. You can go on here with a copy of what is in the "
      "other one; "
      "at the next start, what was typed last counts, and the rest can be had back.");
  const std::string copy = words.empty() ? "Copy its code and answers" : "Continue here: " + words;
  if (main_button(copy + "###copy")) actions.push(Continue{});
  wrap_before(chip_width("Begin without it"));
  if (chip("Begin without it")) actions.push(Continue{false});
}

// The name of a dialog's popup. Null if there is none.
const char* popup_of(Dialog dialog) {
  switch (dialog) {
    case Dialog::none:
      return nullptr;
    case Dialog::palette:
      return "palette";
    case Dialog::keys:
      return "keys";
    case Dialog::about:
      return "about";
    case Dialog::manual:
      return "manual";
    case Dialog::class_table:
      return "class";
    case Dialog::learn:
      return "learn";
    case Dialog::lock_answers:
      return "lock";
    case Dialog::open_link:
      return "link";
    case Dialog::offered_link:
      return "offered link";
    case Dialog::other_window:
      return "other window";
    default:
      return "files";
  }
}

void open_when_asked(const AppState& state, DialogsState& own) {
  if (state.frame.dialog == own.shown) return;
  own.shown = state.frame.dialog;
  hold_back_keys();
  if (find_file_dialog(own.shown) != nullptr) start_browser(state, own.files, own.shown);
  if (const char* name = popup_of(own.shown)) ImGui::OpenPopup(name);
}

}  // namespace

void draw_dialogs(const AppState& state, DialogsState& own, Actions& actions) {
  open_when_asked(state, own);
  bool open = false;
  const auto close_if_asked = [&](Dialog dialog) {
    open = true;
    // A text field would take the first Esc for itself.
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) actions.push(ShowDialog{Dialog::none});
    if (state.frame.dialog != dialog) ImGui::CloseCurrentPopup();
  };
  if (begin_dialog("palette", 560, 0.1f)) {
    close_if_asked(Dialog::palette);
    draw_palette(state, own, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("keys", 460, 0.08f)) {
    close_if_asked(Dialog::keys);
    draw_keys(state);
    ImGui::EndPopup();
  }
  if (begin_dialog("about", 520, 0.12f)) {
    close_if_asked(Dialog::about);
    draw_about(state);
    ImGui::EndPopup();
  }
  if (begin_dialog("files", 620, 0.1f)) {
    close_if_asked(find_file_dialog(state.frame.dialog) != nullptr ? state.frame.dialog : Dialog::open_file);
    draw_file_browser(state, own.files, own.shown, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("manual", 760, 0.06f)) {
    close_if_asked(Dialog::manual);
    draw_manual(state, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("lock", 420, 0.12f)) {
    close_if_asked(Dialog::lock_answers);
    draw_lock(state, own, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("class", 980, 0.06f)) {
    close_if_asked(Dialog::class_table);
    draw_class_table(state, own.student, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("link", 560, 0.12f)) {
    close_if_asked(Dialog::open_link);
    draw_open_link(own, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("offered link", 720, 0.06f)) {
    close_if_asked(Dialog::offered_link);
    draw_offered_link(state, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("other window", 520, 0.12f)) {
    close_if_asked(Dialog::other_window);
    draw_other_window(state, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("learn", 720, 0.06f)) {
    close_if_asked(Dialog::learn);
    draw_learn(state, own.course, actions);
    ImGui::EndPopup();
  }
  if (open || own.shown == Dialog::none || state.frame.dialog != own.shown) return;
  // In the first frames the windows come to the front one after the other, which closes it; then it is opened
  // again. Later, a click outside of the dialog has closed it.
  constexpr int frames_to_settle = 30;
  // What asks for a decision stays until there is one.
  const bool asks = own.shown == Dialog::other_window;
  if (asks || ImGui::GetFrameCount() < frames_to_settle)
    own.shown = Dialog::none;
  else
    actions.push(ShowDialog{Dialog::none});
}

}  // namespace warplens
