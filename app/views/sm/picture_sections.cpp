#include "app/views/sm/picture_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/views/sm/bars.h"

namespace warplens {
namespace {

constexpr double least_share = 0.005;  // of the warps' cycles, for a state to be in the legend

bool is_checked(const SmView* view) { return view == nullptr || view->model->states->checked; }

// What is compared with it: another number of warps, or the pinned run. And whether that can be trusted.
std::string second_sentence(const SmPictureInput& input) {
  std::string sentence = sm_other_sentence(*input.view);
  if (input.baseline != nullptr)
    sentence = fmt::format("In run {}, with {}, it is {}.", input.baseline_label,
                           threads_text(*input.baseline), sm_hundredths(input.baseline->issue_slots()));
  if (is_checked(input.view) && is_checked(input.baseline)) return sentence;
  return sentence + (sentence.empty() ? "" : " ") + "This is not checked on hardware.";
}

double share_of(const SmView& view, WarpState state) { return view.shares[static_cast<size_t>(state)]; }

// Issuing and being ready, then what takes the most time.
std::vector<WarpState> in_legend(const SmPictureInput& input) {
  const auto share = [&](WarpState state) {
    return std::max(share_of(*input.view, state),
                    input.baseline != nullptr ? share_of(*input.baseline, state) : 0);
  };
  std::vector<WarpState> states;
  for (size_t s = 0; s < warp_states; ++s)
    if (share(static_cast<WarpState>(s)) >= least_share) states.push_back(static_cast<WarpState>(s));
  const auto waits = std::ranges::find_if(states, [](WarpState s) { return s > WarpState::not_selected; });
  std::ranges::sort(waits, states.end(), [&](WarpState a, WarpState b) { return share(a) > share(b); });
  return states;
}

}  // namespace

std::string threads_text(const SmView& view) {
  return fmt::format("{} threads a block", extent_text(view.block));
}

std::vector<Chip> chips_of_sm(const SmPictureInput& input) {
  std::vector<Chip> chips;
  chips.push_back({input.playing ? "pause" : "play",
                   input.playing ? SmVerb::pause : SmVerb::play,
                   "Go through the cycles as slowly as you like (Space)",
                   input.playing,
                   {}});
  chips.push_back({"–", SmVerb::slower, "Half as many cycles a second (,)", false, {}, ChipKind::tool, true});
  chips.push_back({"+", SmVerb::faster, "Twice as many cycles a second (.)", false, {}, ChipKind::tool});
  chips.push_back({"zoom in",
                   SmVerb::nearer,
                   "Fewer cycles, each of them wider (+ or the wheel)",
                   false,
                   {},
                   ChipKind::tool,
                   true});
  chips.push_back({"zoom out", SmVerb::farther, "More cycles (-)", false, {}, ChipKind::tool});
  if (input.range)
    chips.push_back(
        {"all of it", SmVerb::all_time, "All cycles of these blocks (F)", false, {}, ChipKind::tool});
  chips.push_back({"all schedulers",
                   SmVerb::all_schedulers,
                   "The warps of all schedulers, or of one",
                   !input.scheduler.has_value(),
                   {},
                   ChipKind::on_off});
  chips.push_back({input.pinned ? "unpin baseline " + input.baseline_label : "pin as baseline",
                   SmVerb::pin,
                   input.pinned ? "No longer draw this run above the shown one"
                                : "Draw this run above the next ones, in the same scale",
                   input.pinned,
                   {}});
  chips.push_back(
      {"save…", SaveVerb::save, "Save this picture as PNG or SVG, or what each warp does as CSV", false, {}});
  return chips;
}

float draw_sm_sentence(Picture& picture, const Style& style, Box box, const SmPictureInput& input,
                       bool cramped) {
  const Palette& p = style.palette;
  const float tag = source_tag_width(style, Provenance::modelled);
  const float large = style.px(cramped ? 17.0f : 22.0f), small = style.px(cramped ? 15.0f : 18.0f);
  const std::string sentence = sm_sentence(*input.view), more = second_sentence(input);
  float y = draw_paragraph(picture, style, {box.x, box.y}, sentence, Font::strong, large, solid(p.text),
                           box.width) +
            style.px(2);
  const float line = y;
  if (!more.empty())
    y = draw_paragraph(picture, style, {box.x, y}, more, Font::words, small, solid(p.text), box.width);
  // How it was had, and of how many blocks, in what room is left.
  const std::string sample = input.baseline == nullptr ? sm_sample_text(*input.view) : std::string();
  const float words = style.width(sample, Font::words, style.small()) + style.px(10);
  const float used = more.empty() ? 0 : style.width(more, Font::words, small) + style.px(20);
  const bool beside = used + tag + words <= box.width;
  const float x = beside ? box.x + used : box.x,
              at = (beside ? line : y) + style.px(beside && used > 0 ? 4.0f : 0.0f);
  draw_source_tag(
      picture, style, {x, at}, Provenance::modelled,
      "A model of one SM replays what its blocks executed, cycle by cycle. On a real GPU the numbers "
      "differ: docs/sm-model.md says by how much.");
  if (!sample.empty())
    picture.text({x + tag + style.px(10), at + style.px(1)},
                 shortened(style, sample, Font::words, style.small(), box.right() - x - tag - style.px(10)),
                 Font::words, style.small(), solid(p.quiet));
  if (!beside || used == 0) y = at + style.px(24);
  return y + style.px(8);
}

float draw_sm_legend(Picture& picture, const Style& style, Box box, const SmPictureInput& input,
                     int most_lines) {
  const Palette& p = style.palette;
  float x = box.x, y = box.y;
  const float sample = style.px(26), size = style.small(), line = style.px(24);
  for (const WarpState state : in_legend(input)) {
    const std::string percent = fmt::format("{:.0f} %", 100 * share_of(*input.view, state));
    const float beside = sample + style.px(14) + style.width(percent, Font::mono, size);
    std::string words = words_of(state).one;
    if (beside + style.width(words, Font::words, size) > box.width) words = words_of(state).brief;
    const float width = beside + style.width(words, Font::words, size);
    if (x > box.x && x + width > box.right()) {
      if (--most_lines == 0) break;  // the tips have them
      x = box.x;
      y += line;
    }
    draw_sm_swatch(picture, style, {x, y, sample, style.px(20)}, state);
    const float middle = y + style.px(10);
    picture.text({x + sample + style.px(8), middle}, words, Font::words, size, solid(p.text), AlignX::left,
                 AlignY::middle);
    picture.text({x + width, middle}, percent, Font::mono, size, solid(p.quiet), AlignX::right,
                 AlignY::middle);
    picture.area({x, y, width, style.px(20)}, {},
                 std::string(text_of(state).title) + " · " + percent + " of the cycles of all warps ≈");
    x += width + style.px(20);
  }
  return y + line + style.px(6);
}

void draw_sm_overview(Picture& picture, const Style& style, Box box, const SmView& view,
                      const SmLayout& layout) {
  const Palette& p = style.palette;
  picture.rectangle(box, solid(p.raised), 0, solid(p.line));
  uint32_t most = 1;
  for (const auto& [cycle, warps] : view.resident) most = std::max(most, warps);
  const double cycles = layout.end / double(std::max(1.0f, std::floor(box.width / 2)));
  size_t at = 0;
  uint32_t now = 0;
  const auto height_of = [&](uint32_t warps) { return (box.height - 2) * float(warps) / float(most); };
  float begin = box.x;
  uint32_t drawn = 0;
  const auto flush = [&](float x) {
    const float height = height_of(drawn);
    if (drawn > 0 && x > begin)
      picture.rectangle({begin, box.bottom() - 1 - height, x - begin, height}, solid(p.quiet, 0.6f));
    begin = x;
  };
  for (double from = 0; from < layout.end; from += cycles) {
    while (at < view.resident.size() && view.resident[at].first <= from) now = view.resident[at++].second;
    if (now == drawn) continue;
    flush(box.x + box.width * float(from / layout.end));
    drawn = now;
  }
  flush(box.right());
  const auto x_of = [&](double cycle) { return box.x + box.width * float(cycle / layout.end); };
  const float from = x_of(layout.range.from), to = x_of(layout.range.to);
  picture.rectangle({from - 1, box.y - 2, std::max(4.0f, to - from + 2), box.height + 4},
                    solid(p.accent, 0.18f), 2, solid(p.accent), style.px(2));
}

}  // namespace warplens
