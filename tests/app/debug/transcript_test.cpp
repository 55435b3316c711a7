// Plays the transcripts of tests/data/golden/debug: lines "> command {arguments}" are sent, and what comes
// back must be the lines below. With WARPLENS_WRITE_TRANSCRIPTS=1 the files are written again: read the
// difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "app/cli/run/debug_target.h"
#include "core/base/json/json_values.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "tests/app/debug/editor.h"
#include "tests/paths.h"

namespace warplens::dap {

OpenTarget test::open_as_the_program_does() {
  return [](const LaunchSettings& settings, const std::stop_token& stop) {
    std::ostringstream out, err;
    Cli cli{out, err, [] { return make_virtual_gpu(); }, nullptr, {}};
    return open_debug_target(settings, cli, stop);
  };
}

namespace THIS_FILE {

namespace fs = std::filesystem;

fs::path folder() { return test_files::source_dir() / "tests/data/golden/debug"; }

// The same text on every machine.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string shown(const Json& message) {
  return replaced("< " + json_values::one_line(message), test_files::source_dir().string(), "$SOURCE") + "\n";
}

std::string played(const std::string& text, std::set<std::string>& commands) {
  test::Editor editor;
  std::istringstream lines(text);
  std::string made;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("< ")) continue;
    made += line + "\n";
    if (!line.starts_with("> ")) continue;
    const std::string call = replaced(line.substr(2), "$SOURCE", test_files::source_dir().string());
    const size_t space = call.find(' ');
    const std::string command = call.substr(0, space);
    commands.insert(command);
    const Json arguments =
        space == std::string::npos ? Json::object() : Json::parse(call.substr(space), nullptr, false);
    EXPECT_FALSE(arguments.is_discarded()) << line;
    for (const Json& message : editor.send(command, arguments)) made += shown(message);
  }
  return made;
}

TEST(DebugTranscripts, AreAsRecorded) {
  const bool writes = std::getenv("WARPLENS_WRITE_TRANSCRIPTS") != nullptr;
  std::set<std::string> commands;
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() != ".txt") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const std::string made = played(text.str(), commands);
    if (writes) {
      std::ofstream(entry.path()) << made;
      continue;
    }
    // The first line that differs says more than two long texts.
    std::istringstream wanted(text.str()), got(made);
    std::string a, b;
    while (true) {
      const bool more = !std::getline(wanted, a).fail(), comes = !std::getline(got, b).fail();
      ASSERT_EQ(more, comes) << (more ? a : b);
      if (!more) break;
      ASSERT_EQ(b, a);
    }
  }
  // Each request that is answered has a transcript.
  for (const char* command : {"initialize",
                              "launch",
                              "attach",
                              "configurationDone",
                              "terminate",
                              "disconnect",
                              "setVariable",
                              "setExpression",
                              "setBreakpoints",
                              "setFunctionBreakpoints",
                              "setInstructionBreakpoints",
                              "setExceptionBreakpoints",
                              "dataBreakpointInfo",
                              "setDataBreakpoints",
                              "breakpointLocations",
                              "continue",
                              "reverseContinue",
                              "next",
                              "stepIn",
                              "stepOut",
                              "stepBack",
                              "pause",
                              "gotoTargets",
                              "goto",
                              "threads",
                              "stackTrace",
                              "scopes",
                              "variables",
                              "evaluate",
                              "exceptionInfo",
                              "source",
                              "loadedSources",
                              "disassemble"})
    EXPECT_TRUE(commands.contains(command)) << command;
}

}  // namespace THIS_FILE
}  // namespace warplens::dap
