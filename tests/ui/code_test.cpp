// The Code view, own kernels, sessions, the manual and present mode, driven as a person would.
#include <imgui_internal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "app/views/model/footprint_digest.h"
#include "core/base/system/files.h"
#include "core/compile/clang.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class CodeWindow : public WindowTest {
 protected:
  CodeWindow() : folder(fs::temp_directory_path() / ("warplens_code_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~CodeWindow() override { fs::remove_all(folder); }
  std::string at(const std::string& name) const { return (folder / name).string(); }
  static WindowOptions vector_add() {
    WindowOptions options;
    options.kernel = "vector_add";
    return options;
  }

  fs::path folder;
};

const char* twice =
    "// Doubles each number.\n// warplens: x=float32[n] index, out=float32[n] zero, n=1000, grid=ceil(n/64), "
    "block=64\n__global__ void twice(const float* x, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * x[i];\n}\n";

float first_output(const AppState& state, size_t index) {
  float value = 0;
  const auto& bytes = *state.runs.result->outputs.at(0).bytes;
  std::memcpy(&value, bytes.data() + index * sizeof(float), sizeof(float));
  return value;
}

TEST_F(CodeWindow, ShowsSourceAndPtxAndLinksThem) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_7);
    d.ui->Yield(6);
    EXPECT_EQ(d.state().frame.view, View::code);
    Pick pick;
    pick.line = 10;
    d.shell.actions().push(Pin{pick});
    d.ui->Yield(4);
    d.screenshots("code");
    for (const char* form : {"Numba", "CuPy", "PyCUDA", "OpenCL"}) {
      d.ui->ItemClick((std::string("//###code/**/") + form).c_str());
      d.ui->Yield(3);
      if (std::string(form) == "CuPy") d.screenshot("code_cupy_1920x1080_dark");
    }
  });
}

TEST_F(CodeWindow, AnotherCompilerTakesOverAndIsKept) {
  if (const Result<Clang> clang = find_clang(); !clang) GTEST_SKIP() << clang.error().message;
  ASSERT_TRUE(write_text(at("twice.cu"), twice));
  const fs::path config = folder / "config";
  fs::create_directories(config);
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(OpenFile{at("twice.cu")});
        d.ui->Yield(2);
        ASSERT_TRUE(d.wait_for_result());
        d.palette("compiler: clang");
        d.ui->Yield(2);
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(d.state().code.compiler.substr(0, 6), "clang ");
        EXPECT_EQ(first_output(d.state(), 3), 6.0f);
        d.screenshot("code_by_clang_1280x720_dark");
        d.ui->ItemClick("//##top/Run");
        d.ui->Yield(4);
        d.screenshot("compiler_menu_1920x1080_dark");
        d.ui->KeyPress(ImGuiKey_Escape);
      },
      {}, make_worker_calls(), config);
  drive(
      [&](Driver& d) {
        EXPECT_EQ(d.state().frame.preferences.compiler, CompilerKind::clang);
        d.shell.actions().push(OpenFile{at("twice.cu")});
        d.ui->Yield(2);
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(d.state().code.compiler.substr(0, 6), "clang ");
      },
      {}, make_worker_calls(), config);
}

// The height of what a part of the view holds; 0 where it is not shown.
float height_of_part(const char* part) {
  for (const ImGuiWindow* window : GImGui->Windows)
    if (window->WasActive && std::strstr(window->Name, part) != nullptr) return window->ContentSize.y;
  return 0;
}

TEST_F(CodeWindow, BothCompilersStandBesideTheSource) {
  if (const Result<Clang> clang = find_clang(); !clang) GTEST_SKIP() << clang.error().message;
  ASSERT_TRUE(write_text(at("twice.cu"), twice));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_7);
    d.ui->Yield(4);
    d.ui->ItemClick("//###code/**/Compilers");
    ASSERT_TRUE(d.wait_until([] { return height_of_part("/compared_") > 0; })) << "the comparison";
    for (const char* column : {"/first_", "/second_"}) EXPECT_GT(height_of_part(column), 0) << column;
    EXPECT_GT(height_of_part("/lines_"), 300) << "the PTX";
    d.screenshots("code_compilers");
    // The user's own text.
    d.shell.actions().push(OpenFile{at("twice.cu")});
    d.ui->Yield(2);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_TRUE(d.wait_until([] { return height_of_part("/compared_") > 0; }));
    d.screenshot("code_compilers_own_1280x720_dark");
    d.ui->ItemClick("//###code/**/PTX");
    d.ui->Yield(3);
    EXPECT_EQ(height_of_part("/compared_"), 0);
  });
}

TEST_F(CodeWindow, AFileRunsAgainWhenItIsSaved) {
  ASSERT_TRUE(write_text(at("twice.cu"), twice));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{at("twice.cu")});
    d.ui->Yield(2);
    ASSERT_TRUE(d.wait_for_result());
    if (!d.state().setup.own_kernel)
      GTEST_SKIP() << "no CUDA compiler: " << d.state().problems.notices.at(0).message;
    EXPECT_EQ(d.state().setup.kernel->title, "twice");
    EXPECT_EQ(first_output(d.state(), 3), 6.0f);
    d.type_number("launch/n", "n", 500);
    ASSERT_TRUE(d.wait_for_result());
    std::string edited = twice;
    edited.replace(edited.find("2 * x"), 1, "3");
    ASSERT_TRUE(write_text(at("twice.cu"), edited));
    ASSERT_TRUE(d.wait_until([&] { return d.state().code.text == edited && d.shell.settled(); }));
    EXPECT_EQ(first_output(d.state(), 3), 9.0f);
    EXPECT_EQ(d.state().setup.launch.values.at("n"), 500) << "values stay";
    std::string wrong = twice;
    wrong.replace(wrong.find("2 * x"), 1, "q");
    ASSERT_TRUE(write_text(at("twice.cu"), wrong));
    ASSERT_TRUE(d.wait_until([&] { return !d.state().code.diagnostics.empty(); }));
    EXPECT_EQ(d.state().code.diagnostics[0].line, 5u);
    EXPECT_EQ(first_output(d.state(), 3), 9.0f) << "what was shown stays";
    d.screenshots("code_error");
  });
}

TEST_F(CodeWindow, ACopyIsEditedAndRun) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.take_a_copy());
        if (!d.state().setup.own_kernel) GTEST_SKIP() << "no CUDA compiler";
        EXPECT_TRUE(d.state().runs.result->checks.at(0).equal) << "compared with the CPU reference";
        std::string text = d.state().code.text;
        text.replace(text.find("x[i] + y[i]"), 11, "x[i] - y[i]");
        d.shell.actions().push(EditSource{text});
        d.ui->Yield(2);
        d.shell.actions().push(RunSource{});
        d.ui->Yield(2);
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_FALSE(d.state().runs.result->checks.at(0).equal);
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
        ASSERT_TRUE(d.wait_for_result());
      },
      vector_add());
}

// Another part of the program changes the text: the editor shows it, so that typing continues from there.
// The column of the counters keeps its place while there are none.
TEST_F(CodeWindow, TheCodeStaysWhereItIsWhenItsCountersComeAndGo) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.take_a_copy());
    const auto width = [&] {
      d.ui->Yield(3);
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string_view(window->Name).find("##source") != std::string_view::npos)
          return window->ContentSize.x;
      return 0.0f;
    };
    const float with = width();
    EXPECT_GT(with, 0);
    std::string text = d.state().code.text;
    text[text.find("unsigned")] = 'U';  // as wide, and it does not compile
    d.shell.actions().push(EditSource{text});
    EXPECT_FLOAT_EQ(width(), with) << "a text that has not run has no counters";
    d.shell.actions().push(RunSource{});
    ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.stale_because == "The code has errors"; }));
    EXPECT_FLOAT_EQ(width(), with);
  });
}

TEST_F(CodeWindow, ATextThatIsChangedElsewhereIsInTheEditor) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.take_a_copy());
        ASSERT_TRUE(d.state().code.own);
        d.ui->Yield(4);
        const std::string changed = d.state().code.text + "// changed";
        d.shell.actions().push(EditSource{changed});
        d.ui->Yield(4);
        const ImGuiWindow* editor = nullptr;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
          if (window->WasActive && std::strstr(window->Name, "##source") != nullptr) editor = window;
        ASSERT_NE(editor, nullptr);
        d.ui->MouseMoveToPos({editor->Pos.x + editor->Size.x * 0.5f, editor->Pos.y + editor->Size.y * 0.6f});
        d.ui->MouseClick();
        d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_End);
        d.ui->KeyChars(" ");
        d.ui->KeyChars("x");
        d.ui->Yield(4);
        EXPECT_NE(d.state().code.text.find("// changed x"), std::string::npos) << d.state().code.text;
      },
      vector_add());
}

TEST_F(CodeWindow, ASessionIsSavedOpenedAndRecovered) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SetBlock{{8, 8, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SaveSessionAs{at("s.json")});
    ASSERT_TRUE(d.wait_until([&] { return fs::exists(at("s.json")); }));
    d.choose_kernel("vector_add");
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{at("s.json")});
    d.ui->Yield(3);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "grayscale");
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{8, 8, 1}));
    ASSERT_TRUE(write_text(at("bad.json"), "{ \"warplens_session\": 1, "));
    d.shell.actions().push(OpenFile{at("bad.json")});
    ASSERT_TRUE(d.wait_until([&] { return d.state().problems.notices.size() == 1; }));
    EXPECT_EQ(d.state().problems.notices.front().title, "The session was not opened")
        << "what was said of the saving before is past";
    EXPECT_EQ(d.state().setup.launch.kernel, "grayscale");
  });
  // A file that does not say that its window was closed is what a crash left.
  const auto config = folder / "config";
  fs::create_directories(config);
  const auto session = read_text(at("s.json"), 1 << 20);
  ASSERT_TRUE(session);
  ASSERT_TRUE(write_text((config / "drafts-1.json").string(),
                         R"({"warplens_drafts": 1, "ended_well": false, "session": )" + *session + "}"));
  ASSERT_TRUE(write_text((config / "window.json").string(), "{}"));
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{8, 8, 1}));
        ASSERT_FALSE(d.state().problems.notices.empty());
        EXPECT_EQ(d.state().problems.notices.front().title, "Your last session is back");
      },
      {}, make_worker_calls(), config);
  const auto kept = read_text((config / "drafts-1.json").string(), 1 << 20);
  ASSERT_TRUE(kept);
  EXPECT_NE(kept->find("\"ended_well\": true"), std::string::npos) << "closed in good order";
}

TEST_F(CodeWindow, FirstStartShowsOneQuietCardAndTheManualIsInside) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_TRUE(d.state().frame.welcome);
        const Dim3 block = d.state().setup.launch.block;
        for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
          d.resize(width, height);
          d.screenshot("welcome_" + std::to_string(width) + "x" + std::to_string(height));
        }
        d.resize(1920, 1080);
        d.type_number("launch", "block_x", 32);  // the other controls are not blocked
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_NE(d.state().setup.launch.block, block);
        EXPECT_TRUE(d.state().frame.welcome);
        d.ui->KeyPress(ImGuiKey_Escape);
        d.ui->Yield(3);
        EXPECT_FALSE(d.state().frame.welcome);
      },
      {}, make_worker_calls(), folder / "first");
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_FALSE(d.state().frame.welcome) << "it went for good";
        for (size_t chapter = 0; chapter < 4; ++chapter) {
          d.shell.actions().push(ShowManual{chapter});
          d.ui->Yield(4);
          d.screenshot("manual_" + std::to_string(chapter + 1) + "_1920x1080_dark");
        }
        d.ui->KeyPress(ImGuiKey_Escape);
        d.ui->Yield(3);
        EXPECT_EQ(d.state().frame.dialog, Dialog::none);
      },
      {}, make_worker_calls(), folder / "first");
}

TEST_F(CodeWindow, PresentModeFillsTheScreen) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(6);
    EXPECT_TRUE(d.state().frame.present);
    d.ui->MouseMoveToPos({900, 500});
    d.ui->Yield(4);
    EXPECT_GT(ImGui::GetStyle().FontScaleMain, 1.4f);
    d.screenshot("present_1920x1080_dark");
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().frame.blank);
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(8);
    EXPECT_FALSE(d.state().frame.blank);
    EXPECT_TRUE(d.state().frame.present) << "Esc ends one thing at a time";
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(8);
    EXPECT_FALSE(d.state().frame.present);
    d.screenshot("after_present_1920x1080_dark");
  });
}

// Wheel, drag, double click and Backspace on the map of blocks.
TEST_F(CodeWindow, TheMapTakesWheelDragAndDoubleClick) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(8);
    const Image before = d.picture();
    d.ui->MouseMove("//###grid/##map");
    d.ui->MouseWheelY(3);
    d.ui->Yield(4);
    const Image zoomed = d.picture();
    EXPECT_NE(before.pixels, zoomed.pixels);
    d.ui->MouseDown();
    d.ui->MouseMoveToPos({ImGui::GetMousePos().x + 60, ImGui::GetMousePos().y + 20});
    d.ui->MouseUp();
    d.ui->Yield(4);
    EXPECT_NE(zoomed.pixels, d.picture().pixels);
    d.ui->KeyPress(ImGuiKey_F);
    d.ui->Yield(2);
    d.ui->MouseMove("//###grid/##map");
    d.ui->MouseDoubleClick();
    d.ui->Yield(6);
    EXPECT_TRUE(d.state().selection.pinned.block.has_value());
    d.screenshot("grid_block_level_1920x1080_dark");
    d.ui->KeyPress(ImGuiKey_Backspace);
    d.ui->Yield(4);
    d.screenshot("grid_back_1920x1080_dark");
  });
}

// Inside a block: a thread of it, and a lane of an access.
TEST_F(CodeWindow, TheBlockAndItsLanesTakeClicks) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(6);
    d.ui->MouseMove("//###grid/##map");
    d.ui->MouseDoubleClick();
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    ASSERT_TRUE(d.wait_for_inspector());
    d.ui->ItemClick("//###grid/##block");
    d.ui->Yield(6);
    ASSERT_TRUE(d.state().selection.pinned.thread.has_value());
    const Dim3 thread = *d.state().selection.pinned.thread;
    EXPECT_LT(thread.x, d.state().runs.result->shape.block.x);
    EXPECT_LT(thread.y, d.state().runs.result->shape.block.y);
    d.ui->MouseMove("//###grid/##block");
    d.ui->MouseDoubleClick();
    d.ui->Yield(8);
    d.screenshot("grid_warp_level_1920x1080_dark");
    d.ui->ItemClick("//###grid/##lanes");
    d.ui->Yield(4);
    const auto& pinned = d.state().selection.pinned;
    ASSERT_TRUE(pinned.thread.has_value());
    EXPECT_EQ(warp_of(*pinned.thread, d.state().runs.result->shape.block),
              warp_of(thread, d.state().runs.result->shape.block))
        << "a lane of the same warp";
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
