#include "app/state/parts/author.h"

#include <algorithm>
#include <filesystem>

#include "app/state/reducers/learn.h"
#include "core/lesson/format/words.h"

namespace warplens {
namespace {

using lesson::Show;
using lesson::Target;

void record_kernel(const AppState& state, Show& show) {
  if (!state.code.own) {
    show.kernel = state.setup.launch.kernel;
    return;
  }
  const auto& open = state.lesson.open;
  const auto file =
      open ? open->folder.files.find(state.code.name) : std::map<std::string, std::string>::iterator();
  const bool of_folder = open && file != open->folder.files.end();
  // A copy of a built-in kernel that was not changed is that kernel; else the text is a file of the folder.
  if (!of_folder && !state.code.copy_of.empty() && state.code.text == state.code.saved) {
    show.kernel = state.code.copy_of;
    return;
  }
  show.code = state.code.name;
  if (!state.code.entry.empty()) show.entry = state.code.entry;
}

void record_launch(const AppState& state, Show& show) {
  const KernelDescription* kernel = state.setup.kernel;
  if (kernel == nullptr) return;
  const KernelSetup& now = state.setup.launch;
  const KernelSetup usual = default_setup(*kernel);
  for (const auto& [name, value] : now.values) {
    const auto found = usual.values.find(name);
    if (found == usual.values.end() || found->second != value) show.values[name] = value;
  }
  if (now.block != usual.block) show.block = now.block;
  if (!now.fit_grid)
    show.grid = now.grid;
  else if (!usual.fit_grid)
    show.fit_grid = true;
  if (now.shared_dynamic_bytes != usual.shared_dynamic_bytes)
    show.shared_bytes = static_cast<uint32_t>(now.shared_dynamic_bytes);
  if (now.data_seed != usual.data_seed) show.seed = now.data_seed;
  if (state.setup.order != 0) show.order = state.setup.order;
  if (now.image_path != usual.image_path && !now.image_path.empty())
    show.image = std::filesystem::path(now.image_path).filename().string();
}

void record_pins(const AppState& state, Show& show) {
  const Pick& pinned = state.selection.pinned;
  std::vector<Target> pins;
  if (pinned.element && state.runs.result && state.runs.result->request &&
      pinned.element->buffer < state.runs.result->request->buffers.size()) {
    Target target;
    target.kind = Target::Kind::element;
    target.array = state.runs.result->request->buffers[pinned.element->buffer].name;
    target.index = pinned.element->index;
    pins.push_back(target);
  } else if (pinned.block) {
    Target target;
    target.kind = pinned.thread ? Target::Kind::thread : Target::Kind::block;
    target.block = *pinned.block;
    target.thread = pinned.thread.value_or(Dim3{0, 0, 0});
    pins.push_back(target);
  }
  if (pinned.line != 0 && state.frame.view != View::step) {
    Target target;
    target.kind = Target::Kind::line;
    target.index = pinned.line;
    pins.push_back(target);
  }
  if (!pins.empty()) show.pins = pins;
}

void record_view(const AppState& state, Show& show) {
  show.view = row_of(state.frame.view).name;
  const auto part = state.frame.parts.find(state.frame.view);
  const lesson::ViewWords* words = lesson::find_view(*show.view);
  if (words == nullptr) return show.view.reset();
  if (part != state.frame.parts.end() && std::ranges::find(words->parts, part->second) != words->parts.end())
    show.part = part->second;
  if (state.frame.view != View::step || !state.step.shown) return;
  lesson::StepPlace place;
  place.kind = lesson::StepPlace::Kind::position;
  place.value = state.step.shown->position;
  show.step = place;
  if (state.step.lane != 0) show.lane = state.step.lane;
}

}  // namespace

Show show_of(const AppState& state) {
  Show show;
  record_kernel(state, show);
  record_launch(state, show);
  const std::string of_lesson = state.lesson.is_open() ? state.lesson.open->lesson.device : std::string();
  const std::string usual = of_lesson.empty() ? built_in_devices().front().id : of_lesson;
  if (state.setup.device.id != usual) show.device = state.setup.device.id;
  record_view(state, show);
  record_pins(state, show);
  return show;
}

namespace detail {

void apply(AuthorState& author, const ShowAuthor& action) { author.on = action.on; }

void apply(AppState& state, const SaveLesson& action) {
  if (!state.author.has_file()) return;
  state.author.line = action.line;
  state.effects.add(effect::SaveLesson{state.author.folder, action.text});
}

}  // namespace detail
}  // namespace warplens
