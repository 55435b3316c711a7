#include "app/state/parts/pins.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/base/format.h"
#include "core/base/text_line.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

bool within(const Dim3& at, const Dim3& extent) {
  return at.x < extent.x && at.y < extent.y && at.z < extent.z;
}

// The line with the same text that is nearest. A line that was changed keeps its number.
uint32_t find_line(const PinnedThing& thing, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of_text(text);
  const auto is_same = [&](uint64_t line) {
    return line >= 1 && line <= lines.size() && lines[line - 1] == thing.line_text;
  };
  for (uint64_t away = 0; away <= lines.size(); ++away) {
    if (is_same(thing.line + away)) return static_cast<uint32_t>(thing.line + away);
    if (away < thing.line && is_same(thing.line - away)) return static_cast<uint32_t>(thing.line - away);
  }
  return thing.line <= lines.size() ? thing.line : 0;
}

uint64_t elements_of(const BufferSpec& spec) { return spec.bytes / std::max(bytes_of(spec.dtype), 1u); }

// Pictures of the same size are the same picture to the eye, also where another kernel names it otherwise.
std::optional<uint32_t> find_buffer(const PinnedElement& element, const LaunchRequest& request) {
  const auto& buffers = request.buffers;
  for (uint32_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].name == element.buffer) return i;
  for (uint32_t i = 0; i < buffers.size(); ++i)
    if (element.height > 1 && buffers[i].output == element.output && buffers[i].width == element.width &&
        buffers[i].height == element.height)
      return i;
  return std::nullopt;
}

std::optional<ElementPick> find_element(const PinnedElement& element, const LaunchRequest& request) {
  const std::optional<uint32_t> buffer = find_buffer(element, request);
  if (!buffer) return std::nullopt;
  const BufferSpec& spec = request.buffers[*buffer];
  uint64_t index = element.index;
  if (element.height > 1 && spec.height > 1) {
    const uint64_t cell = element.index / std::max(1u, element.channels);
    const uint64_t column = cell % element.width, row = cell / element.width;
    if (column >= spec.width || row >= spec.height) return std::nullopt;
    const uint64_t channel =
        std::min<uint64_t>(element.index % std::max(1u, element.channels), std::max(1u, spec.channels) - 1);
    index = (row * spec.width + column) * std::max(1u, spec.channels) + channel;
  }
  if (index >= elements_of(spec)) return std::nullopt;
  return ElementPick{*buffer, index};
}

std::string words_of(const PinnedElement& element) {
  if (element.height <= 1 || element.width == 0)
    return fmt::format("{}[{}]", element.buffer, with_separators(element.index));
  const uint64_t cell = element.index / std::max(1u, element.channels);
  return fmt::format("({}, {}) of {}", cell % element.width, cell / element.width, element.buffer);
}

void find_thread(const PinnedThing& thing, const LaunchStep& launch, FoundPin& found) {
  if (!thing.block) return;
  if (!within(*thing.block, launch.grid)) {
    found.lost = fmt::format("Block {} is no longer there: the grid has {} blocks now.",
                             position_text(*thing.block), extent_text(launch.grid));
    return;
  }
  found.pick.block = thing.block;
  if (!thing.thread) return;
  if (within(*thing.thread, launch.block)) {
    found.pick.thread = thing.thread;
  } else {
    found.lost = fmt::format("Thread {} is no longer there: a block has {} threads now.",
                             position_text(*thing.thread), extent_text(launch.block));
  }
}

}  // namespace

PinnedThing pinned_thing(const Pick& pick, const RunResult* result, std::string_view text) {
  PinnedThing thing;
  thing.line = pick.line;
  const std::vector<std::string_view> lines = lines_of_text(pick.line != 0 ? text : std::string_view{});
  if (pick.line != 0 && pick.line <= lines.size()) thing.line_text = lines[pick.line - 1];
  if (result != nullptr && result->request) thing.kernel = result->request->kernel;
  if (!pick.element) {
    thing.block = pick.block;
    thing.thread = pick.thread;
  } else if (result != nullptr && result->request && pick.element->buffer < result->request->buffers.size()) {
    const BufferSpec& spec = result->request->buffers[pick.element->buffer];
    thing.element =
        PinnedElement{spec.name, pick.element->index, spec.width, spec.height, spec.channels, spec.output};
  }
  return thing;
}

FoundPin find_pin(const PinnedThing& thing, const RunResult& result, std::string_view text) {
  FoundPin found;
  const LaunchStep* launch = result.request ? first_launch(*result.request) : nullptr;
  if (launch == nullptr) return found;
  if (thing.element) {
    if (const auto element = find_element(*thing.element, *result.request)) {
      found.pick = with_writer(result, *element);
    } else {
      found.lost = fmt::format("{} is no longer there.", words_of(*thing.element));
    }
  } else {
    find_thread(thing, *launch, found);
  }
  // Another kernel has other lines.
  if (thing.line != 0 && (thing.kernel.empty() || thing.kernel == result.request->kernel))
    found.pick.line = find_line(thing, text);
  return found;
}

const OutputBuffer* output_buffer(const RunResult& result, uint32_t buffer) {
  for (const OutputBuffer& output : result.outputs)
    if (output.index == buffer && output.bytes) return &output;
  return nullptr;
}

Pick with_writer(const RunResult& result, ElementPick element) {
  Pick pick;
  pick.element = element;
  const OutputBuffer* output = output_buffer(result, element.buffer);
  if (output == nullptr || !output->writers || element.index >= output->writers->writer.size()) return pick;
  const uint64_t writer = output->writers->writer[element.index];
  const uint64_t threads = output->writers->block.count();
  if (writer == 0 || threads == 0) return pick;
  pick.block = position_at((writer - 1) / threads, output->writers->grid);
  pick.thread = position_at((writer - 1) % threads, output->writers->block);
  return pick;
}

}  // namespace warplens
