#include "tests/ui/hands.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

namespace warplens {

Hands::Hands(Driver& driver)
    : m_driver(driver), m_frame_seconds(ImGuiTestEngine_GetIO(driver.ui->Engine).ConfigFixedDeltaTime) {
  // By the clock: frames that each count as long would make a short press one that repeats.
  ImGuiTestEngine_GetIO(driver.ui->Engine).ConfigFixedDeltaTime = 0;
  driver.hears_screen = true;
  driver.ui->RunFlags |= ImGuiTestRunFlags_EnableRawInputs;
  // No window manager gives the window the keyboard.
  glfwFocusWindow(static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle));
  driver.ui->Yield(2);
}

Hands::~Hands() {
  m_driver.ui->RunFlags &= ~ImGuiTestRunFlags_EnableRawInputs;
  ImGuiTestEngine_GetIO(m_driver.ui->Engine).ConfigFixedDeltaTime = m_frame_seconds;
  m_driver.hears_screen = false;
}

void Hands::type(const std::string& text, int milliseconds) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) run({"type", "--delay", std::to_string(milliseconds), "--", text.substr(at, end - at)});
    if (end < text.size()) press({"Return"}, milliseconds);
    at = end + 1;
  }
}

void Hands::press(std::initializer_list<std::string> keys, int milliseconds) {
  std::vector<std::string> arguments = {"key", "--delay", std::to_string(milliseconds), "--"};
  arguments.insert(arguments.end(), keys);
  run(std::move(arguments));
}

// Past it first: where the pointer is already, the server tells nothing.
void Hands::point(ImVec2 at) {
  const auto x = static_cast<int>(at.x), y = static_cast<int>(at.y);
  run({"mousemove", std::to_string(x + 1), std::to_string(y)});
  run({"mousemove", std::to_string(x), std::to_string(y)});
}

void Hands::click(ImVec2 at) {
  point(at);
  run({"click", "1"});
}

void Hands::click_editor() {
  const auto& windows = ImGui::GetCurrentContext()->Windows;
  const auto editor = std::ranges::find_if(windows, [](const ImGuiWindow* window) {
    return window->WasActive && std::string_view(window->Name).find("##source") != std::string_view::npos;
  });
  ASSERT_NE(editor, windows.end()) << "no editor is shown";
  click((*editor)->InnerRect.GetCenter());
  EXPECT_TRUE(m_driver.wait_until([&] { return ImGui::GetCurrentContext()->NavWindow == *editor; }, 5));
  m_driver.ui->Yield(2);
}

ImVec2 Hands::middle_of(const std::string& item) const {
  const ImGuiTestItemInfo info = m_driver.ui->ItemInfo(item.c_str());
  EXPECT_NE(info.ID, 0u) << "there is no " << item;
  return info.RectFull.GetCenter();
}

void Hands::run(std::vector<std::string> arguments) {
  std::vector<char*> words = {const_cast<char*>("xdotool")};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, "xdotool", nullptr, nullptr, words.data(), environ) != 0) {
    ADD_FAILURE() << "xdotool did not start; tools/setup installs it";
    return;
  }
  int status = 0;
  const bool ended = m_driver.wait_until([&] { return waitpid(child, &status, WNOHANG) == child; }, 600);
  EXPECT_TRUE(ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) << arguments.front();
  // What the server still has on its way, and what the frames have not yet heard.
  m_driver.ui->Yield(3);
  EXPECT_TRUE(m_driver.wait_until([] { return ImGui::GetCurrentContext()->InputEventsQueue.Size == 0; }));
  m_driver.ui->Yield(2);
}

// Letters and digits of a text, without spaces and the marks of Markdown.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += c;
  return letters;
}

// Letters of all text that is drawn in a frame: what is scrolled out of sight is not.
std::string letters_in_sight(Driver& d) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.LogBuffer.clear();
  g.LogEnabled = true;
  g.LogFlags = ImGuiLogFlags_OutputBuffer;
  d.ui->Yield(1);
  g.LogEnabled = false;
  std::string letters = letters_of(g.LogBuffer.c_str());
  g.LogBuffer.clear();
  return letters;
}

}  // namespace warplens
