#include "app/model/incident_marks.h"

#include <gtest/gtest.h>

#include "tests/app/fixtures.h"

namespace warplens {
namespace {

RunResult with_fault() {
  RunResult result = fixture::make_gray().result;
  Incident fault;
  fault.kind = IncidentKind::out_of_bounds;
  fault.message = "block (3,2,0) thread (1,0,0) writes 1 byte, just past the end of gray (3,072 bytes).";
  fault.file = "grayscale.cu";
  fault.line = 12;
  fault.block = {3, 2, 0};
  fault.thread = {1, 0, 0};
  fault.bytes = 1;
  fault.allocation = "gray";
  fault.offset = 3072;
  result.faults.push_back(fault);
  return result;
}

TEST(IncidentMarks, NameTheElementOfAFault) {
  const std::vector<IncidentMark> marks = incident_marks(with_fault());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_TRUE(marks[0].fault);
  EXPECT_EQ(marks[0].verb, "refused");
  EXPECT_EQ(marks[0].place, "gray[3072]");
  EXPECT_EQ(marks[0].buffer, 1u);
  EXPECT_EQ(marks[0].element, 3072u);
  EXPECT_TRUE(marks[0].is_of({3, 2, 0}, {1, 0, 0}));
  EXPECT_FALSE(marks[0].is_of({3, 2, 0}, {2, 0, 0}));
  EXPECT_EQ(incident_of_line(marks, "grayscale.cu", 12), &marks[0]);
  EXPECT_EQ(incident_of_line(marks, "grayscale.cu", 13), nullptr);
  EXPECT_EQ(incident_of_line(marks, "other.cu", 12), nullptr);
}

TEST(IncidentMarks, HaveBothSidesOfARace) {
  RunResult result = fixture::make_gray().result;
  Incident race, other;
  race.kind = other.kind = IncidentKind::race;
  race.thread = {1, 0, 0};
  race.line = 4;
  other.line = 5;
  race.allocation = other.allocation = "tile";
  race.offset = other.offset = 8;
  race.message = "Two threads.";
  race.other = std::make_shared<const Incident>(other);
  result.findings.push_back(race);
  const std::vector<IncidentMark> marks = incident_marks(result);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_FALSE(marks[0].fault);
  EXPECT_EQ(marks[0].verb, "race");
  EXPECT_EQ(marks[0].place, "tile, byte 8");
  EXPECT_FALSE(marks[0].buffer);
  EXPECT_EQ(marks[1].line, 5u);
  EXPECT_EQ(marks[1].message, "Two threads.");
  EXPECT_EQ(incident_marks(result, 1).size(), 1u);
}

TEST(IncidentMarks, OfAFaultWithoutAnAccessHaveNoPlace) {
  RunResult result = with_fault();
  result.faults[0].allocation.clear();
  result.faults[0].offset.reset();
  result.faults[0].bytes = 0;
  result.faults[0].kind = IncidentKind::trap;
  EXPECT_EQ(incident_marks(result)[0].place, "");
  EXPECT_EQ(incident_marks(result)[0].verb, "stopped");
}

}  // namespace
}  // namespace warplens
