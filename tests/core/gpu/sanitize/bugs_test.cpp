// tests/data/bugs: kernels with one mistake each. tests/data/right: kernels without one. Their first lines
// say what is found, and at which line, block and thread; tests/data/bugs/README.md has the words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/launch/backend.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

const fs::path bugs_folder = test_files::source_dir() / "tests/data/bugs";
const fs::path right_folder = test_files::source_dir() / "tests/data/right";

struct Place {
  uint32_t line = 0, block = 0, thread = 0;
  std::string allocation;  // empty: any
  uint64_t offset = 0;
};

struct Expected {
  bool fault = false;
  std::string kind;
  Place place;
  std::optional<Place> against;
  std::vector<std::string> says, says_not;  // parts of the message
};

struct Bug {
  std::string name, source;
  LaunchRequest request;
  std::vector<Expected> expected;
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// "[read]" at the end of a line of code → its number.
std::map<std::string, uint32_t> marks_of(const std::string& source) {
  std::map<std::string, uint32_t> marks;
  std::istringstream lines(source);
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t at = line.rfind("// [");
    if (at != std::string::npos) marks[line.substr(at + 3)] = number;
  }
  return marks;
}

// "run: grid 2 block 64 shared 256 cooperative in out n 7".
void read_run(const std::string& line, LaunchRequest& request) {
  LaunchStep launch;
  launch.entry = "bug";
  std::istringstream words(line);
  std::vector<Step> before;
  const auto buffer = [&](const std::string& name, bool filled) {
    const auto index = static_cast<uint32_t>(request.buffers.size());
    BufferSpec spec;
    spec.name = name;
    spec.bytes = 1024;
    spec.dtype = name.ends_with("_bytes") ? DType::u8 : DType::i32;
    spec.output = true;
    request.buffers.push_back(spec);
    before.emplace_back(AllocateStep{index});
    if (filled) before.emplace_back(CopyInStep{index});
    launch.arguments.emplace_back(BufferArgument{index, 0});
  };
  for (std::string word; words >> word;) {
    int64_t number = 0;
    if (word == "grid" && words >> number) launch.grid.x = static_cast<uint32_t>(number);
    if (word == "block" && words >> number) launch.block.x = static_cast<uint32_t>(number);
    if (word == "shared" && words >> number) launch.shared_dynamic_bytes = static_cast<uint32_t>(number);
    if (word == "cooperative") launch.cooperative = true;
    if (word == "in" || word == "out" || word == "out_bytes") buffer(word, true);
    if (word == "new" || word == "new_bytes") buffer(word, false);
    if (word == "texture" || word == "surface") {
      const auto last = static_cast<uint32_t>(request.buffers.size() - 1);
      TextureSpec spec;
      spec.surface = word == "surface";
      spec.shape = spec.surface ? TextureShape::one : TextureShape::linear;
      spec.type = DType::i32;
      spec.width = 256;
      launch.arguments.emplace_back(TextureArgument{last, spec});
    }
    if (word == "n" && words >> number)
      launch.arguments.emplace_back(ScalarArgument{DType::i32, static_cast<uint32_t>(number)});
  }
  request.steps = std::move(before);
  request.steps.emplace_back(std::move(launch));
}

// "at [read] block 0 thread 3 of tile+8", up to "against" or the end.
bool read_place(std::istringstream& words, const std::map<std::string, uint32_t>& marks, Place& place) {
  bool against = false;
  for (std::string word; !against && words >> word;) {
    if (word[0] == '[') {
      EXPECT_TRUE(marks.contains(word)) << "no line is marked " << word;
      if (marks.contains(word)) place.line = marks.at(word);
    }
    if (word == "block") words >> place.block;
    if (word == "thread") words >> place.thread;
    if (word == "of" && words >> word) {
      const size_t plus = word.find('+');
      place.allocation = word.substr(0, plus);
      place.offset = std::stoull(word.substr(plus + 1));
    }
    against = word == "against";
  }
  return against;
}

Bug read_bug(const std::string& name, const fs::path& folder = bugs_folder) {
  Bug bug;
  bug.name = name;
  bug.source = text_of(folder / (name + ".cu"));
  const auto marks = marks_of(bug.source);
  std::istringstream lines(bug.source);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    std::istringstream words(line.substr(2));
    std::string word;
    words >> word;
    if (word == "run:") read_run(line.substr(7), bug.request);
    if (word != "finds" && word != "faults") continue;
    Expected expected;
    expected.fault = word == "faults";
    words >> expected.kind;
    if (read_place(words, marks, expected.place)) read_place(words, marks, expected.against.emplace());
    bug.expected.push_back(std::move(expected));
  }
  // The last lines: parts of the first message.
  for (std::string line; std::getline(lines, line);)
    for (const bool is_not : {false, true}) {
      const std::string mark = is_not ? "// says_not " : "// says ";
      if (!line.starts_with(mark)) continue;
      Expected& first = bug.expected.front();
      (is_not ? first.says_not : first.says).push_back(line.substr(mark.size()));
    }
  auto text = std::make_shared<ModuleText>();
  text->ptx = text_of(folder / "ptx" / (name + ".ptx"));
  text->ptx_name = name + ".ptx";
  bug.request.module = std::move(text);
  bug.request.kernel = name;
  bug.request.device.sms = 4;
  bug.request.device.compute_capability = {9, 0};
  bug.request.sanitize = Sanitize::all;
  bug.request.step_budget = 1'000'000;
  return bug;
}

std::vector<std::string> names(const fs::path& folder = bugs_folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") found.push_back(entry.path().stem().string());
  std::ranges::sort(found);
  return found;
}

std::string text_of(const Incident& incident) {
  std::string text = std::string(to_string(incident.kind)) + " at line " + std::to_string(incident.line) +
                     " block " + std::to_string(incident.block.x) + " thread " +
                     std::to_string(incident.thread.x) + " of " + incident.allocation + "+" +
                     std::to_string(incident.offset.value_or(0));
  if (incident.other) text += " against " + text_of(*incident.other);
  return text + ": " + incident.message;
}

bool is_at(const Incident& incident, const Place& place) {
  if (incident.line != place.line || incident.block.x != place.block || incident.thread.x != place.thread)
    return false;
  return place.allocation.empty() ||
         (incident.allocation == place.allocation && incident.offset == place.offset);
}

bool is(const Incident& incident, const Expected& expected) {
  if (to_string(incident.kind) != expected.kind || !is_at(incident, expected.place)) return false;
  return !expected.against || (incident.other && is_at(*incident.other, *expected.against));
}

class Bugs : public testing::TestWithParam<std::string> {};

TEST_P(Bugs, AreFoundAtTheirPlaceAndNothingElse) {
  const Bug bug = read_bug(GetParam());
  ASSERT_FALSE(bug.expected.empty());
  const auto result = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(bug.request), {}, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  std::vector<Incident> all = result->findings;
  all.insert(all.end(), result->faults.begin(), result->faults.end());
  std::string found;
  for (const Incident& incident : all) found += "  " + text_of(incident) + "\n";
  for (const Expected& expected : bug.expected) {
    const auto& list = expected.fault ? result->faults : result->findings;
    const auto at = std::ranges::find_if(list, [&](const Incident& i) { return is(i, expected); });
    ASSERT_TRUE(at != list.end()) << expected.kind << " at line " << expected.place.line << " is not among\n"
                                  << found;
    for (const std::string& part : expected.says) EXPECT_THAT(at->message, testing::HasSubstr(part));
    for (const std::string& part : expected.says_not)
      EXPECT_THAT(at->message, testing::Not(testing::HasSubstr(part)));
  }
  EXPECT_EQ(all.size(), bug.expected.size()) << found;
}

// A mistake that depends on the order is also found in other schedules.
TEST_P(Bugs, AreFoundInOtherSchedules) {
  Bug bug = read_bug(GetParam());
  bug.request.step_budget = 4'000'000;  // a block that waits for a later one spins for a slice
  for (const uint64_t seed : {1, 2, 3}) {
    bug.request.seed = seed;
    const auto result = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(bug.request), {}, nullptr);
    ASSERT_TRUE(result) << result.error().message;
    for (const Expected& expected : bug.expected) {
      const auto& list = expected.fault ? result->faults : result->findings;
      const bool first = &expected == &bug.expected.front();
      if (!first) continue;
      EXPECT_TRUE(
          std::ranges::any_of(list, [&](const Incident& i) { return to_string(i.kind) == expected.kind; }))
          << expected.kind << " with seed " << seed;
    }
  }
}

std::string texts_of(const RunResult& result) {
  std::string texts;
  for (const Incident& incident : result.findings) texts += text_of(incident) + "\n";
  for (const Incident& incident : result.faults) texts += text_of(incident) + "\n";
  return texts;
}

// Whether the thread of the incident has executed an instruction of its line.
bool is_in(const Trace& trace, const Incident& incident) {
  const TracedLaunch& launch = trace.launches.back();
  for (size_t turn = 0; turn < trace.turns.size(); ++turn) {
    if (position_at(trace.turns[turn].block, launch.grid) != incident.block) continue;
    for (const TraceEntry& entry : trace.of_turn(turn)) {
      if (launch.program->instruction(entry.instruction).line != incident.ptx_line) continue;
      const auto thread = static_cast<uint32_t>(linear_index(incident.thread, launch.block));
      if (entry.warp == thread / warp_lanes && (entry.executed >> (thread % warp_lanes) & 1) != 0)
        return true;
    }
  }
  return false;
}

// A trace and the findings are of one run: the step of each is in the trace.
TEST_P(Bugs, AreFoundInATrace) {
  Bug bug = read_bug(GetParam());
  const auto plain = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(bug.request), {}, nullptr);
  ASSERT_TRUE(plain) << plain.error().message;
  bug.request.trace_limit = 100'000;
  const auto traced = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(bug.request), {}, nullptr);
  ASSERT_TRUE(traced) << traced.error().message;
  EXPECT_EQ(texts_of(*plain), texts_of(*traced));
  ASSERT_NE(traced->trace, nullptr);
  if (!traced->trace->complete) return;  // the kernel spins
  for (const Incident& finding : traced->findings)
    EXPECT_TRUE(is_in(*traced->trace, finding)) << text_of(finding);
}

INSTANTIATE_TEST_SUITE_P(All, Bugs, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& bug) { return bug.param; });

class RightKernels : public testing::TestWithParam<std::string> {};

TEST_P(RightKernels, AreNotAccused) {
  Bug right = read_bug(GetParam(), right_folder);
  right.request.step_budget = 4'000'000;
  for (const uint64_t seed : {0, 1, 2, 3}) {
    right.request.seed = seed;
    const auto result = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(right.request), {}, nullptr);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(texts_of(*result), "") << "seed " << seed;
  }
  right.request.trace_limit = 100'000;
  const auto traced = make_virtual_gpu()->run(std::make_shared<LaunchRequest>(right.request), {}, nullptr);
  ASSERT_TRUE(traced) << traced.error().message;
  EXPECT_EQ(texts_of(*traced), "") << "traced";
}

INSTANTIATE_TEST_SUITE_P(All, RightKernels, testing::ValuesIn(names(right_folder)),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

TEST(BugKernels, AreAtLeastEighty) { EXPECT_GE(names().size(), 80u); }

}  // namespace THIS_FILE
}  // namespace warplens
