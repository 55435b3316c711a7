// Modelled against measured times (warplens render times).
#include "app/views/timing/times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/base/draw/save_picture.h"

namespace warplens {
namespace THIS_FILE {

constexpr const char* four = R"({"device": "NVIDIA H200", "band": 1.5, "launches": [
  {"kernel": "same", "set": "held out", "measured_us": 10, "modelled_us": 10},
  {"kernel": "near", "set": "held out", "measured_us": 100, "modelled_us": 110},
  {"kernel": "far", "set": "held out", "measured_us": 1000, "modelled_us": 2000},
  {"kernel": "far", "set": "seen", "measured_us": 1000, "modelled_us": 500}]})";

TEST(TimedPoints, MiddleErrorIsOfTheSet) {
  const Result<TimedPoints> points = parse_timed_points(four, "times.json");
  ASSERT_TRUE(points) << points.error().message;
  EXPECT_DOUBLE_EQ(middle_error(*points, "held out"), 0.1);
  EXPECT_DOUBLE_EQ(middle_error(*points, "seen"), 0.5);
  EXPECT_EQ(middle_error(*points, "none"), 0);
}

TEST(TimedPoints, EqualTimesAreOnTheDiagonalAndLongerOnesAboveIt) {
  const Result<TimedPoints> points = parse_timed_points(four, "times.json");
  ASSERT_TRUE(points);
  Picture picture;
  std::vector<Point> dots;
  const float bottom =
      draw_timed_points(picture, paper_style(Theme::light), {0, 0, 700, 700}, *points, &dots);
  EXPECT_LE(bottom, 700.5f);
  ASSERT_EQ(dots.size(), 4u);
  // The axes are alike: a factor is as long to the right as it is up.
  const float across = dots[1].x - dots[0].x, up = dots[0].y - dots[1].y;
  EXPECT_GT(across, 0);
  EXPECT_GT(up, across * 0.5f);
  EXPECT_LT(dots[2].y, dots[3].y) << "a modelled time that is too long is above one that is too short";
  std::string words;
  for (const Shape& shape : picture.shapes)
    if (const Text* text = std::get_if<Text>(&shape)) words += text->words + "\n";
  EXPECT_THAT(words, testing::HasSubstr("held out: 3 launches"));
  EXPECT_THAT(words, testing::HasSubstr("within 10.0 %"));
  EXPECT_THAT(words, testing::HasSubstr("far")) << "the band does not hold it, so it is named";
  EXPECT_THAT(words, testing::Not(testing::HasSubstr("near")));
}

TEST(TimedPoints, WrongFilesAreRefusedWithThePlace) {
  const auto refused = [](const char* text) {
    const Result<TimedPoints> points = parse_timed_points(text, "times.json");
    return points ? std::string("taken") : points.error().message;
  };
  const auto launch = [](const char* times, const char* set = "a") {
    return std::string(R"({"device": "d", "band": 1, "launches": [{"kernel": "k", "set": ")") + set +
           R"(", )" + times + "}]}";
  };
  EXPECT_THAT(refused("{"), testing::HasSubstr("times.json"));
  EXPECT_THAT(refused("[]"), testing::HasSubstr("must be an object"));
  EXPECT_THAT(refused("{}"), testing::HasSubstr("device"));
  EXPECT_THAT(refused(R"({"device": "d", "band": 0.5, "launches": []})"), testing::HasSubstr("band"));
  EXPECT_THAT(refused(R"({"device": "d", "band": 1, "launches": []})"), testing::HasSubstr("launches"));
  for (const char* times : {R"("measured_us": 0, "modelled_us": 1)", R"("measured_us": -1, "modelled_us": 1)",
                            R"("measured_us": "nan", "modelled_us": 1)"})
    EXPECT_THAT(refused(launch(times).c_str()), testing::HasSubstr("launches[0].measured_us")) << times;
  EXPECT_THAT(refused(launch(R"("measured_us": 1, "modelled_us": "inf")").c_str()),
              testing::HasSubstr("launches[0].modelled_us"));
  EXPECT_EQ(refused(launch(R"("measured_us": 1, "modelled_us": 1)").c_str()), "taken");
}

// One launch only: the axes still have a length.
TEST(TimedPoints, OneLaunchIsDrawn) {
  const Result<TimedPoints> points = parse_timed_points(
      R"({"device": "d", "band": 1, "launches": [{"kernel": "k", "set": "a", "measured_us": 7, "modelled_us": 7}]})",
      "t");
  ASSERT_TRUE(points);
  Picture picture;
  std::vector<Point> dots;
  draw_timed_points(picture, paper_style(Theme::dark, 2.5f), {0, 0, 400, 300}, *points, &dots);
  ASSERT_EQ(dots.size(), 1u);
  EXPECT_TRUE(std::isfinite(dots[0].x) && std::isfinite(dots[0].y));
}

}  // namespace THIS_FILE
}  // namespace warplens
