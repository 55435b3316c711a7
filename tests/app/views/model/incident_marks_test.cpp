#include "app/views/model/incident_marks.h"

#include <gtest/gtest.h>

#include "app/base/draw/save_picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

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

// A fault has a red cross, a finding a dot in the colour of text.
TEST(IncidentMarks, DifferInColourAndShape) {
  const Style style = paper_style(Theme::dark);
  const auto draw = [&](bool fault) {
    IncidentMark mark;
    mark.fault = fault;
    Picture picture;
    draw_incident_mark(picture, style, {10, 10, 60, 60}, mark);
    size_t lines = 0, red = 0;
    for (const Shape& shape : picture.shapes) {
      lines += std::holds_alternative<Path>(shape) ? 1 : 0;
      if (const auto* box = std::get_if<Rectangle>(&shape))
        red += box->fill.rgb == style.palette.fault || box->line.rgb == style.palette.fault ? 1 : 0;
    }
    return std::pair{lines, red > 0};
  };
  EXPECT_EQ(draw(true), (std::pair{size_t{2}, true}));
  EXPECT_EQ(draw(false), (std::pair{size_t{0}, false}));
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

}  // namespace THIS_FILE
}  // namespace warplens
