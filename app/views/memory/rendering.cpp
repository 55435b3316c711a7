// The Memory view in a file.
#include "app/views/model/rendering.h"

#include "app/views/memory/model.h"
#include "app/views/memory/picture.h"

namespace warplens {
namespace {

Result<Pick> pick_in_memory(const RenderChoice& choice, const RunResult&) {
  Pick pick;
  pick.block = choice.at.value_or(Dim3{0, 0, 0});
  pick.thread = choice.thread.value_or(Dim3{0, 0, 0});
  return pick;
}

float draw_memory_of(Picture& picture, const Style& style, Box box, const RenderChoice& choice,
                     const RenderSource& source) {
  const RunResult& result = *source.result;
  const MemoryView memory = view_memory(result);
  MemoryPictureInput input;
  input.view = &memory;
  input.grid = result.shape.grid;
  input.interactive = false;
  if (choice.line != 0) input.line = choice.line;
  MemoryAccesses accesses;
  if (source.footprint != nullptr) {
    const uint32_t warp = source.pick.thread ? warp_of(*source.pick.thread, result.shape.block) : 0;
    accesses = choose_accesses(*result.request, *source.footprint, result.shape.block, warp, choice.line, {});
    input.accesses = &accesses;
  }
  input.footprint_message = source.footprint_message;
  HeatPicture heat;
  if (const Result<AddressHeat> recorded = record_heat(*result.request, source.stop)) {
    heat = view_heat(*result.request, *recorded, {});
    input.heat = &heat;
  } else {
    input.heat_message = recorded.error().message;
  }
  return draw_memory_view(picture, style, box, input).bottom;
}

Rendered make_memory(const RenderChoice& choice, const RenderSource& source) {
  return {[&](Picture& picture, const Style& style, Box box) {
            return draw_memory_of(picture, style, box, choice, source);
          },
          [&] { return memory_table(view_memory(*source.result)); }};
}

}  // namespace

std::span<const Rendering> memory_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "memory", .has_table = true, .pick = pick_in_memory, .make = make_memory}};
  return rows;
}

}  // namespace warplens
