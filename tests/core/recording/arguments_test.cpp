// Parameters of recorded launches as people read them.
#include "core/recording/arguments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/recording/launch_source.h"

namespace warplens::recording {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = ShownArgument::Kind;

template <class T>
RecordedParameter parameter(T value, bool floating = false) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return {floating, std::move(bytes)};
}

constexpr uint64_t base = 0x1000000000;

struct Launch {
  RecordedLaunch recorded;
  Launch() {
    RecordedPiece piece;
    piece.name = "array 1";
    piece.address = base;
    piece.bytes = 8 << 20;
    recorded.memory.push_back(piece);
  }
  void words(std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values) recorded.parameters.push_back(parameter(value));
  }
  std::vector<ShownArgument> shown() const {
    Event event;
    event.launch = std::make_shared<RecordedLaunch>(recorded);
    return arguments_of({}, event);
  }
};

constexpr const char* blur =
    "_ZN8__main__4blurB2v1B4cw51E5ArrayIfLi2E1C7mutable7alignedE5ArrayIhLi1E1A7mutable7alignedExd";

TEST(LaunchArguments, OfNumbaAreArraysWithShapeInsteadOfSevenNumbers) {
  Launch launch;
  launch.recorded.entry = blur;
  launch.words({0, 0, 1080 * 1920, 4, base, 1080, 1920, 1920 * 4, 4});
  launch.words({0, 0, 100, 1, base + 16, 100, 2});
  launch.recorded.parameters.push_back(parameter(int64_t{-5}));
  launch.recorded.parameters.push_back(parameter(0.25, true));
  auto shown = launch.shown();
  ASSERT_THAT(shown, SizeIs(4));
  EXPECT_EQ(shown[0].kind, Kind::array);
  EXPECT_EQ(text_of(shown[0]), "float32 (1080, 1920)  contiguous, 7.91 MiB, array 1");
  EXPECT_EQ(shown[1].element, "uint8");
  EXPECT_FALSE(shown[1].contiguous);
  EXPECT_EQ(text_of(shown[1]), "uint8 (100,)  strides (2) B, 100 B, array 1 + 16 B");
  EXPECT_EQ(shown[2].value, "-5");
  EXPECT_EQ(shown[3].value, "0.25");
  EXPECT_EQ(shown[3].first, 17u);
  name_arguments(shown, {1, {"@cuda.jit", "def blur(img, out,  # in and out", "         n, share):"}, ""});
  EXPECT_EQ(shown[0].name, "img");
  EXPECT_EQ(shown[3].name, "share");
  EXPECT_THAT(text_of(shown[3]), "share  0.25  float64");
  for (ShownArgument& argument : shown) argument.name.clear();
  name_arguments(shown, {1, {"def blur(img, out):"}, ""});
  EXPECT_EQ(shown[0].name, "") << "another function";
}

TEST(LaunchArguments, ATypeThatTheNameDoesNotTellStaysUnknown) {
  Launch launch;
  launch.recorded.entry = "_ZN8__main__4blurE5ArrayI6RecordLi2E1C7mutable7alignedEi";
  launch.words({0, 0, 6, 12, base, 2, 3, 36, 12});
  launch.recorded.parameters.push_back(parameter(uint32_t{7}));
  const auto shown = launch.shown();
  ASSERT_THAT(shown, SizeIs(2));
  EXPECT_EQ(shown[0].element, "");
  EXPECT_THAT(shown[0].shape, ElementsAre(2u, 3u));
  EXPECT_EQ(text_of(shown[0]), "12 B each (2, 3)  contiguous, 72 B, array 1");
  EXPECT_EQ(shown[1].value, "7");
  // The item size of the type must be the one that was given.
  Launch other;
  other.recorded.entry = "_ZN1aE5ArrayIfLi1E1C7mutable7alignedE";
  other.words({0, 0, 6, 8, base, 6, 8});
  EXPECT_EQ(other.shown().at(0).element, "");
}

TEST(LaunchArguments, OfCudaAreNumbersAndPointersWithTheirAllocation) {
  Launch launch;
  launch.recorded.entry = "_Z3addPfif";
  launch.words({base + 64});
  launch.recorded.parameters.push_back(parameter(uint32_t{0xffffffff}));
  launch.recorded.parameters.push_back(parameter(1.5f, true));
  launch.words({12345678});
  launch.recorded.parameters.push_back({false, std::vector<std::byte>(12, std::byte{0xab})});
  launch.recorded.parameters.push_back({true, std::vector<std::byte>(1)});
  launch.recorded.parameters.push_back({false, {}});
  const auto shown = launch.shown();
  ASSERT_THAT(shown, SizeIs(7));
  EXPECT_EQ(text_of(shown[0]), "pointer to array 1 + 64 B, 8 MiB to its end");
  EXPECT_EQ(shown[0].offset, 64u);
  EXPECT_EQ(shown[1].value, "4294967295 or -1");
  EXPECT_EQ(text_of(shown[2]), "1.5  float32");
  EXPECT_EQ(shown[3].kind, Kind::number);
  EXPECT_EQ(text_of(shown[4]), "12 bytes: abababababababababababab");
}

TEST(LaunchArguments, SevenNumbersThatAreNoArrayStayNumbers) {
  Launch launch;
  launch.recorded.entry = "_ZN1aE6Record";
  launch.words({0, 0, 6, 4, base, 7, 4});  // seven elements, but six items
  EXPECT_THAT(launch.shown(), SizeIs(7));
  EXPECT_THAT(arguments_of({}, Event{}), IsEmpty());
}

constexpr const char* ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 p)
{
  .reg .b32 %r<4>;
  .loc 1 14 3
  mov.u32 %r1, 1;
  .loc 1 17 3
  mov.u32 %r2, 2;
  .loc 2 90 3, function_name $name, inlined_at 1 16 3
  mov.u32 %r3, 2;
  ret;
}
.file 1 "/home/a/blur.py"
.file 2 "/usr/lib/math.py"
.section .debug_str
{
$name:
.b8 97,0
}
)";

TEST(LaunchSource, IsTheKernelsOwnLines) {
  Recording recording;
  const std::string text = ptx;
  recording.modules["m"] = std::as_bytes(std::span(text));
  Event event;
  auto launch = std::make_shared<RecordedLaunch>();
  launch->entry = "add";
  launch->module = "m";
  event.launch = launch;
  const auto source = source_of(recording, event);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->file, "/home/a/blur.py");
  EXPECT_EQ(source->first, 14u);
  EXPECT_EQ(source->last, 17u);
  EXPECT_EQ(text_of(*source), "blur.py:14");
  EXPECT_THAT(read_source(*source).why_not, HasSubstr("/home/a/blur.py cannot be read here"));
  launch->module = "another";
  EXPECT_FALSE(source_of(recording, event));
  event.file = "x.py";
  event.line = 3;
  EXPECT_EQ(source_of(recording, event)->first, 3u) << "by the journal";
}

TEST(LaunchSource, TextBeginsWithTheDecorator) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("warplens-source-{}.py", getpid())).string();
  std::ofstream(path) << "import numba\r\n\n@cuda.jit\ndef blur(img):\n    i = 1\n    img[i] = 2\n\nrest()\n";
  const SourceText text = read_source({path, 5, 6});
  const SourceText changed = read_source({path, 100, 101});
  // On another machine: the file is in the folder of the recording.
  const std::string elsewhere = "/nowhere/" + std::filesystem::path(path).filename().string();
  const SourceText beside = read_source({elsewhere, 5, 6}, path + ".warplens");
  const SourceText gone = read_source({elsewhere, 5, 6});
  std::filesystem::remove(path);
  EXPECT_EQ(beside.lines, text.lines);
  EXPECT_THAT(gone.why_not, HasSubstr(elsewhere + " cannot be read here"));
  EXPECT_EQ(text.first, 3u);
  EXPECT_THAT(text.lines, ElementsAre("@cuda.jit", "def blur(img):", "    i = 1", "    img[i] = 2"));
  EXPECT_THAT(changed.why_not, HasSubstr("it was changed since"));
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
