#include "app/views/model/rendering.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/views/model/raster_buffer.h"

namespace warplens {

Result<Pick> pick_of_cell(const RenderChoice& choice, const RunResult& result) {
  if (!choice.at) return Pick{};
  const ShownBuffers shown = shown_buffers(*result.request);
  if (!shown.output) return bad_input("--at: this kernel has no result to point into; leave the option away");
  const BufferSpec& spec = result.request->buffers[*shown.output];
  if (choice.at->x >= spec.width || choice.at->y >= spec.height || choice.at->z != 0)
    return bad_input(fmt::format("--at {},{}: {} is {} x {}, counted from 0", choice.at->x, choice.at->y,
                                 spec.name, spec.width, spec.height));
  const uint64_t cell = choice.at->x + uint64_t{spec.width} * choice.at->y;
  return with_writer(result, {*shown.output, cell * std::max(1u, spec.channels)});
}

}  // namespace warplens
