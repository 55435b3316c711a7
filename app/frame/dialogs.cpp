#include "app/frame/dialogs.h"

#include <algorithm>

#include "app/state/commands.h"
#include "app/widgets/markdown.h"
#include "app/widgets/widgets.h"
#include "core/base/system/embedded.h"
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

void draw_command(const Command& command, int index, bool chosen, Actions& actions) {
  ImGui::PushID(index);
  ImGui::BeginDisabled(!command.enabled);
  if (ImGui::Selectable(command.title.c_str(), chosen, ImGuiSelectableFlags_NoAutoClosePopups)) {
    actions.push(ShowDialog{Dialog::none});
    actions.push(command.action);
  }
  ImGui::EndDisabled();
  if (chosen && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  const std::string key = command.checked && command.key.name.empty() ? "chosen" : key_text(command.key);
  const float width = ImGui::CalcTextSize(key.c_str()).x;
  const float right =
      ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize - scaled(6);
  if (right - width > ImGui::GetItemRectMin().x + ImGui::CalcTextSize(command.title.c_str()).x + scaled(8)) {
    ImGui::GetWindowDrawList()->AddText(
        {right - width, ImGui::GetItemRectMin().y + ImGui::GetStyle().ItemSpacing.y * 0.5f},
        colour(look().palette.quiet), key.c_str());
  }
  ImGui::PopID();
}

void draw_palette(const AppState& state, DialogsState& own, Actions& actions) {
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  char text[128] = {};
  own.typed.copy(text, sizeof(text) - 1);
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.panel));
  const bool entered = ImGui::InputTextWithHint("##command", "Type a command", text, sizeof(text),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  if (own.typed != text) own.chosen = 0;
  own.typed = text;
  const std::vector<Command> commands = all_commands(state);
  const std::vector<size_t> order = matching_commands(commands, own.typed);
  const int count = static_cast<int>(order.size());
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++own.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --own.chosen;
  own.chosen = std::clamp(own.chosen, 0, std::max(count - 1, 0));
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = std::min(line * static_cast<float>(std::max(count, 1)) + scaled(6), room().y * 0.6f);
  ImGui::BeginChild("commands", {0, height});
  for (int i = 0; i < count; ++i) {
    draw_command(commands[order[static_cast<size_t>(i)]], i, i == own.chosen, actions);
  }
  if (count == 0) quiet_text("No command of that name.");
  ImGui::EndChild();
  if (entered && count > 0) {
    const Command& command = commands[order[static_cast<size_t>(own.chosen)]];
    if (!command.enabled) return;
    actions.push(ShowDialog{Dialog::none});
    actions.push(command.action);
  }
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
    row("Esc", "Close, cancel the run, or let go of what is pinned");
    row("F", "Fit the picture");
    row("B", "Blank the screen while presenting");
    row("Space", "Hold: show the input (Image)");
    row("Tab, arrows", "Move between controls");
    row("Wheel, drag", "Zoom, pan");
    ImGui::EndTable();
  }
}

void draw_about(const AppState& state) {
  title("WarpLens " + std::string(config::version));
  body_text(
      "Shows how a CUDA grid works: a kernel, a grid and a block run on a virtual GPU, an exact interpreter "
      "of PTX on this machine's processor, and every thread can be looked at.");
  heading("Photographs");
  if (state.files.samples.empty())
    quiet_text("None are set up; the sample picture is drawn by the program itself.");
  for (const SamplePhoto& photo : state.files.samples) {
    body_text(photo.title);
    quiet_text(photo.credit);
  }
  heading("Made with");
  quiet_text(
      "Dear ImGui, ImGuiColorTextEdit, FreeType, GLFW, portable_file_dialogs, stb_image, fmt, nlohmann-json, "
      "CLI11, muParser, cairo, Eigen; NVRTC and nvJitLink by NVIDIA.");
}

// Chapters of the manual, in the order of their files.
std::vector<const EmbeddedFile*> manual_chapters() {
  std::vector<const EmbeddedFile*> chapters;
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with("manual/")) chapters.push_back(&file);
  return chapters;
}

std::string title_of_chapter(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  return std::string(text.starts_with("# ") ? text.substr(2) : text);
}

void draw_manual(const AppState& state, Actions& actions) {
  const auto chapters = manual_chapters();
  if (chapters.empty()) return quiet_text("The manual is not part of this program.");
  const size_t shown = std::min(state.frame.manual_chapter, chapters.size() - 1);
  for (size_t i = 0; i < chapters.size(); ++i) {
    const std::string name = title_of_chapter(chapters[i]->bytes);
    if (i > 0) wrap_before(chip_width(name));
    if (chip(name, i == shown)) actions.push(ShowManual{i});
  }
  ImGui::Dummy({0, scaled(4)});
  ImGui::PushID(static_cast<int>(shown));  // each chapter scrolls by itself
  ImGui::BeginChild("chapter", {0, room().y * 0.72f}, ImGuiChildFlags_NavFlattened);
  draw_markdown(chapters[shown]->bytes);
  ImGui::EndChild();
  ImGui::PopID();
}

// The texts of the path dialog.
struct PathWords {
  const char *title, *hint;
};
PathWords path_words(Dialog dialog) {
  switch (dialog) {
    case Dialog::save_source:
      return {"Save the code", "Path of a .cu file"};
    case Dialog::save_session:
      return {"Save the session", "Path of a .json file"};
    case Dialog::save_result:
      return {"Save the result", "Path of a .png, .jpg, .bmp or .tga file"};
    default:
      return {"Open a file",
              "Path of a kernel (.cu, .ptx), a session (.json) or a picture (PNG, JPEG, BMP, TGA, GIF, …)"};
  }
}

// Asks for a path to be typed, if the desktop has no file dialog.
void draw_path(const AppState& state, DialogsState& own, Dialog dialog, Actions& actions) {
  const bool save = dialog != Dialog::open_file;
  title(path_words(dialog).title);
  quiet_text(path_words(dialog).hint);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  char text[1024] = {};
  own.typed.copy(text, sizeof(text) - 1);
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.panel));
  bool go = ImGui::InputText("##path", text, sizeof(text), ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  own.typed = text;
  go = chip(save ? "Save" : "Open", false, !own.typed.empty()) || go;
  if (!go || own.typed.empty()) return;
  if (state.frame.dialog != Dialog::none) actions.push(ShowDialog{Dialog::none});
  if (dialog == Dialog::save_session) {
    actions.push(SaveSessionAs{own.typed});
  } else if (dialog == Dialog::save_source) {
    actions.push(SaveSourceAs{own.typed});
  } else if (save) {
    actions.push(SaveResultAs{own.typed});
  } else {
    actions.push(OpenFile{own.typed});
  }
}

void open_when_asked(const AppState& state, DialogsState& own) {
  if (state.frame.dialog == own.shown) return;
  own.shown = state.frame.dialog;
  own.typed.clear();
  own.chosen = 0;
  if (state.frame.dialog == Dialog::palette) ImGui::OpenPopup("palette");
  if (state.frame.dialog == Dialog::keys) ImGui::OpenPopup("keys");
  if (state.frame.dialog == Dialog::about) ImGui::OpenPopup("about");
  if (state.frame.dialog == Dialog::open_file) ImGui::OpenPopup("open_path");
  if (state.frame.dialog == Dialog::save_result) ImGui::OpenPopup("save_path");
  if (state.frame.dialog == Dialog::save_session) ImGui::OpenPopup("save_session_path");
  if (state.frame.dialog == Dialog::manual) ImGui::OpenPopup("manual");
  if (state.frame.dialog == Dialog::save_source) ImGui::OpenPopup("save_source_path");
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
  if (begin_dialog("open_path", 520, 0.2f)) {
    close_if_asked(Dialog::open_file);
    draw_path(state, own, Dialog::open_file, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("save_path", 520, 0.2f)) {
    close_if_asked(Dialog::save_result);
    draw_path(state, own, Dialog::save_result, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("save_source_path", 520, 0.2f)) {
    close_if_asked(Dialog::save_source);
    draw_path(state, own, Dialog::save_source, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("save_session_path", 520, 0.2f)) {
    close_if_asked(Dialog::save_session);
    draw_path(state, own, Dialog::save_session, actions);
    ImGui::EndPopup();
  }
  if (begin_dialog("manual", 760, 0.06f)) {
    close_if_asked(Dialog::manual);
    draw_manual(state, actions);
    ImGui::EndPopup();
  }
  // A click outside of the dialog has closed it.
  if (!open && own.shown != Dialog::none && state.frame.dialog == own.shown)
    actions.push(ShowDialog{Dialog::none});
}

}  // namespace warplens
