// The facts about a program: each name of the table in docs/lessons.md, and what is counted in a recording.
#include "core/lesson/goals/program_facts.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/system/files.h"
#include "tests/paths.h"

namespace warplens::lesson {
namespace THIS_FILE {

using recording::Event;

Event copy(const char* way, double begin, double end, uint64_t stream) {
  Event event;
  event.kind = Event::Kind::copy;
  event.name = way;
  event.bytes = 100;
  event.begin_us = begin;
  event.device_us = end - begin;
  event.stream = stream;
  return event;
}

Event kernel(double begin, double end, uint64_t stream) {
  Event event = copy("grow", begin, end, stream);
  event.kind = Event::Kind::launch;
  return event;
}

ProgramOutcome outcome_of(std::vector<Event> events) {
  auto made = std::make_shared<recording::Recording>();
  made->events = std::move(events);
  ProgramOutcome outcome;
  outcome.recording = std::move(made);
  return outcome;
}

double value(const ProgramOutcome& outcome, const char* name) {
  Facts facts;
  add_program(facts, "", &outcome);
  const auto found = value_of(name, facts);
  return found && *found ? **found : -1;
}

TEST(ProgramFacts, AreThoseOfTheTable) {
  const Result<std::string> page =
      read_text((test_files::source_dir() / "docs/lessons.md").string(), 1 << 20);
  ASSERT_TRUE(page);
  const size_t begin = page->find("### Facts about a program"), end = page->find("\n## ", begin);
  std::set<std::string> listed, known;
  const std::string part = page->substr(begin, end - begin);
  for (size_t at = part.find("| `program."); at != part.npos; at = part.find("| `program.", at + 1)) {
    const std::string cell = part.substr(at + 2, part.find('|', at + 2) - at - 2);
    for (size_t i = cell.find('`'); i != cell.npos; i = cell.find('`', i + 1)) {
      const size_t close = cell.find('`', i + 1);
      listed.insert(cell.substr(i + 1, close - i - 1));
      i = close;
    }
  }
  const Facts all = facts_of({});
  for (const std::string_view name : all.names())
    if (name.starts_with("program.")) known.emplace(name);
  EXPECT_EQ(listed, known);
  EXPECT_GT(known.size(), 20u);
}

TEST(ProgramFacts, CountCopiesStreamsAndOverlap) {
  const ProgramOutcome outcome =
      outcome_of({copy("host to device", 0, 10, 1), kernel(10, 30, 1), copy("host to device", 10, 20, 2),
                  kernel(30, 50, 2), copy("device to host", 45, 65, 1)});
  EXPECT_EQ(value(outcome, "program.copies"), 3);
  EXPECT_EQ(value(outcome, "program.copies_in"), 2);
  EXPECT_EQ(value(outcome, "program.bytes_out"), 100);
  EXPECT_EQ(value(outcome, "program.launches"), 2);
  EXPECT_EQ(value(outcome, "program.streams"), 2);
  EXPECT_EQ(value(outcome, "program.time"), 65);
  EXPECT_EQ(value(outcome, "program.copy_time"), 40);
  EXPECT_EQ(value(outcome, "program.kernel_time"), 40);
  EXPECT_EQ(value(outcome, "program.overlap"), 37.5) << "10 and 5 of 40 µs";
}

TEST(ProgramFacts, AreUnknownWithoutARun) {
  Facts facts;
  add_program(facts, "", nullptr);
  EXPECT_FALSE(*holds("program.missing_waits == 0", facts)) << "nothing was run yet";
  ProgramOutcome broken;
  broken.compiles = false;
  EXPECT_EQ(value(broken, "program.compiles"), 0);
  EXPECT_EQ(value(broken, "program.missing_waits"), -1);
}

TEST(ProgramFacts, LinesOfTheOutputAreFound) {
  EXPECT_TRUE(has_lines("a\n0 wrong \n", "0 wrong"));
  EXPECT_FALSE(has_lines("10 wrong\n", "0 wrong"));
  EXPECT_TRUE(has_lines("", ""));
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
