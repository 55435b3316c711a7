#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/image/image.h"
#include "core/recording/journal.h"
#include "core/recording/recording.h"

namespace warplens {
namespace THIS_FILE {

struct Rendered {
  int status = 0;
  std::string err;
  std::string path;
};

class Render : public testing::Test {
 protected:
  void SetUp() override {
    // Tests run side by side: each has a folder of its own.
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    m_folder = std::filesystem::temp_directory_path() /
               (std::string("warplens_render_") + test.name() + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  Rendered render(std::vector<std::string> words, const std::string& name = "out.png") {
    Rendered rendered;
    rendered.path = (m_folder / name).string();
    words.insert(words.begin(), {"warplens", "render"});
    words.insert(words.end(), {"--out", rendered.path});
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::ostringstream out, err;
    Cli cli{out, err, make_virtual_gpu, {}, {}, exit_status::done};
    rendered.status = run_cli(static_cast<int>(arguments.size()), arguments.data(), cli);
    rendered.err = err.str();
    return rendered;
  }

  std::filesystem::path m_folder;
};

TEST_F(Render, EveryLevelAndModeOfEveryKernelIsDrawn) {
  for (const char* kernel : {"grayscale", "vector_add", "matmul_tiled"}) {
    std::vector<std::string> common = {"--kernel", kernel, "--size", "640x400"};
    if (std::string(kernel) == "matmul_tiled")
      common.insert(common.end(), {"--set", "m=48", "--set", "n=40", "--set", "k=24"});
    for (const char* level : {"grid", "block", "warp", "lane"}) {
      std::vector<std::string> words = {"grid", "--level", level};
      words.insert(words.end(), common.begin(), common.end());
      const Rendered rendered = render(words);
      ASSERT_EQ(rendered.status, exit_status::done) << rendered.err;
      const Result<Image> image = load_image(rendered.path, 3);
      ASSERT_TRUE(image.ok());
      EXPECT_EQ(image.value().width, 640u);
    }
    for (const char* mode : {"split", "side", "difference", "result"}) {
      std::vector<std::string> words = {"image", "--mode", mode};
      words.insert(words.end(), common.begin(), common.end());
      EXPECT_EQ(render(words, "out.svg").status, exit_status::done);
    }
    for (const char* view : {"memory", "occupancy"}) {
      for (const char* file : {"out.png", "out.svg", "out.csv"}) {
        std::vector<std::string> words = {view};
        words.insert(words.end(), common.begin(), common.end());
        const Rendered rendered = render(words, file);
        EXPECT_EQ(rendered.status, exit_status::done) << rendered.err;
        EXPECT_GT(std::filesystem::file_size(rendered.path), 200u);
      }
    }
  }
}

TEST_F(Render, AProgramIsDrawnFromItsRecording) {
  const std::string folder = m_folder.string(), path = (m_folder / "x.warplens").string();
  {
    recording::Journal journal(folder, "rtx_3060", "NVIDIA GeForce RTX 3060", "modelled");
    journal.copy({.bytes = 6 << 20, .begin_us = 0, .device_us = 500});
    journal.launch(
        {.kernel = "blur", .grid = {120, 68, 1}, .block = {16, 16, 1}, .begin_us = 500, .device_us = 38});
  }
  ASSERT_TRUE(recording::join_recording(folder, folder, {{"python3", "blur.py"}, "rtx_3060", 0, 1900},
                                        1 << 20, path));
  const Rendered svg = render({"program", path}, "out.svg");
  ASSERT_EQ(svg.status, exit_status::done) << svg.err;
  std::ifstream file(svg.path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("<svg"), std::string::npos);
  const Rendered png = render({"program", path, "--size", "640x400", "--text", "250"}, "out.png");
  ASSERT_EQ(png.status, exit_status::done) << png.err;
  EXPECT_EQ(load_image(png.path, 3)->width, 640u);
  EXPECT_NE(render({"program", "grayscale"}).status, exit_status::done) << "no recording";
  EXPECT_NE(render({"program", path}, "out.csv").err.find(".png, .svg or .pdf"), std::string::npos);
}

TEST_F(Render, BadUseHasItsOwnSentence) {
  const auto refused = [&](std::vector<std::string> words, const std::string& part,
                           const std::string& name = "out.png") {
    const Rendered rendered = render(std::move(words), name);
    EXPECT_EQ(rendered.status, exit_status::bad_input) << part;
    EXPECT_NE(rendered.err.find(part), std::string::npos) << rendered.err;
    EXPECT_FALSE(std::filesystem::exists(rendered.path));
  };
  refused({"grid", "--kernel", "vector_add", "--at", "4000"}, "40 x 1 x 1 blocks");
  refused({"grid", "--kernel", "vector_add", "--at", "x"}, "--at x");
  refused({"grid", "--kernel", "vector_add", "--thread", "256"}, "256 x 1 x 1 threads");
  refused({"image", "--kernel", "vector_add", "--at", "10000"}, "10000 x 1");
  refused({"grid", "--kernel", "vector_add", "--size", "3x3"}, "320x240");
  refused({"grid", "--kernel", "vector_add", "--text", "20"}, "--text");
  refused({"grid", "--kernel", "vector_add"}, ".png, .svg or .pdf", "out.gif");
  refused({"grid", "--kernel", "nothing"}, "nothing");
  refused({"step", "vector_add", "--position", "99999999"}, "block (0,0,0) ends at position ");
  refused({"step", "vector_add", "--position", "-1"}, "whole number");
  refused({"step", "vector_add", "--position", "5", "--thread", "0,1"}, "256 x 1 x 1 threads");
  refused({"step", "vector_add", "--position", "5", "--at", "40"}, "40 x 1 x 1 blocks");
  refused({"all", "--kernel", "vector_add"}, "saved as .pdf", "out.png");
  refused({"grid", "nothing"}, "nothing");
  refused({"grid", "vector_add", "lucas"}, "lucas");
  refused({"grid", "--kernel", "grayscale", "--block", "32x33"}, "1,056");
}

TEST_F(Render, AFaultIsDrawnAndReported) {
  const Rendered rendered = render({"image", "--kernel", "vector_add_unchecked"});
  EXPECT_EQ(rendered.status, exit_status::not_held);
  EXPECT_NE(rendered.err.find("block (39,0,0)"), std::string::npos) << rendered.err;
  EXPECT_TRUE(std::filesystem::exists(rendered.path));
}

TEST_F(Render, AProgramWithoutAWindowSaysSo) {
  const Rendered rendered = render({"window"});
  EXPECT_EQ(rendered.status, exit_status::missing);
  EXPECT_NE(rendered.err.find("no window"), std::string::npos);
}

TEST_F(Render, UnwritablePathsAreNamed) {
  const Rendered rendered = render({"grid", "vector_add"}, "no/such/folder/out.png");
  EXPECT_NE(rendered.status, exit_status::done);
  EXPECT_NE(rendered.err.find("no/such/folder"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
