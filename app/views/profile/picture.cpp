#include "app/views/profile/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/profile/picture_sections.h"

namespace warplens {

namespace {

using profile::Mark;

std::string counts_text(const ProfileView& view) {
  return fmt::format("{} figures are exact, {} modelled, {} not known without a GPU.",
                     view.of_mark(Mark::exact), view.of_mark(Mark::modelled), view.of_mark(Mark::not_known));
}

std::vector<Chip> page_chips(const ProfilePictureInput& input) {
  const ProfileView& view = *input.view;
  std::vector<Chip> chips = {
      {"details",
       Click(ProfileVerb::page, static_cast<uint64_t>(ProfilePage::details), "details"),
       "The sections of ncu's details page, with the rules",
       input.page == ProfilePage::details,
       {},
       ChipKind::mode},
      {"raw",
       Click(ProfileVerb::page, static_cast<uint64_t>(ProfilePage::raw), "raw"),
       "Every metric by its name, as on ncu's raw page",
       input.page == ProfilePage::raw,
       {},
       ChipKind::mode}};
  if (input.page == ProfilePage::details && input.found == nullptr) {
    const bool any = input.closed != nullptr && !input.closed->empty();
    chips.push_back({any ? "open all" : "close all", ProfileVerb::all, "All sections at once", false, {}});
  }
  const bool pinned = !input.baseline_label.empty();
  chips.push_back({pinned ? "unpin baseline " + input.baseline_label : "pin as baseline",
                   ProfileVerb::pin,
                   pinned ? "No longer hold every figure against this run"
                          : "Hold the figures of the next runs against this one, as ncu's baselines do",
                   pinned,
                   {}});
  if (view.launches > 1) {
    const auto go = [&](const char* label, size_t to, bool exists) {
      if (exists)
        chips.push_back({label, Click(ProfileVerb::launch, to), "Another launch of the run", false, {}});
    };
    go("‹ launch before", view.launch - 1, view.launch > 0);
    go("next launch ›", view.launch + 1, view.launch + 1 < view.launches);
  }
  chips.push_back(
      {"save…", SaveVerb::save, "Save this page as PNG or SVG, or its figures as CSV", false, {}});
  return chips;
}

float draw_page_head(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input) {
  const ProfileView& view = *input.view;
  const Palette& p = style.palette;
  float y = draw_paragraph(picture, style, {box.x, box.y}, "WHAT NSIGHT COMPUTE (NCU) PRINTS OF THIS LAUNCH",
                           Font::strong, style.small(), solid(p.quiet), box.width) +
            style.px(4);
  const std::string launch =
      view.launches > 1 ? fmt::format(" · launch {} of {}", view.launch + 1, view.launches) : "";
  y = draw_paragraph(picture, style, {box.x, y}, view.kernel + launch, Font::strong, style.px(22),
                     solid(p.text), box.width);
  y = draw_paragraph(picture, style, {box.x, y}, view.launch_words + ". " + counts_text(view), Font::words,
                     style.body(), solid(p.quiet), box.width);
  if (!view.incomplete.empty())
    y = draw_paragraph(picture, style, {box.x, y}, view.incomplete, Font::words, style.body(), solid(p.text),
                       box.width);
  if (input.shown_is_baseline)
    y = draw_paragraph(picture, style, {box.x, y},
                       fmt::format("This is run {}, the baseline: change something, and the change in "
                                   "percent is shown next to each figure.",
                                   input.baseline_label),
                       Font::words, style.body(), solid(p.text), box.width);
  y += style.px(8);
  if (input.interactive)
    y = draw_chips(picture, style, {box.x, y, box.width, 0}, page_chips(input)) + style.px(14);
  return y;
}

struct SectionRows {
  const profile::Section* section = nullptr;
  std::vector<size_t> rows, rules;
  size_t known = 0;
};

SectionRows rows_of(const profile::Section& section, const ProfilePictureInput& input) {
  SectionRows all{&section, {}, {}, 0};
  const std::vector<ProfileRow>& rows = input.view->rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].metric->section != section.id) continue;
    if (input.found != nullptr && std::ranges::find(*input.found, i) == input.found->end()) continue;
    all.rows.push_back(i);
    all.known += rows[i].value ? 1 : 0;
  }
  if (input.found == nullptr)
    for (size_t i = 0; i < input.view->rules.size(); ++i)
      if (input.view->rules[i].section == section.id) all.rules.push_back(i);
  return all;
}

void draw_triangle(Picture& picture, const Style& style, Point middle, bool open) {
  const float r = style.px(4.5f);
  Path path;
  path.points = open ? std::vector<Point>{{middle.x - r, middle.y - r / 2},
                                          {middle.x + r, middle.y - r / 2},
                                          {middle.x, middle.y + r * 0.8f}}
                     : std::vector<Point>{{middle.x - r / 2, middle.y - r},
                                          {middle.x - r / 2, middle.y + r},
                                          {middle.x + r * 0.8f, middle.y}};
  path.closed = true;
  path.fill = solid(style.palette.quiet);
  picture.shapes.emplace_back(std::move(path));
}

float draw_section_head(Picture& picture, const Style& style, Box box, const SectionRows& rows, bool open,
                        const ProfilePictureInput& input) {
  const Palette& p = style.palette;
  const Box place{box.x, box.y, box.width, style.px(30)};
  picture.rectangle(place, solid(p.raised), style.px(4));
  draw_triangle(picture, style, {place.x + style.px(12), place.centre().y}, open);
  std::string words =
      rows.rows.empty() ? "not known" : fmt::format("{} of {} known", rows.known, rows.rows.size());
  if (!rows.rules.empty()) words += " · " + count_text(rows.rules.size(), "rule", "rules");
  const float width = style.width(words, Font::words, style.small());
  picture.text({place.right() - style.px(10), place.centre().y}, words, Font::words, style.small(),
               solid(rows.rules.empty() ? p.quiet : p.text), AlignX::right, AlignY::middle);
  picture.text(
      {place.x + style.px(24), place.centre().y},
      shortened(style, rows.section->name, Font::strong, style.body(), place.width - width - style.px(50)),
      Font::strong, style.body(), solid(p.text), AlignX::left, AlignY::middle);
  picture.area(
      place,
      input.interactive && input.found == nullptr ? Click(ProfileVerb::section, rows.section->id) : Click(),
      "--section " + rows.section->id);
  return place.bottom() + style.px(6);
}

float draw_section(Picture& picture, const Style& style, Box box, const SectionRows& rows,
                   const ProfileColumns& columns, const ProfilePictureInput& input, ProfileLayout& layout) {
  const bool open =
      input.found != nullptr || input.closed == nullptr || !input.closed->contains(rows.section->id);
  float y = draw_section_head(picture, style, box, rows, open, input);
  if (!open) return y;
  const auto at = [&](float top) { return Box{box.x, top, box.width, 0}; };
  if (const auto note = input.view->notes.find(rows.section->id); note != input.view->notes.end())
    y = draw_paragraph(picture, style, {box.x + style.px(22), y}, note->second, Font::words, style.small(),
                       solid(style.palette.quiet), box.width - style.px(22)) +
        style.px(4);
  if (!rows.rows.empty()) y = draw_profile_column_heads(picture, style, at(y), columns, input);
  std::string table;
  for (const size_t row : rows.rows) {
    const profile::Metric& metric = *input.view->rows[row].metric;
    if (metric.table != table) {
      y += style.px(6);
      picture.text({box.x + style.px(22), y}, metric.table, Font::strong, style.small(),
                   solid(style.palette.quiet));
      y += style.px(22);
    }
    table = metric.table;
    y = draw_profile_row(picture, style, at(y), columns, row, input, layout);
  }
  if (!rows.rules.empty()) y += style.px(8);
  for (const size_t rule : rows.rules) y = draw_profile_rule(picture, style, at(y), rule, input, layout);
  return y + style.px(10);
}

// By their names, as the profiler sorts them.
float draw_raw_rows(Picture& picture, const Style& style, Box box, const ProfileColumns& columns,
                    const ProfilePictureInput& input, ProfileLayout& layout) {
  const std::vector<ProfileRow>& rows = input.view->rows;
  std::vector<size_t> order;
  for (size_t i = 0; i < rows.size(); ++i)
    if (input.found == nullptr || std::ranges::find(*input.found, i) != input.found->end())
      order.push_back(i);
  std::ranges::sort(order, {}, [&](size_t i) { return std::string_view(rows[i].metric->name); });
  float y = draw_profile_column_heads(picture, style, box, columns, input);
  for (const size_t row : order)
    y = draw_profile_row(picture, style, {box.x, y, box.width, 0}, columns, row, input, layout);
  return y;
}

}  // namespace

bool has_source_beside(const Style& style, float width) { return width >= style.px(1000); }
float metrics_width(float width) { return width * 0.58f; }

ProfileLayout draw_profile_metrics(Picture& picture, const Style& style, Box box,
                                   const ProfilePictureInput& input) {
  ProfileLayout layout;
  if (!input.view->message.empty()) {
    layout.bottom = draw_paragraph(picture, style, {box.x, box.y}, input.view->message, Font::words,
                                   style.body(), solid(style.palette.quiet), box.width);
    return layout;
  }
  float y = draw_page_head(picture, style, box, input);
  const auto at = [&](float top) { return Box{box.x, top, box.width, 0}; };
  const ProfileColumns columns = profile_columns(style, box, input);
  if (input.page == ProfilePage::raw) {
    layout.bottom = draw_raw_rows(picture, style, at(y), columns, input, layout);
    return layout;
  }
  if (input.found == nullptr) y = draw_profile_summary(picture, style, at(y), input);
  for (const profile::Section& section : profile::metric_table().sections) {
    const SectionRows rows = rows_of(section, input);
    if (input.found != nullptr && rows.rows.empty()) continue;
    y = draw_section(picture, style, at(y), rows, columns, input, layout);
  }
  layout.bottom = y;
  return layout;
}

float draw_profile_page(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input) {
  if (!has_source_beside(style, box.width) || !input.view->message.empty()) {
    const float y = draw_profile_metrics(picture, style, box, input).bottom;
    return input.view->message.empty()
               ? draw_profile_source(picture, style, {box.x, y + style.px(8), box.width, 0}, input)
               : y;
  }
  const float left = metrics_width(box.width), space = style.px(24);
  const float metrics = draw_profile_metrics(picture, style, {box.x, box.y, left, box.height}, input).bottom;
  const Box beside{box.x + left + space, box.y, box.width - left - space, box.height};
  return std::max(metrics, draw_profile_source(picture, style, beside, input));
}

}  // namespace warplens
