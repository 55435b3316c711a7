// Completions and the manual page: what they say of a small command line, and that the shells take those of
// the whole one.
#include "app/cli/machine/shell_words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "core/system/run_program.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ShellWords, NamesOfAnOption) {
  EXPECT_THAT(names_of_option("--grid").options, ElementsAre("--grid"));
  EXPECT_THAT(names_of_option("-k,--kernel-name").options, ElementsAre("-k", "--kernel-name"));
  EXPECT_THAT(names_of_option("--no-check{false}").options, ElementsAre("--no-check"));
  EXPECT_THAT(names_of_option("kernel").options, IsEmpty());
  EXPECT_EQ(names_of_option("kernel").argument, "kernel");
  EXPECT_EQ(names_of_option("kernel,--kernel").argument, "kernel");
  EXPECT_THAT(names_of_option("").options, IsEmpty());
}

std::vector<CliCommand> small_line() {
  static std::string text;
  static bool flag = false;
  return {{"", "Options of the window", {{"--theme", &text, "Dark or light.", "", {"dark", "light"}}}, {}},
          {"run",
           "Run a kernel's grid. And more",
           {{"what", &text, "What to run", "KERNEL|FILE"}, {"-q,--quiet", &flag, "Say [less]: 'nothing'"}},
           {}}};
}

TEST(ShellWords, SayWhatTheCommandLineHas) {
  const std::vector<CliCommand> commands = small_line();
  const std::vector<std::string> kernels = {"add", "gray"};
  const std::string bash = bash_completions(commands, kernels);
  EXPECT_THAT(bash, HasSubstr("'run') options='-q --quiet --help' words=''\" $kernels\" ;;"));
  EXPECT_THAT(bash, HasSubstr("' --theme') values='dark light' ;;"));
  EXPECT_THAT(bash, HasSubstr("kernels='add gray'"));
  const std::string zsh = zsh_completions(commands, kernels);
  EXPECT_THAT(zsh, HasSubstr(R"('run:Run a kernel'\''s grid')"));
  EXPECT_THAT(zsh, HasSubstr(R"('*--quiet[Say \[less\]\: '\''nothing'\'']')"));
  EXPECT_THAT(zsh, HasSubstr("'*--theme[Dark or light]:value:(dark light)'"));
  const std::string fish = fish_completions(commands, kernels);
  EXPECT_THAT(fish, HasSubstr(R"(-a run -d 'Run a kernel\'s grid')"));
  EXPECT_THAT(fish, HasSubstr("-s q -l quiet -d"));
  EXPECT_THAT(fish, HasSubstr("-l theme -r -f -a 'dark light'"));
}

TEST(ShellWords, NoLineOfTheManualPageIsARequestByAccident) {
  static std::string text;
  const std::vector<CliCommand> commands = {
      {"run", "Run", {{"--x", &text, ".hidden\n'too \\fB", "X-Y"}}, {}}};
  const std::string page =
      manual_page(commands, {"1.2", "A sentence - short", "A summary.", "Examples:\n.first\n  warplens run"});
  EXPECT_THAT(page, HasSubstr("\n\\&.hidden\n\\&'too \\efB\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-x\\fR \\fIX\\-Y\\fR"));
  EXPECT_THAT(page, HasSubstr("\n\\&.first\n"));
  EXPECT_THAT(page, HasSubstr("\"WarpLens 1.2\""));
  EXPECT_THAT(page, HasSubstr("\nwarplens \\- A sentence \\- short\n"));
}

struct CliRun {
  int status = 0;
  std::string out, err;
};
CliRun describe(const char* what) {
  std::ostringstream out, err;
  Cli cli{out, err, {}, {}, {}};
  const char* arguments[] = {"warplens", "describe", what};
  const int status = run_cli(3, arguments, cli);
  return {status, out.str(), err.str()};
}
std::string described(const char* what) {
  const CliRun run = describe(what);
  EXPECT_EQ(run.status, 0) << run.err;
  return run.out;
}

// The completions that bash offers for a line whose last word is being typed.
std::string offered(const std::filesystem::path& script, const std::string& line) {
  const std::string commands = fmt::format(
      "source {}; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _warplens; "
      "echo \"${{COMPREPLY[@]}}\"",
      script.string(), line);
  const auto ran = run_program("/bin/bash", {"-c", commands}, std::chrono::seconds(20));
  EXPECT_TRUE(ran) << ran.error().message;
  return ran ? ran->output : std::string();
}

TEST(ShellWords, BashCompletesTheWholeCommandLine) {
  const auto script = std::filesystem::path(testing::TempDir()) / "warplens_completions.bash";
  std::ofstream(script) << described("bash");
  EXPECT_EQ(offered(script, "warplens occ"), "occupancy\n");
  EXPECT_EQ(offered(script, "warplens run mandel"), "mandelbrot\n");
  EXPECT_THAT(offered(script, "warplens run --"), HasSubstr("--block"));
  EXPECT_EQ(offered(script, "warplens describe ''"), "bash zsh fish man\n");
  EXPECT_EQ(offered(script, "warplens challenges ch"), "check\n");
  EXPECT_EQ(offered(script, "warplens profile --page r"), "raw\n");
  EXPECT_EQ(offered(script, "warplens run --set ''"), "\n");
  EXPECT_EQ(offered(script, "warplens program -- nv"), "\n") << "another program's words";
  std::filesystem::remove(script);
}

TEST(ShellWords, EachShellHasEveryCommand) {
  for (const char* what : {"bash", "zsh", "fish", "man"}) {
    const std::string text = described(what);
    for (const char* command : {"run", "profile", "occupancy", "lessons", "judge", "describe"})
      EXPECT_THAT(text, HasSubstr(command)) << what;
    EXPECT_THAT(text, Not(HasSubstr("{false}"))) << what;
  }
  const CliRun wrong = describe("csh");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("bash"));
}

}  // namespace THIS_FILE
}  // namespace warplens
