// The words of lessons for views and their parts are those of the program.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/views.h"
#include "app/views/code/forms.h"
#include "app/views/grid/picture.h"
#include "app/views/image/picture.h"
#include "core/lesson/format/words.h"

namespace warplens {
namespace THIS_FILE {

TEST(LessonWords, EveryViewIsOneOfTheWindow) {
  for (const lesson::ViewWords& view : lesson::view_words()) EXPECT_TRUE(tab_from(view.name)) << view.name;
}

TEST(LessonWords, PartsAreThoseOfTheirViews) {
  for (const std::string_view part : lesson::find_view("grid")->parts)
    EXPECT_TRUE(grid_level_from(part)) << part;
  for (const std::string_view part : lesson::find_view("image")->parts)
    EXPECT_TRUE(image_mode_from(part)) << part;
  for (const std::string_view part : lesson::find_view("code")->parts)
    EXPECT_TRUE(part == "cuda" || part == "ptx" || code_form_from(part)) << part;
  for (const lesson::ViewWords& view : lesson::view_words())
    for (const std::string_view part : view.parts)
      EXPECT_NE(std::ranges::find(lesson::all_part_names(), part), lesson::all_part_names().end()) << part;
}

}  // namespace THIS_FILE
}  // namespace warplens
