// The judge on the challenges of the program: each of their files is judged as it says, and what only the
// judge sees is seen.
#include "core/lesson/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compile/compiler.h"
#include "core/lesson/judge/hand_in.h"
#include "core/lesson/judge/judge_report.h"
#include "core/lesson/read/read_cases.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::HasSubstr;

TEST(ChallengeFormat, TheDocumentedExampleIsRight) {
  const LoadedChallenge read = load_challenge(example_challenge());
  EXPECT_EQ(to_text(read.diagnostics), "");
  EXPECT_EQ(read.challenge.cases.size(), 9u);
  EXPECT_EQ(read.challenge.hidden.size(), 1u);
  EXPECT_EQ(read.challenge.orders, (std::vector<uint64_t>{0, 5}));
  EXPECT_EQ(read.challenge.hints.size(), 3u);
}

TEST(ChallengeFormat, TheBuiltInExampleIsTheDocumentedOne) {
  for (const Folder& folder : embedded_folders("challenges"))
    if (folder.name == "bounds_check") {
      EXPECT_EQ(folder.files.at("challenge.md"), doc_example("challenges.md", "challenge"));
      EXPECT_EQ(folder.files.at("starter.cu"), doc_example("challenges.md", "challenge/starter.cu"));
    }
}

TEST(ChallengeFormat, BrokenOnesAreRefusedWithTheirLine) {
  struct Broken {
    const char *from, *to, *message;
  };
  const Broken all[] = {
      {"level: 1", "level: 9", "no whole number from 1 to 5"},
      {"kind: kernel", "kind: kernal", "write kernel, launch, both or program"},
      {"entry: add\n", "", "the head has no entry"},
      {"x: float32[n] random(1, -100, 100)", "x: float3[n] random(1, -100, 100)", "is no type"},
      {"zero output", "zero", "no array is marked \"output\""},
      {"n = 10, block = 4", "n = 10, 11", "one line with one value"},
      {"n = 1000; block = 96", "m = 1000; block = 96", "there is no number m"},
      {"n = 1..5000;", "n = 1..5000000;", "is outside of"},
      {"orders: 0, 5", "orders: 0, five", "is no whole number"},
      {"reads.global_sectors <=", "reads.global_sektors <=", "did you mean"},
      {"reference.reads.global_sectors else", "reference.reads.global_sectors as else",
       "write the goal's words"},
      {"They\n  should not", "{{counters.sektors}}\n  should not", "sektors"},
      {"starter.cu: starter\n", "starter.cu: begin\n", "is not starter, right, or a reason"},
      {"no_check.cu: fault out_of_bounds", "no_check.cu: fault out_of_bound", "there is no fault"},
      {"no_check.cu: fault out_of_bounds at n = 1", "no_check.cu: mismatch or luck",
       "\"luck\" is not starter"},
      {"no_check.cu: fault out_of_bounds at n = 1", "no_check.cu: mismatch or finding rice",
       "there is no finding"},
      {"no_check.cu: fault out_of_bounds at n = 1", "no_check.cu: mismatch or goal at n = 1",
       "write one reason"},
      {"wrong_hard_coded.cu", "wrong_hardcoded.cu", "is not in the folder"},
      {"-  out[i] = x[i] + y[i];", "-  out[i] = x[i];", "the starter has no line"},
      {"### Hint\nWhich", "### Hints\nWhich", "there is no part"},
      {"## Task", "## Tusk", "there is no ## Task"},
  };
  for (const Broken& broken : all) {
    Folder folder = example_challenge();
    folder.files["challenge.md"] = replaced(folder.files["challenge.md"], broken.from, broken.to);
    const LoadedChallenge read = load_challenge(folder);
    EXPECT_FALSE(read.ok()) << broken.to;
    EXPECT_THAT(to_text(read.diagnostics), HasSubstr(broken.message));
  }
}

TEST(ChallengeCases, ASeedAlwaysDrawsTheSame) {
  const Challenge challenge = load_challenge(example_challenge()).challenge;
  const auto texts = [&](uint64_t seed) {
    std::string all;
    for (const Case& at : all_cases(challenge, seed)) all += text_of(at) + "\n";
    return all;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
  for (uint64_t seed = 1; seed < 200; ++seed)
    for (const Case& at : all_cases(challenge, seed)) {
      EXPECT_GE(at.values.at("n"), 1);
      EXPECT_LE(at.values.at("n"), 5000);
    }
}

class JudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_version()) GTEST_SKIP() << "no compiler here";
  }
  static Judged judge(const std::string& challenge, const std::string& source, JudgeOptions options = {}) {
    for (const Folder& folder : embedded_folders("challenges")) {
      if (folder.name != challenge) continue;
      auto opened = Judge::open(folder);
      EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
      if (opened) return opened->judge({"answer.cu", source, "", "", "", ""}, options);
    }
    return {};
  }
};

constexpr const char* add_front =
    "extern \"C\" __global__ void add(const float* x, const float* y, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

TEST_F(JudgeTest, SaysGoalsInTheChosenLanguage) {
  const std::string checks_late = std::string(add_front) +
                                  "  float a = i < n ? x[i] : x[0], b = i < n ? y[i] : y[0];\n"
                                  "  for (int k = 0; k < 40; ++k) a += __fmul_rn(b, float(n < 0));\n"
                                  "  if (i < n) out[i] = a + b;\n}\n";
  const auto goals = [&](const std::string& language) {
    JudgeOptions options;
    options.language = language;
    const Judged judged = judge("bounds_check", checks_late, options);
    EXPECT_TRUE(judged.right()) << judged.message;
    EXPECT_LT(judged.stars, 3u);
    std::string all;
    for (const GoalResult& goal : judged.goals) all += goal.words + " / " + goal.otherwise + "\n";
    return all;
  };
  const std::string english = goals("");
  EXPECT_THAT(english, HasSubstr("(1.15 times as many as the reference solution); yours"));
  EXPECT_EQ(goals("xx"), english) << "there is no such translation";
  EXPECT_EQ(goals("en"), english);
  const std::string german = goals("de");
  EXPECT_THAT(german,
              HasSubstr("höchstens 1.15-mal so viele Warp-Instruktionen wie die Musterlösung; yours"));
  EXPECT_THAT(german, HasSubstr("als ein einziger Vergleich kostet."));
  EXPECT_EQ(german.find("It takes"), german.npos);
}

TEST(Expected, MayHaveSeveralReasons) {
  Expected expected;
  expected.reason = Reason::mismatch;
  Expected race;
  race.reason = Reason::finding;
  race.kind = "race";
  expected.others = {race};
  Judged judged;
  judged.reason = Reason::finding;
  judged.kind = "race";
  EXPECT_EQ(differs_from(expected, judged), "");
  judged.kind = "uninitialized";
  EXPECT_THAT(differs_from(expected, judged), HasSubstr("it should be rejected as mismatch"));
  judged.reason = Reason::mismatch;
  EXPECT_EQ(differs_from(expected, judged), "");
  judged.reason = Reason::none;
  EXPECT_NE(differs_from(expected, judged), "");
}

TEST_F(JudgeTest, JudgesAnotherAnswerBehindOneThatItKeepsCompiled) {
  for (const Folder& folder : embedded_folders("challenges")) {
    if (folder.name != "bounds_check") continue;
    auto judge = Judge::open(folder);
    ASSERT_TRUE(judge);
    const auto reason_of = [&](const std::string& body, uint64_t seed) {
      JudgeOptions options;
      options.seed = seed;
      return judge->judge({"answer.cu", std::string(add_front) + body, "", "", "", ""}, options).reason;
    };
    const std::string right = "  if (i < n) out[i] = x[i] + y[i];\n}\n",
                      wrong = "  if (i < n) out[i] = x[i];\n}\n";
    EXPECT_EQ(reason_of(right, 1), Reason::none);
    EXPECT_EQ(reason_of(right, 2), Reason::none);
    EXPECT_EQ(reason_of(wrong, 2), Reason::mismatch);
    EXPECT_EQ(reason_of("  nothing;\n}\n", 2), Reason::compile);
    EXPECT_EQ(reason_of("  nothing;\n}\n", 3), Reason::compile);
    EXPECT_EQ(reason_of(right, 3), Reason::none);
  }
}

TEST_F(JudgeTest, NamesTheSmallestFailingCaseAndTheElement) {
  const Judged judged =
      judge("bounds_check", std::string(add_front) + "  if (i < n && i != 31) out[i] = x[i] + y[i];\n}\n");
  EXPECT_EQ(judged.reason, Reason::mismatch) << judged.message;
  ASSERT_TRUE(judged.failed);
  EXPECT_GE(judged.failed->at.values.at("n"), 32) << "with 31 elements there is no element 31";
  ASSERT_TRUE(judged.wrong);
  EXPECT_EQ(judged.wrong->array, "out");
  EXPECT_EQ(judged.wrong->index, 31u);
  EXPECT_FALSE(judged.wrong->thread) << "no thread wrote it";
  EXPECT_NE(judged.request, nullptr);
}

// The verdict says what happened. What to do about it is the task.
TEST_F(JudgeTest, TheVerdictDoesNotQuoteTheSolution) {
  const Judged unchecked = judge("bounds_check", std::string(add_front) + "  out[i] = x[i] + y[i];\n}\n");
  EXPECT_EQ(unchecked.reason, Reason::fault);
  EXPECT_THAT(unchecked.message, HasSubstr("just past the end"));
  EXPECT_THAT(unchecked.message, testing::Not(HasSubstr("if (")));
}

TEST_F(JudgeTest, GuardsSeeOneByteTooFar) {
  const Judged past = judge("bounds_check", std::string(add_front) +
                                                "  if (i < n) out[i] = x[i] + y[i];\n  if (i == n - 1) "
                                                "reinterpret_cast<char*>(out)[4 * n] = 0;\n}\n");
  EXPECT_EQ(past.reason, Reason::fault) << past.message;
  EXPECT_EQ(past.kind, "out_of_bounds");
  const Judged input =
      judge("bounds_check",
            std::string(add_front) +
                "  if (i < n) out[i] = x[i] + y[i];\n  if (i == 0) const_cast<float*>(y)[0] = 7;\n}\n");
  EXPECT_EQ(input.reason, Reason::input) << input.message;
  const Judged unset =
      judge("bounds_check",
            std::string(add_front) + "  if (i < n && x[i] + y[i] != 0) out[i] += x[i] + y[i];\n}\n");
  EXPECT_EQ(unset.reason, Reason::mismatch) << "an output does not begin with zeros: " << unset.message;
}

TEST_F(JudgeTest, WhatNeverEndsIsStoppedByItsInstructions) {
  const Judged judged = judge("bounds_check", std::string(add_front) + "  while (n > 0) out[0] = 1;\n}\n");
  EXPECT_TRUE(judged.reason == Reason::steps || judged.reason == Reason::finding) << judged.message;
  const Judged alone =
      judge("bounds_check",
            std::string(add_front) + "  volatile int k = 1;\n  while (k) k = 1;\n  out[i] = x[i];\n}\n");
  EXPECT_EQ(alone.reason, Reason::steps) << alone.message;
}

TEST_F(JudgeTest, WhatNoGpuWouldTakeIsNotRight) {
  const Judged judged =
      judge("bounds_check", std::string(add_front) +
                                "  __shared__ float s[40000];\n  s[threadIdx.x] = i < n ? x[i] : 0;\n  if (i "
                                "< n) out[i] = s[threadIdx.x] + y[i];\n}\n");
  EXPECT_FALSE(judged.right()) << "160,000 bytes of shared memory";
  // No memory is as large, so its PTX is refused; its kernel and parameters are those of the task.
  const Judged huge = judge("bounds_check", "__device__ char big[100ull << 30];\n" + std::string(add_front) +
                                                "  if (i < n) out[i] = big[i];\n}\n");
  EXPECT_EQ(huge.reason, Reason::compile) << huge.message;
  EXPECT_THAT(huge.message, HasSubstr("'big' is too large"));
}

TEST_F(JudgeTest, OtherParametersAndNoKernelAreSaid) {
  EXPECT_EQ(
      judge("bounds_check", "extern \"C\" __global__ void add(const float* x, float* out, int n) {}").reason,
      Reason::signature);
  const Judged doubles =
      judge("bounds_check",
            "extern \"C\" __global__ void add(const double* x, const float* y, float* out, int n) {}");
  EXPECT_EQ(doubles.reason, Reason::signature);
  EXPECT_THAT(doubles.message, HasSubstr("Parameter 1 of add must be float32*"));
  EXPECT_THAT(judge("bounds_check", "extern \"C\" __global__ void plus(const float* x) {}").message,
              HasSubstr("it has plus"));
  const Judged broken = judge("bounds_check", "extern \"C\" __global__ void add(int* x) {\n  x[0] = y;\n}");
  EXPECT_EQ(broken.reason, Reason::compile);
  EXPECT_EQ(broken.line, 2u);
  EXPECT_EQ(judge("bounds_check", "").reason, Reason::unreadable);
}

TEST_F(JudgeTest, MangledNamesAreFoundToo) {
  const std::string source = std::string(add_front).substr(std::string("extern \"C\" ").size()) +
                             "  if (i < n) out[i] = x[i] + y[i];\n}\n";
  EXPECT_TRUE(judge("bounds_check", source).right());
}

TEST_F(JudgeTest, AnswersOwnCommentCountsForNothing) {
  const Judged judged = judge("bounds_check", "// warplens: n=1, block=1, grid=1\n" + std::string(add_front) +
                                                  "  if (i < n && i < 1) out[i] = x[i] + y[i];\n}\n");
  EXPECT_EQ(judged.reason, Reason::mismatch) << judged.message;
}

TEST_F(JudgeTest, ReportsReadBackAsTheyWere) {
  const Judged judged =
      judge("bounds_check", std::string(add_front) + "  if (i < n && i != 31) out[i] = x[i] + y[i];\n}\n");
  const Challenge challenge = load_challenge(example_challenge()).challenge;
  const auto back = judged_from_json(judged_json(judged, challenge, "a.cu").dump());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->reason, judged.reason);
  EXPECT_EQ(back->message, judged.message);
  EXPECT_EQ(back->failed->at.values, judged.failed->at.values);
  ASSERT_TRUE(judged.wrong && back->wrong);
  EXPECT_EQ(back->wrong->array, judged.wrong->array);
  EXPECT_EQ(back->wrong->index, judged.wrong->index);
  EXPECT_FLOAT_EQ(back->wrong->got, judged.wrong->got);
  EXPECT_FLOAT_EQ(back->wrong->want, judged.wrong->want);
  EXPECT_EQ(back->wrong->thread, judged.wrong->thread);
  const Judged right =
      judge("bounds_check", std::string(add_front) + "  if (i < n) out[i] = x[i] + y[i];\n}\n");
  const auto right_back = judged_from_json(judged_json(right, challenge, "a.cu").dump());
  ASSERT_TRUE(right_back) << right_back.error().message;
  ASSERT_TRUE(right.counters && right_back->counters && right.reference && right_back->reference);
  EXPECT_EQ(right_back->counters->warp_instructions, right.counters->warp_instructions);
  ASSERT_EQ(right_back->goals.size(), 2u);
  EXPECT_EQ(right_back->goals[0].words, right.goals[0].words);
  ASSERT_TRUE(right_back->goals[0].sides);
  EXPECT_EQ(right_back->goals[0].sides->reached, 1250);
  EXPECT_EQ(right_back->goals[0].sides->limit, 1250);
  EXPECT_NE(judged_text(right, challenge, "a.cu")
                .find("  reached ★★: at most 1,250 sectors read from global "
                      "memory (as many as the reference solution); yours 1,250"),
            std::string::npos)
      << judged_text(right, challenge, "a.cu");
  EXPECT_EQ(right_back->reference->global_load_sectors, right.reference->global_load_sectors);
  const Judged broken = judge("bounds_check", "extern \"C\" __global__ void add(int* x) {\n  x[0] = y;\n}");
  const auto broken_back = judged_from_json(judged_json(broken, challenge, "a.cu").dump());
  ASSERT_TRUE(broken_back) << broken_back.error().message;
  ASSERT_FALSE(broken_back->diagnostics.empty());
  EXPECT_EQ(broken_back->diagnostics.front().line, 2u);
}

TEST_F(JudgeTest, TheSpecificationsArrowsAreThoseOfTheWork) {
  for (const Folder& folder : embedded_folders("challenges")) {
    if (folder.name != "bounds_check") continue;
    auto opened = Judge::open(folder);
    ASSERT_TRUE(opened);
    const auto drawn = opened->specification();
    ASSERT_TRUE(drawn) << drawn.error().message;
    ASSERT_EQ(drawn->inputs.size(), 2u);
    ASSERT_EQ(drawn->outputs.size(), 1u);
    EXPECT_EQ(drawn->inputs[0].values.size(), 10u);
    ASSERT_EQ(drawn->arrows.size(), 20u);
    for (const Specification::Arrow& arrow : drawn->arrows) EXPECT_EQ(arrow.from, arrow.to);
    EXPECT_EQ(drawn->grid, (Dim3{3, 1, 1}));
  }
}

// --- launches

Folder launch_challenge() {
  Folder folder = example_challenge();
  std::string text = folder.files["challenge.md"];
  text = replaced(text, "kind: kernel", "kind: launch\nchange: block, grid\nmoves: 1");
  text = replaced(text, "grid: ceil(n / block_x)", "grid: 4");
  text = replaced(text, "n = 1000; block = 96\n", "");
  text = replaced(text, "; block = 32 | 64 | 100 | 256", "");
  const size_t stars = text.find("```stars"), files = text.find("```files");
  text.replace(stars, files - stars, "```goal\nlaunch.blocks <= 4096\n```\n\n");
  const size_t rows = text.find("starter.cu: starter");
  text.replace(rows, text.find("```", rows) - rows, "starter.cu: starter\nlaunch.cu: right\n");
  text = replaced(text, "-  out[i] = x[i] + y[i];", "-  if (i < n) out[i] = x[i] + y[i];");
  folder.files["challenge.md"] = text;
  folder.files["starter.cu"] = folder.files["right.cu"];
  folder.files["launch.cu"] = "// warplens: grid=ceil(n/256)\n";
  return folder;
}

TEST_F(JudgeTest, ALaunchIsJudgedAtEverySize) {
  auto opened = Judge::open(launch_challenge());
  ASSERT_TRUE(opened) << opened.error().message;
  const auto with = [&](const std::string& comment) {
    return opened->judge({"answer.cu", comment, "", "", "", ""}, {});
  };
  EXPECT_TRUE(with("// warplens: grid=ceil(n/256)").right()) << with("// warplens: grid=ceil(n/256)").message;
  EXPECT_EQ(with("// warplens: grid=floor(n/256)").reason == Reason::none, false);
  EXPECT_EQ(with("// warplens: grid=5").reason, Reason::mismatch);
  EXPECT_EQ(with("// warplens: grid=5000").reason, Reason::goal);
  EXPECT_EQ(with("// warplens: grid=ceil(n/128), block=128").reason, Reason::choice)
      << "two moves, one is allowed";
  EXPECT_EQ(with("// warplens: n=5").reason, Reason::choice);
  EXPECT_EQ(with("extern \"C\" __global__ void add() {}").reason, Reason::choice);
  EXPECT_FALSE(with("").right());
}

// --- hand-ins

TEST(HandIns, ReadBackAndTheirChecksumSeesChanges) {
  HandIn hand_in;
  hand_in.challenge = "bounds_check";
  hand_in.source = "int a;\n";
  hand_in.stars = 2;
  const std::string text = hand_in_text(hand_in);
  const auto read = read_hand_in(text, "a.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->checksum_fits);
  EXPECT_EQ(read->source, hand_in.source);
  EXPECT_EQ(read->stars, 2u);
  EXPECT_FALSE(read_hand_in(replaced(text, "int a", "int b"), "a.json")->checksum_fits);
  EXPECT_FALSE(read_hand_in("{}", "a.json"));
  EXPECT_FALSE(read_hand_in(std::string(100, '\0'), "a.cu"));
  EXPECT_FALSE(read_hand_in("", "a.cu"));
  EXPECT_FALSE(read_hand_in("x", "a.exe"));
}

// Files of a program that did not write progress, as the challenges' page once showed them.
TEST(HandIns, OlderOnesAreRead) {
  const auto old = read_hand_in(
      R"({"warplens_hand_in": 1, "challenge": "bounds_check", "language": "cuda", "name": "", "source": "int a;",
          "stars": 3, "seconds_spent": 340, "session": {}, "checksum": "9a0c"})",
      "a.json");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_TRUE(old->progress.is_null());
  EXPECT_EQ(old->seconds_spent, 340);
  HandIn plain;
  plain.source = "int a;";
  EXPECT_EQ(hand_in_text(plain).find("progress"), std::string::npos);
}

TEST(HandIns, CarryWhatWasDone) {
  HandIn hand_in;
  hand_in.progress = {{"warplens_progress", 1}, {"lessons", {{"who_am_i", {"point"}}}}};
  const auto read = read_hand_in(hand_in_text(hand_in), "a.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(Json::parse(read->progress.dump()), Json::parse(hand_in.progress.dump()));
  EXPECT_TRUE(read->checksum_fits);
  EXPECT_FALSE(read_hand_in(R"({"warplens_hand_in": 2, "source": ""})", "a.json")) << "of a newer program";
}

TEST(Similarity, SeesThroughNamesAndLayoutAndForgetsTheStarter) {
  for (const Folder& folder : embedded_folders("challenges"))
    if (folder.name == "block_sum") {
      const std::string starter = folder.files.at("starter.cu");
      const std::string& right = folder.files.at("right_tree.cu");
      std::string renamed = right;
      for (size_t at = 0; (at = renamed.find("sums", at)) != std::string::npos; at += 5)
        renamed.replace(at, 4, "cells");
      renamed = "// mine\n" + replaced(renamed, "  if", "\n\n if");
      EXPECT_GT(similarity(right, renamed, starter).value_or(0), 0.95);
      EXPECT_LT(similarity(right, folder.files.at("right_reduce_instruction.cu"), starter).value_or(0), 0.6);
      EXPECT_FALSE(similarity(starter, starter, starter)) << "nothing is left to compare";
    }
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
