// Arguments as they are typed, and what a program writes.
#include "app/user_program/words.h"

#include <gmock/gmock.h>

#include "app/user_program/output_tail.h"
#include "app/user_program/program_file.h"
#include "core/base/system/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace warplens::program_run {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> split(std::string_view line) {
  auto words = split_words(line);
  return words ? *words : std::vector<std::string>{"error: " + words.error().message};
}

TEST(ProgramWords, AreSplitAsAShellDoes) {
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(" \t "), IsEmpty());
  EXPECT_THAT(split("--n 5"), ElementsAre("--n", "5"));
  EXPECT_THAT(split("  a   b "), ElementsAre("a", "b"));
  EXPECT_THAT(split("'a b' \"c d\""), ElementsAre("a b", "c d"));
  EXPECT_THAT(split("--name='my photo'.png"), ElementsAre("--name=my photo.png"));
  EXPECT_THAT(split("\"\" ''"), ElementsAre("", ""));
  EXPECT_THAT(split("a\\ b \\'"), ElementsAre("a b", "'"));
  EXPECT_THAT(split(R"("a\"b\\c\d" 'e\f')"), ElementsAre(R"(a"b\c\d)", R"(e\f)"));
}

TEST(ProgramWords, ExpandNothing) {
  EXPECT_THAT(split("*.png $HOME ~ `id` ; rm | x && y > z"),
              ElementsAre("*.png", "$HOME", "~", "`id`", ";", "rm", "|", "x", "&&", "y", ">", "z"));
}

TEST(ProgramWords, WhatIsNotClosedIsSaid) {
  EXPECT_THAT(split("'a")[0], HasSubstr("a ' that is not closed"));
  EXPECT_THAT(split("a \"b c")[0], HasSubstr("a \" that is not closed"));
  EXPECT_THAT(split("a\\")[0], HasSubstr("end with a \\"));
}

std::vector<std::string> shown(std::initializer_list<std::string_view> pieces) {
  OutputTail tail;
  for (const std::string_view piece : pieces) tail.add(piece);
  return tail.lines();
}

TEST(ProgramOutput, ComesInPiecesOfAnySize) {
  EXPECT_THAT(shown({}), IsEmpty());
  EXPECT_THAT(shown({"one\ntw", "o\n", "three"}), ElementsAre("one", "two", "three"));
  EXPECT_THAT(shown({"\n\n"}), ElementsAre("", ""));
}

TEST(ProgramOutput, ShowsWhatATerminalWouldShow) {
  EXPECT_THAT(shown({"10 %\r20 %\r", "30 %\n"}), ElementsAre("30 %")) << "a progress bar";
  EXPECT_THAT(shown({"a\r\nb\r\n"}), ElementsAre("a", "b")) << "line ends of Windows";
  EXPECT_THAT(shown({"\x1b[31mred\x1b[0m \x1b", "[1;4", "mbold\x1b[K\n"}), ElementsAre("red bold"));
  EXPECT_THAT(shown({"\x1b]0;title\a>\n"}), ElementsAre(">"));
  EXPECT_THAT(shown({"a\tb\n"}), ElementsAre("a       b"));
  EXPECT_THAT(shown({std::string_view("a\0\x01\x7f"
                                      "b\n",
                                      6)}),
              ElementsAre("ab"));
  EXPECT_THAT(shown({"µs ≈ 3\n"}), ElementsAre("µs ≈ 3"));
}

TEST(ProgramOutput, IsBounded) {
  OutputTail tail;
  for (int i = 0; i < 1000; ++i) tail.add(std::to_string(i) + "\n");
  EXPECT_EQ(tail.lines().size(), OutputTail::most_lines);
  EXPECT_EQ(tail.lines().back(), "999");
  EXPECT_EQ(tail.left_out(), 1000 - OutputTail::most_lines);
  tail.add(std::string(1 << 20, 'x'));
  tail.add("\t");
  EXPECT_EQ(tail.lines().back().size(), OutputTail::most_line_bytes);
}

class ProgramFile : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("warplens_program_file_" + std::to_string(::getpid()));
  ProgramFile() { std::filesystem::create_directories(folder); }
  ~ProgramFile() override { std::filesystem::remove_all(folder); }

  std::string file(const char* name, std::string_view text, mode_t mode) {
    const std::string path = folder / name;
    EXPECT_TRUE(write_text(path, text));
    ::chmod(path.c_str(), mode);
    return path;
  }
};

TEST_F(ProgramFile, IsAScriptOrWhatSaysSoItself) {
  EXPECT_TRUE(is_program_file(file("a.py", "", 0644)));
  EXPECT_TRUE(is_program_file(folder / "not_there.py")) << "that it is missing is said when it is run";
  EXPECT_TRUE(is_program_file(file("tool", "#!/bin/sh\n", 0755)));
  EXPECT_TRUE(is_program_file(file("made",
                                   "\x7f"
                                   "ELF....",
                                   0755)));
  EXPECT_FALSE(is_program_file(file("tool2", "#!/bin/sh\n", 0644))) << "nobody may execute it";
  EXPECT_FALSE(is_program_file(file("photo.png", "\x89PNG", 0755)))
      << "a USB stick makes all files executable";
  EXPECT_FALSE(is_program_file(file("empty", "", 0755)));
  EXPECT_FALSE(is_program_file(folder));
  EXPECT_FALSE(is_program_file(folder / "nothing"));
}

TEST_F(ProgramFile, CudaIsAProgramWhereItHasAMain) {
  const char* kernel = "__global__ void add(float* a) { a[threadIdx.x] += 1; }\n";
  EXPECT_FALSE(is_program_file(file("kernel.cu", kernel, 0644)));
  EXPECT_FALSE(is_program_file(file("said.cu", std::string("// without int main() {\n") + kernel, 0644)));
  EXPECT_TRUE(is_program_file(file("whole.cu", std::string(kernel) + "int main() { return 0; }\n", 0644)));
  EXPECT_FALSE(is_program_file(folder / "not_there.cu"));
}

TEST_F(ProgramFile, APipeIsNotWaitedFor) {
  for (const char* name : {"pipe", "pipe.cu"}) {
    const std::string path = folder / name;
    ASSERT_EQ(::mkfifo(path.c_str(), 0755), 0);
    EXPECT_FALSE(is_program_file(path));
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::program_run
