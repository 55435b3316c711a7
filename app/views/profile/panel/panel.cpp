#include "app/views/profile/panel/panel.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/views/model/baseline.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/job/sm_pass.h"

namespace warplens {

namespace {

constexpr size_t launches_at_once = 4;  // more are computed on another thread
constexpr std::string_view part_names[] = {"details", "raw"};

std::shared_ptr<const ProfileView> view_of(const std::shared_ptr<const RunResult>& result, size_t launch,
                                           Built<ProfileKey, ProfileView>& built) {
  return built.get({result, launch}, result->launches.size() <= launches_at_once,
                   [result, launch] { return view_profile(*result, launch); });
}

// The result with the states of warps, once they are modelled.
std::shared_ptr<const RunResult> modelled(const std::shared_ptr<const RunResult>& result,
                                          Built<std::shared_ptr<const RunResult>, RunResult>& built) {
  const auto whole = built.get(result, false, [result] {
    Result<RunResult> with = with_sm(*result, {});
    return with ? *std::move(with) : *result;
  });
  return whole && whole->request == result->request ? whole : result;
}

// What is not known at all, and what the profiler has on no page, is closed at first.
void close_what_is_empty(ProfilePanelState& own) {
  if (own.opened_once) return;
  own.opened_once = true;
  for (const profile::Section& section : profile::metric_table().sections)
    if (!section.why.empty() || section.by_name) own.closed.insert(section.id);
}

void draw_search(ProfilePanelState& own) {
  const float clear = own.search.empty() ? 0 : chip_width("clear") + scaled(8);
  ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x - clear, scaled(520)));
  ImGui::InputTextWithHint(
      "##search", shown("find a metric: l1tex__t_sectors…, bank conflicts, occupancy").c_str(), &own.search);
  if (own.search.empty()) return;
  ImGui::SameLine(0, scaled(8));
  if (chip("clear")) own.search.clear();
}

void draw_nearest(ProfilePanelState& own, const FoundMetrics& found) {
  quiet_text("No metric of this page has all of these words. The nearest names:");
  for (const std::string& name : found.nearest)
    if (link(name + "##nearest")) own.search = name;
}

// Brings a metric into view: its section opens, and a search that hides it ends.
void lead_to(const profile::Metric* metric, ProfilePanelState& own) {
  if (metric == nullptr) return;
  own.search.clear();
  own.closed.erase(metric->section);
  own.chosen = own.to_metric = metric;
}

void lead_to_rule(size_t rule, const ProfileView& view, ProfilePanelState& own) {
  if (rule >= view.rules.size()) return;
  own.closed.erase(view.rules[rule].section);
  own.to_rule = rule;
}

void turn_sections(ProfilePanelState& own) {
  if (!own.closed.empty()) return own.closed.clear();
  for (const profile::Section& section : profile::metric_table().sections) own.closed.insert(section.id);
}

void take_fix(const AppState& state, const ProfileView& view, uint64_t index, Actions& actions) {
  if (index >= view.rules.size() || !view.rules[index].warning) return;
  const size_t warning = *view.rules[index].warning;
  if (warning < state.runs.result->warnings.size())
    actions.push(ApplyFix{fix_of(state.runs.result->warnings[warning])});
}

void follow(const Click& click, const AppState& state, const ProfileView& view, ProfilePanelState& own,
            Actions& actions) {
  const std::optional<ProfileVerb> verb = click.as<ProfileVerb>();
  if (!verb) return;
  const std::string& about = click.about();
  const auto metric = [](std::string_view name) { return profile::metric_table().metric(name); };
  switch (*verb) {
    case ProfileVerb::metric:
      own.chosen = own.chosen == metric(about) ? nullptr : metric(about);
      return;
    case ProfileVerb::rests:  // "2:NAME": of a rule, its figure
      return lead_to(metric(about.substr(about.find(':') + 1)), own);
    case ProfileVerb::section:
      if (own.closed.erase(about) == 0) own.closed.insert(about);
      return;
    case ProfileVerb::page:
      own.page = static_cast<ProfilePage>(click.number());
      return;
    case ProfileVerb::copy:
      return ImGui::SetClipboardText(about.c_str());
    case ProfileVerb::all:
      return turn_sections(own);
    case ProfileVerb::pin:
      return actions.push(PinBaseline{state.runs.baseline ? 0 : state.runs.now.shown});
    case ProfileVerb::rule:
      return lead_to_rule(click.number(), view, own);
    case ProfileVerb::fix:
      return take_fix(state, view, click.number(), actions);
    case ProfileVerb::launch:
      own.launch = click.number();
      return;
    case ProfileVerb::line: {
      Pick pick = state.selection.pinned;
      const auto line = static_cast<uint32_t>(click.number());
      pick.line = pick.line == line ? 0 : line;
      return actions.push(Pin{pick});
    }
  }
}

void scroll_to(const ProfileLayout& layout, ProfilePanelState& own) {
  float y = -1;
  for (const ProfileLayout::Row& row : layout.rows)
    if (own.to_metric != nullptr && row.metric == own.to_metric) y = row.box.y;
  for (const ProfileLayout::Rule& rule : layout.rules)
    if (own.to_rule == rule.rule) y = rule.box.y;
  own.to_metric = nullptr;
  own.to_rule.reset();
  if (y >= 0) ImGui::SetScrollY(std::max(0.0f, y - scaled(60)));
}

// A picture in a part of the panel that scrolls on its own.
template <class Draw>
Click draw_part(const char* name, float width, Draw draw) {
  Click click;
  ImGui::BeginChild(name, {width, 0}, ImGuiChildFlags_NavFlattened);
  click = draw();
  ImGui::EndChild();
  return click;
}

void draw_pages(const AppState& state, ProfilePanelState& own, ProfilePictureInput& input, Actions& actions) {
  const ProfileView& view = *input.view;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool beside = has_source_beside(window_style(), room);
  const auto see = [&] {
    input.seen_top = ImGui::GetScrollY() - scaled(60);
    input.seen_bottom = input.seen_top + ImGui::GetWindowHeight() + scaled(120);
  };
  const Click metric = draw_part("metrics", beside ? metrics_width(room) : 0, [&] {
    see();
    ProfileLayout layout;  // in the window
    const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
      ProfilePictureInput drawn = input;
      drawn.interactive = interactive;
      if (!interactive) {
        drawn.seen_top = 0;
        drawn.seen_bottom = FLT_MAX;
        return draw_profile_page(picture, style, box, drawn);
      }
      layout = draw_profile_metrics(picture, style, box, drawn);
      if (beside) return layout.bottom;
      return draw_profile_source(picture, style, {box.x, layout.bottom + style.px(8), box.width, 0}, drawn);
    };
    Click click =
        draw_scrolled({"profile", draw, [&] { return profile_table(view); }}, own.metrics, state, actions);
    scroll_to(layout, own);
    return click;
  });
  follow(metric, state, view, own, actions);
  if (!beside) return;
  ImGui::SameLine(0, scaled(24));
  const Click line = draw_part("source", 0, [&] {
    see();
    const auto draw = [&](Picture& picture, const Style& style, Box box, bool) {
      return draw_profile_source(picture, style, box, input);
    };
    return draw_scrolled({"profile_source", draw}, own.source, state, actions);
  });
  follow(line, state, view, own, actions);
}

}  // namespace

void draw_profile(const AppState& state, ProfilePanelState& own, Actions& actions) {
  own.metrics.textures.collect();
  own.source.textures.collect();
  follow_part(state, View::profile, own.part, [&](std::string_view part) {
    own.page = part == part_names[1] ? ProfilePage::raw : ProfilePage::details;
  });
  tell_part(View::profile, part_names[static_cast<size_t>(own.page)], own.part, actions);
  if (!state.runs.result) return quiet_text("No run yet: its profile appears with the first result.");
  const auto view = view_of(modelled(state.runs.result, own.modelled), own.launch, own.view);
  if (!view) {
    const std::string why = own.view.why_not("This view");
    return quiet_text(why.empty() ? "Working out the launches of the run…" : why);
  }
  close_what_is_empty(own);
  draw_search(own);
  ImGui::Dummy({0, scaled(4)});
  ProfilePictureInput input;
  input.view = view.get();
  input.closed = &own.closed;
  input.chosen = own.chosen;
  input.page = own.page;
  input.line = state.selection.shown().line;
  input.shown_is_baseline = state.runs.baseline && state.runs.baseline->serial == state.runs.now.shown;
  if (state.runs.baseline) input.baseline_label = state.runs.baseline->label;
  std::shared_ptr<const std::vector<ProfileChange>> changes;
  if (const RunRecord* baseline = baseline_of(state); baseline != nullptr && baseline->result) {
    const auto then = view_of(modelled(baseline->result, own.baseline_modelled), own.launch, own.baseline);
    if (then) changes = own.changes.get({view, then}, true, [&] { return compare_profiles(*view, *then); });
  }
  input.changes = changes.get();
  std::shared_ptr<const FoundMetrics> found;
  if (!own.search.empty()) {
    found = own.found.get({view, own.search}, true, [&] {
      FoundMetrics metrics{find_metrics(*view, own.search), {}};
      if (metrics.rows.empty()) metrics.nearest = nearest_metrics(*view, own.search);
      return metrics;
    });
    if (found && found->rows.empty()) return draw_nearest(own, *found);
  }
  if (found) input.found = &found->rows;
  draw_pages(state, own, input, actions);
}

std::unique_ptr<ViewPanel> make_profile_panel() { return make_panel<ProfilePanelState, draw_profile>(); }

}  // namespace warplens
