// The parts of the Profile view's picture.
#pragma once

#include "app/views/profile/picture.h"

namespace warplens {

// The positions of a table's columns.
struct ProfileColumns {
  float name = 0;              // width of the names
  float unit = 0, value = 0;   // right edges
  float mark = 0;              // left edge
  float then = 0, change = 0;  // right edges; 0 without a baseline
  bool below = false;          // baseline and change stand on a line of their own
  bool stacked = false;        // the figure stands below the name
};
ProfileColumns profile_columns(const Style& style, Box box, const ProfilePictureInput& input);

// Each draws from the top of its box, and returns the y below it.
float draw_profile_column_heads(Picture& picture, const Style& style, Box box, const ProfileColumns& columns,
                                const ProfilePictureInput& input);
float draw_profile_row(Picture& picture, const Style& style, Box box, const ProfileColumns& columns,
                       size_t row, const ProfilePictureInput& input, ProfileLayout& layout);
float draw_profile_rule(Picture& picture, const Style& style, Box box, size_t rule,
                        const ProfilePictureInput& input, ProfileLayout& layout);
// A line for each rule, which leads to it.
float draw_profile_summary(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input);

// Whether a part of the picture is in sight.
inline bool is_seen(const ProfilePictureInput& input, float top, float bottom) {
  return bottom >= input.seen_top && top <= input.seen_bottom;
}

// The colour of a rule's sign: amber for wrong results and findings, red for faults, and for advice none of
// them.
uint32_t colour_of_rule(const Palette& palette, const profile::Rule& rule);

}  // namespace warplens
