// One colour, one meaning: what takes time has the same colour in every view that shows time.
#pragma once

#include <array>
#include <cstdint>

namespace warplens {

// What the time goes into. `host` is work of the CPU.
enum class WorkKind : uint8_t { kernel, copy_in, copy_out, copy_inside, launch, host };
constexpr size_t work_count = 6;

struct WorkColour {
  WorkKind work;
  const char* words;
  uint32_t colour;
};
// In the order of WorkKind. Colours of the palette of warps and blocks, without its orange and red, which
// look like a warning and a fault.
constexpr std::array<WorkColour, work_count> work_colours = {{
    {WorkKind::kernel, "kernel", 0x009E73},
    {WorkKind::copy_in, "copy in", 0x56B4E9},
    {WorkKind::copy_out, "copy out", 0xCC79A7},
    {WorkKind::copy_inside, "copy inside the device", 0x0072B2},
    {WorkKind::launch, "launch", 0xF0E442},
    {WorkKind::host, "host", 0x9AA5B1},
}};
constexpr uint32_t colour_of(WorkKind work) { return work_colours[static_cast<size_t>(work)].colour; }

}  // namespace warplens
