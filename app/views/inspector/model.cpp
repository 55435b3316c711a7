#include "app/views/inspector/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/amounts.h"
#include "app/base/format.h"
#include "app/views/model/footprint_digest.h"
#include "app/views/model/heat_map.h"
#include "app/views/model/raster_buffer.h"

namespace warplens {

namespace {

// "(308, 119)" of a picture or a matrix, "[17]" of a vector.
std::string cell_words(const BufferSpec& spec, uint64_t cell) {
  if (spec.height <= 1 || spec.width == 0) return fmt::format("[{}]", with_separators(cell));
  return fmt::format("({}, {})", cell % spec.width, cell / spec.width);
}

std::string heading_of(const BufferSpec& spec, uint64_t cell) {
  if (is_picture(spec)) return "PIXEL " + cell_words(spec, cell);
  return fmt::format("ELEMENT {} OF {}", cell_words(spec, cell), spec.name);
}

// The colour of a picture's cell, gray if there is one channel. Amounts have the colour of the view.
std::optional<uint32_t> colour_of_cell(const BufferSpec& spec, const Bytes& bytes, uint64_t element) {
  if (!is_picture(spec) || element + spec.channels > bytes.size()) return std::nullopt;
  const auto byte = [&](uint64_t i) { return std::to_integer<uint32_t>(bytes[element + i]); };
  return spec.channels == 1 ? byte(0) << 16 | byte(0) << 8 | byte(0) : byte(0) << 16 | byte(1) << 8 | byte(2);
}

// "R " before a channel of a picture; empty before other values.
std::string name_of_channel(const BufferSpec& spec, uint32_t channel) {
  if (!is_picture(spec)) return "";
  if (spec.channels == 1) return "gray ";
  return std::string(1, "RGBA"[channel % 4]) + " ";
}

InspectorValue value_at(const BufferSpec& spec, const Bytes& bytes, uint64_t cell) {
  InspectorValue value{spec.name, {}, {}};
  const uint64_t first = cell * std::max(1u, spec.channels);
  for (uint32_t channel = 0; channel < std::max(1u, spec.channels); ++channel)
    value.value += (channel == 0 ? "" : "  ") + name_of_channel(spec, channel) +
                   value_text(spec, bytes, first + channel).value_or("?");
  value.colour = colour_of_cell(spec, bytes, first);
  return value;
}

void add_values(InspectorView& view, const RunResult& result, ElementPick element) {
  const LaunchRequest& request = *result.request;
  const BufferSpec& spec = request.buffers[element.buffer];
  const uint64_t cell = element.index / std::max(1u, spec.channels);
  const ShownBuffers shown = shown_buffers(request);
  view.heading = heading_of(spec, cell);
  if (shown.input) {
    const BufferSpec& before = request.buffers[*shown.input];
    if (before.initial && before.width == spec.width && before.height == spec.height)
      view.values.push_back(value_at(before, *before.initial, cell));
  }
  const OutputBuffer* output = output_buffer(result, element.buffer);
  if (output == nullptr) return;
  view.values.push_back(value_at(spec, *output->bytes, cell));
  if (!output->writers) return;
  const std::vector<uint64_t>& writer = output->writers->writer;
  view.nobody_wrote = element.index < writer.size() && writer[element.index] == 0;
  if (view.nobody_wrote) view.values.back().colour.reset();
}

void add_thread(InspectorView& view, const InspectorInput& input) {
  const LaunchShape& shape = input.result->shape;
  if (!view.block) return;
  view.written_by.push_back("block " + position_text(*view.block, shape.grid));
  if (!view.thread) return;
  view.written_by.push_back("thread " + position_text(*view.thread, shape.block));
  view.written_by.push_back(fmt::format("warp {}, lane {}", warp_of(*view.thread, shape.block),
                                        lane_of(*view.thread, shape.block)));
  if (input.kernel != nullptr)
    view.formula =
        fill_formula(input.kernel->index_formula, {shape.grid, shape.block, *view.block, *view.thread},
                     scalar_names(input.kernel, *input.result->request));
}

std::string load_words(const BlockFootprint& footprint, const AccessView& load) {
  const LoadTotals totals = totals_like(footprint, load.index);
  std::string words = load.sentence + ".";
  if (totals.accesses > 1 && load.space == Space::global)
    words += fmt::format(
        " The warp's {} accesses to {} touch {} of which {} are different; {} would hold all the bytes.",
        with_separators(totals.accesses), load.buffer, count_text(totals.sectors, "sector", "sectors"),
        with_separators(totals.distinct_sectors),
        with_separators(ceil_div(totals.distinct_bytes, sector_bytes)));
  return words;
}

void add_accesses(InspectorView& view, const InspectorInput& input) {
  const BlockFootprint* footprint = input.footprint;
  if (footprint == nullptr || view.block != footprint->block || !view.thread) return;
  view.accesses_known = true;
  view.cost = thread_cost_words(*footprint, linear_index(*view.thread, input.result->shape.block));
  view.accesses = accesses_of_thread(*input.result, *footprint, *view.thread);
  const uint32_t warp = warp_of(*view.thread, input.result->shape.block);
  std::optional<size_t> chosen;
  for (const ThreadAccess& access : view.accesses)
    if (!chosen && access.space == Space::global && access.kind == AccessKind::load) chosen = access.index;
  if (input.access && *input.access < footprint->accesses.size() &&
      footprint->accesses[*input.access].warp == warp)
    chosen = input.access;
  if (!chosen) return;
  view.load = view_access(*input.result->request, *footprint, *chosen);
  view.lane = lane_of(*view.thread, input.result->shape.block);
  view.load_sentence = load_words(*footprint, *view.load);
}

// For a thread that was picked itself: the recorded element that it wrote.
void add_written_element(InspectorView& view, const RunResult& result) {
  for (const ThreadAccess& access : view.accesses) {
    if (access.kind != AccessKind::store || access.buffer < 0 || access.space != Space::global) continue;
    const std::string heading = view.heading;
    const bool nobody = view.nobody_wrote;
    add_values(view, result, {static_cast<uint32_t>(access.buffer), access.element});
    view.heading = heading;
    view.nobody_wrote = nobody;
    return;
  }
}

void add_block_figures(InspectorView& view, const RunResult& result) {
  if (!result.blocks || !view.block) return;
  const uint64_t linear = linear_index(*view.block, result.shape.grid);
  const BlockStats& stats = *result.blocks;
  for (const Colouring colouring : {Colouring::instructions, Colouring::divergence, Colouring::sectors}) {
    const std::optional<double> amount = amount_of(stats, colouring, linear);
    if (!amount) continue;
    std::string label = to_string(colouring);
    label.erase(label.rfind(" a block"));
    const std::string formula = stats.blocks_per_bin > 1
                                    ? fmt::format("mean of the {} blocks that were counted together",
                                                  with_separators(stats.blocks_per_bin))
                                    : "counted by the virtual GPU for this block";
    view.figures.push_back({label, significant(*amount, 6), Provenance::counted, formula});
  }
}

}  // namespace

InspectorView inspect(const InspectorInput& input) {
  InspectorView view;
  view.stale = input.stale;
  view.lost = input.lost;
  if (input.result == nullptr || !input.result->request || input.shown.empty()) return view;
  const RunResult& result = *input.result;
  const Pick& pick = input.shown;
  view.block = pick.block;
  view.thread = pick.thread;
  const bool element_exists = pick.element && pick.element->buffer < result.request->buffers.size();
  if (element_exists) {
    add_values(view, result, *pick.element);
  } else if (pick.thread && pick.block) {
    view.is_writer = false;
    view.heading = fmt::format("THREAD {} OF BLOCK {}", position_text(*pick.thread, result.shape.block),
                               position_text(*pick.block, result.shape.grid));
  } else if (pick.block) {
    view.is_writer = false;
    view.heading = "BLOCK " + position_text(*pick.block, result.shape.grid);
    add_block_figures(view, result);
  }
  add_thread(view, input);
  if (view.block && view.thread)
    for (IncidentMark& mark : incident_marks(result))
      if (mark.is_of(*view.block, *view.thread)) view.incidents.push_back(std::move(mark));
  add_accesses(view, input);
  if (!element_exists && view.thread) add_written_element(view, result);
  if (view.thread && !view.accesses_known)
    view.message = !input.footprint_message.empty()
                       ? input.footprint_message
                       : "Pin it with a click to see what its thread reads and writes.";
  return view;
}

}  // namespace warplens
