// Every challenge of the program: its right answers pass with their stars, and each wrong one is rejected for
// the reason in its file, with hidden sizes and data of many seeds.
//
// A seed judges each file once: every file has 50 of them. Under sanitizers, where that takes many minutes,
// each file has a few seeds of its own, which together are 1 to 50. WARPLENS_CHALLENGE_SEEDS=51..60 judges
// every file at these instead; tests/challenges/record_verdicts.py does so for 1,000.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/base/diagnostic.h"
#include "core/lesson/judge/judge.h"
#include "core/lesson/read/field_readers.h"
#include "core/lesson/read/read_cases.h"
#include "tests/core/lesson/raw_words.h"
#include "tests/core/sanitized.h"

namespace warplens::lesson {
namespace THIS_FILE {

const Folder& folder_of(const std::string& name) {
  static const std::vector<Folder> folders = embedded_folders("challenges");
  return *std::ranges::find(folders, name, &Folder::name);
}

std::vector<std::string> challenge_names() {
  std::vector<std::string> names;
  for (const Folder& folder : embedded_folders("challenges")) names.push_back(folder.name);
  return names;
}

// "A..B" or "A", 1 and above, at most 1,000,000 of them. Empty for anything else.
std::optional<std::vector<uint64_t>> seeds_in(std::string_view text) {
  constexpr uint64_t most = 1'000'000;
  const size_t dots = text.find("..");
  const std::optional<uint64_t> first = whole_number_in(text.substr(0, dots), UINT64_MAX - most),
                                last = dots == text.npos
                                           ? first
                                           : whole_number_in(text.substr(dots + 2), UINT64_MAX - most);
  if (!first || !last || *first == 0 || *last < *first || *last - *first >= most) return std::nullopt;
  std::vector<uint64_t> seeds(*last - *first + 1);
  std::iota(seeds.begin(), seeds.end(), *first);
  return seeds;
}

// The seeds in WARPLENS_CHALLENGE_SEEDS; empty if it is not set. A test must not pass without the seeds that
// were requested.
std::vector<uint64_t> seeds_asked_for() {
  const char* text = std::getenv("WARPLENS_CHALLENGE_SEEDS");
  if (text == nullptr) return {};
  const auto seeds = seeds_in(text);
  if (!seeds)
    throw std::invalid_argument("WARPLENS_CHALLENGE_SEEDS=" + std::string(text) + " is neither 51..60 nor 7");
  return *seeds;
}

TEST(ChallengeSeeds, AreANumberOrARangeAndNothingElse) {
  EXPECT_EQ(seeds_in("7"), (std::vector<uint64_t>{7}));
  EXPECT_EQ(seeds_in("51..53"), (std::vector<uint64_t>{51, 52, 53}));
  for (const char* junk : {"", "x", "0", "0..3", "5..4", "-1", "1..", "..5", "1...5", "1..5x", "1-5", "1.5",
                           "1..1000001", "18446744073709551615", "1..18446744073709551615"})
    EXPECT_FALSE(seeds_in(junk)) << junk;
}

std::vector<uint64_t> seeds_for(size_t number, bool right) {
  std::vector<uint64_t> asked = seeds_asked_for();
  if (!asked.empty()) return asked;
  if (!is_sanitized) {
    // Seeds from 1 to 50, different ones for each file; or the seeds in WARPLENS_CHALLENGE_SEEDS.
    std::vector<uint64_t> some(2);
    for (size_t i = 0; i < some.size(); ++i) some[i] = 1 + (number * 7 + i * 25) % 50;
    return some;
  }
  // Wrong answers end at their first case, so they can have more.
  if (right) return {1 + number * 7 % 50};
  return {1 + number * 7 % 50, 1 + (number * 7 + 25) % 50};
}

// Those whose answers are programs are judged by tests/tools/program_lessons_test.py: core runs no programs.
bool is_program(const std::string& name) { return load_challenge(folder_of(name)).challenge.is_program(); }

class EveryChallenge : public testing::TestWithParam<std::string> {
 protected:
  const Folder& folder() const { return folder_of(GetParam()); }
  // Every place has a number of its own among all files, so that seeds are spread.
  size_t first_number() const {
    const std::vector<std::string> names = challenge_names();
    return size_t(std::ranges::find(names, GetParam()) - names.begin()) * 13;
  }
};

TEST_P(EveryChallenge, IsReadWithoutAMistake) {
  const LoadedChallenge read = load_challenge(folder());
  EXPECT_EQ(to_text(read.diagnostics), "");
}

TEST_P(EveryChallenge, HasAnswersOfEachSort) {
  const Challenge challenge = load_challenge(folder()).challenge;
  const auto count = [&](std::string_view ending, auto test) {
    return std::ranges::count_if(challenge.files, [&](const ChallengeFile& file) {
      return file.name.ends_with(ending) && !file.starter && test(file.expected);
    });
  };
  const auto best = [](const Expected& e) { return e.reason == Reason::none && e.stars == 3; };
  const auto plain = [](const Expected& e) { return e.reason == Reason::none && e.stars < 3; };
  const auto wrong = [](const Expected& e) { return e.reason != Reason::none; };
  EXPECT_GE(count(".cu", best), 2) << "two right answers, written in different ways, earn all stars";
  EXPECT_GE(count(".cu", plain), 1) << "a simple right answer does not earn all stars";
  EXPECT_GE(count(".cu", wrong), 4);
  EXPECT_NE(challenge.starter(".cu"), nullptr);
  EXPECT_FALSE(challenge.notes.empty());
  EXPECT_FALSE(challenge.hidden.empty());
  EXPECT_GE(challenge.orders.size(), 2u);
  if (challenge.kind != ChallengeKind::kernel) return;
  EXPECT_NE(challenge.starter(".py"), nullptr);
  EXPECT_GE(count(".py", best), 1);
  EXPECT_GE(count(".py", wrong), 1);
}

TEST_P(EveryChallenge, DrawsOtherCasesWithEachSeed) {
  const Challenge challenge = load_challenge(folder()).challenge;
  std::set<std::string> drawn;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Case> cases = all_cases(challenge, seed);
    std::string text;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (i < challenge.cases.size())
        EXPECT_EQ(text_of(cases[i]), text_of(challenge.cases[i])) << "the fixed cases are always there";
      else
        text += text_of(cases[i]) + "\n";
    }
    drawn.insert(text);
  }
  EXPECT_GE(drawn.size(), 49u);
}

TEST_P(EveryChallenge, DrawsItsSpecification) {
  if (is_program(GetParam())) return;
  Result<Judge> judge = Judge::open(folder());
  if (!judge && judge.error().kind == ErrorKind::missing) GTEST_SKIP() << judge.error().message;
  ASSERT_TRUE(judge) << judge.error().message;
  const Result<Specification> specification = judge->specification();
  ASSERT_TRUE(specification) << specification.error().message;
  EXPECT_FALSE(specification->inputs.empty());
  EXPECT_FALSE(specification->outputs.empty());
  EXPECT_FALSE(specification->arrows.empty());
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The starter with a hint's diff applied: lines with '-' are removed, and lines with '+' inserted. Empty if a
// line is not found.
std::string mended(const std::string& starter, std::string_view diff) {
  std::vector<std::string> lines = lines_of(starter);
  size_t at = 0;
  for (const std::string& change : lines_of(diff)) {
    if (change.empty()) continue;
    const std::string line = change.substr(1);
    if (change[0] == '+') {
      lines.insert(lines.begin() + std::ptrdiff_t(at++), line);
      continue;
    }
    const auto found = std::find(lines.begin() + std::ptrdiff_t(at), lines.end(), line);
    if (found == lines.end()) return {};
    at = size_t(found - lines.begin());
    if (change[0] == '-')
      lines.erase(found);
    else
      ++at;
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The blocks ```diff of the last hint: for the starter in CUDA C++, then for that in Python.
std::vector<std::string> diffs_of(const Challenge& challenge) {
  std::vector<std::string> diffs;
  const std::string_view hint = challenge.hints.back().text;
  for (size_t at = hint.find("```diff\n"); at != hint.npos; at = hint.find("```diff\n", at)) {
    const size_t begin = at + 8, end = hint.find("\n```", begin);
    diffs.emplace_back(hint.substr(begin, end - begin));
    at = end + 4;
  }
  return diffs;
}

TEST_P(EveryChallenge, IsSolvedByItsLastHint) {
  if (is_program(GetParam())) return;
  Result<Judge> judge = Judge::open(folder());
  if (!judge && judge.error().kind == ErrorKind::missing) GTEST_SKIP() << judge.error().message;
  ASSERT_TRUE(judge) << judge.error().message;
  const Challenge& challenge = judge->challenge();
  const std::vector<std::string> diffs = diffs_of(challenge);
  const ChallengeFile* python = challenge.starter(".py");
  ASSERT_EQ(diffs.size(), python == nullptr ? 1u : 2u);
  const std::string source = mended(folder().files.at(challenge.starter(".cu")->name), diffs[0]);
  ASSERT_NE(source, "");
  const Judged judged = judge->judge({"hint.cu", source, "", "", "", ""});
  EXPECT_TRUE(judged.right()) << judged.message << "\n" << source;
  EXPECT_GE(judged.stars, 1u);
  if (python != nullptr) {
    EXPECT_NE(mended(folder().files.at(python->name), diffs[1]), "");
  }
}

TEST_P(EveryChallenge, JudgesEachOfItsFilesAsItSays) {
  if (is_program(GetParam())) return;
  Result<Judge> judge = Judge::open(folder());
  if (!judge && judge.error().kind == ErrorKind::missing) GTEST_SKIP() << judge.error().message;
  ASSERT_TRUE(judge) << judge.error().message;
  const char* path = std::getenv("WARPLENS_CHALLENGE_VERDICTS");
  std::ofstream verdicts;
  if (path != nullptr) verdicts.open(path, std::ios::app);
  size_t number = first_number();
  for (const ChallengeFile& file : judge->challenge().files) {
    ++number;
    if (!file.name.ends_with(".cu")) continue;  // Python: tests/tools/python_answers_test.py
    for (const uint64_t seed : seeds_for(number, file.expected.reason == Reason::none)) {
      JudgeOptions options;
      options.seed = seed;
      const Judged judged = judge->judge({file.name, folder().files.at(file.name), "", "", "", ""}, options);
      if (file.starter) {
        EXPECT_NE(judged.reason, Reason::compile) << judged.message;
        EXPECT_EQ(judged.stars, 0u) << file.name << " earns stars as it is";
        continue;
      }
      const std::string difference = differs_from(file.expected, judged);
      EXPECT_EQ(difference, "") << file.name << ", seed " << seed;
      for (const GoalResult& goal : judged.goals) {
        EXPECT_EQ(raw_words_in(goal.words), "") << file.name;
        EXPECT_NE(goal.words.find("; yours "), std::string::npos) << file.name << ": " << goal.words;
      }
      verdicts << GetParam() << ' ' << file.name << ' ' << seed << ' ' << to_string(judged.reason) << ' '
               << (judged.kind.empty() ? "-" : judged.kind) << ' ' << judged.stars << ' '
               << (difference.empty() ? "ok" : "FALSE") << '\n';
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Challenges, EveryChallenge, testing::ValuesIn(challenge_names()),
                         [](const auto& test) { return test.param; });

// The first row goes from easy to hard; after it there are pairs, each about one subject, and among them
// three programs.
TEST(Challenges, AreEighteenInFiveStepsAndSevenPairsAndThreePrograms) {
  constexpr uint32_t last_of_first = 18, first_program = 31, last_program = 33;
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, int> of_level;
  for (const std::string& name : challenge_names()) {
    const Challenge challenge = load_challenge(folder_of(name)).challenge;
    EXPECT_TRUE(names.emplace(challenge.number, name).second) << challenge.number << " twice";
    ++of_level[challenge.level];
  }
  ASSERT_EQ(names.size(), 35u);
  EXPECT_EQ(names.begin()->first, 1u);
  EXPECT_EQ(names.rbegin()->first, 35u);
  for (uint32_t level = 1; level <= 5; ++level) EXPECT_GE(of_level[level], 2) << "level " << level;
  uint32_t before = 0;
  for (const auto& [number, name] : names) {
    const uint32_t level = load_challenge(folder_of(name)).challenge.level;
    const uint32_t before_pairs = number > last_program ? last_program : last_of_first;
    const bool program = number >= first_program && number <= last_program;
    const bool begins_a_pair = !program && number > last_of_first && (number - before_pairs) % 2 == 1;
    EXPECT_EQ(is_program(name), program) << name;
    if (!begins_a_pair && number != first_program) {
      EXPECT_GE(level, before) << name << " is easier than the one before it";
    }
    before = level;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
