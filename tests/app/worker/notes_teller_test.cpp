// The teacher's notes follow the step that the window shows.
#include "app/worker/notes_teller.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NotesOfTheStep : public testing::Test {
 protected:
  // The next notes that are said; empty if none come.
  std::string next() {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
      drive_notes(state, teller);
      const std::lock_guard lock(mutex);
      if (heard < said.size()) return said[heard++];
      std::this_thread::yield();
    }
    return "";
  }
  // What is said first of a step that comes next; empty if nothing is.
  lesson::StepText next_step() {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
      {
        const std::lock_guard lock(mutex);
        if (!next_steps.empty()) return next_steps.front();
      }
      std::this_thread::sleep_for(5ms);
    }
    return {};
  }
  bool silent(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      drive_notes(state, teller);
      std::this_thread::sleep_for(5ms);
    }
    const std::lock_guard lock(mutex);
    return heard == said.size();
  }

  AppState state = *initial_state("vector_add", "");
  std::mutex mutex;
  std::vector<std::string> said;
  size_t heard = 0;
  std::vector<lesson::StepText> next_steps;
  NotesTeller teller{[this](const std::string& notes) {
                       const std::lock_guard lock(mutex);
                       said.push_back(notes);
                     },
                     [this](const lesson::StepText& next) {
                       const std::lock_guard lock(mutex);
                       next_steps.push_back(next);
                     }};
};

TEST_F(NotesOfTheStep, AreSaidOnceWhenItIsShown) {
  EXPECT_TRUE(silent(50ms)) << "no lesson is open";
  update(state, OpenLesson{"who_am_i", 0});
  const std::string first = next();
  EXPECT_THAT(first, StartsWith("Who am I?\n"));
  EXPECT_THAT(first, HasSubstr("Page Down"));
  EXPECT_THAT(first, HasSubstr("\n1. Point at a thread\n"));
  EXPECT_THAT(first, HasSubstr("Let one person come to the screen"));
  EXPECT_TRUE(silent(100ms)) << "the same step is not said twice";
  update(state, GoToStep{1});
  const std::string second = next();
  EXPECT_THAT(second, StartsWith("2. The same number again\n→ thread (2, 0, 0) of block (1, 0, 0)\n→ B: "));
  EXPECT_THAT(second, Not(HasSubstr("Page Down"))) << "the keys stand at the head of the lesson";
  update(state, GoToStep{0});
  EXPECT_THAT(next(), StartsWith("1. Point at a thread\n")) << "going back";
}

// The class must not see what is hidden; the teacher reads it.
TEST_F(NotesOfTheStep, HaveTheNumbersThatTheStepHides) {
  update(state, OpenLesson{"who_am_i", 6});
  const std::string notes = next();
  EXPECT_THAT(notes, HasSubstr("7. Predict: how many blocks?\n→ 4 blocks\n→ 24 threads\n"));
}

TEST_F(NotesOfTheStep, ComeWithTheTextOfTheNextStepAndItsNumbers) {
  update(state, OpenLesson{"who_am_i", 2});
  ASSERT_FALSE(next().empty());
  const lesson::StepText told = next_step();
  EXPECT_EQ(told.number, 3u);
  EXPECT_EQ(told.title, "Two threads have no work");
  EXPECT_THAT(told.text, HasSubstr("Now the array has only 10 elements"));
  update(state, GoToStep{state.lesson.open->lesson.steps.size() - 1});
  ASSERT_FALSE(next().empty());
  EXPECT_TRUE(silent(100ms));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(next_steps.size(), 1u) << "nothing comes after the last step";
}

TEST_F(NotesOfTheStep, EndWhileTheyAreMade) {
  for (size_t step = 0; step < 8; ++step) {
    update(state, OpenLesson{"occupancy", step});
    drive_notes(state, teller);
  }
  update(state, CloseLesson{});
  drive_notes(state, teller);
  update(state, OpenLesson{"sums", 3});
  // A step whose notes were ready before it was left is said, no other one; and this one at last.
  std::string last = next();
  while (!last.empty() && !last.starts_with("Adding up")) last = next();
  EXPECT_THAT(last, HasSubstr("\n4. "));
  EXPECT_TRUE(silent(100ms));
}

}  // namespace THIS_FILE
}  // namespace warplens
