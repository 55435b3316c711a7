#include "core/lesson/format/words.h"

#include <algorithm>

namespace warplens::lesson {
namespace {

using Word = std::string_view;

constexpr Word grid_parts[] = {"grid", "block", "warp", "lane"};
constexpr Word image_parts[] = {"split", "side", "difference", "result"};
constexpr Word memory_parts[] = {"hierarchy", "lines", "accesses", "heat"};
constexpr Word occupancy_parts[] = {"bars", "curves", "sm", "waves"};
constexpr Word stepped_parts[] = {"source", "ptx"};
constexpr Word timing_parts[] = {"steps", "timer", "blocks", "sizes", "roofline", "runs"};
constexpr Word profile_parts[] = {"details", "raw"};
constexpr Word code_parts[] = {"cuda", "ptx", "numba", "cupy", "pycuda", "opencl"};

constexpr ViewWords views[] = {{"grid", grid_parts},     {"image", image_parts},
                               {"memory", memory_parts}, {"occupancy", occupancy_parts},
                               {"step", stepped_parts},  {"timing", timing_parts},
                               {"code", code_parts},     {"profile", profile_parts},
                               {"program", {}},          {"sm", {}}};
constexpr Word names[] = {"grid",   "image", "memory",  "occupancy", "step",
                          "timing", "code",  "profile", "program",   "sm"};
constexpr Word parts[] = {"grid",   "block",     "warp",   "lane",     "split", "side",  "difference",
                          "result", "hierarchy", "lines",  "accesses", "heat",  "bars",  "curves",
                          "sm",     "waves",     "source", "ptx",      "steps", "timer", "blocks",
                          "sizes",  "roofline",  "runs",   "cuda",     "numba", "cupy",  "pycuda",
                          "opencl", "details",   "raw"};
constexpr Word plots[] = {"sizes", "blocks", "occupancy_block", "occupancy_registers", "occupancy_shared",
                          "line"};
constexpr Word hidden[] = {"formula", "result", "inspector", "code"};
constexpr Word changeable[] = {"block", "grid",   "shared", "seed", "order",
                               "image", "device", "kernel", "code", "view"};

}  // namespace

std::span<const ViewWords> view_words() { return views; }
std::span<const std::string_view> view_names() { return names; }
std::span<const std::string_view> all_part_names() { return parts; }
const ViewWords* find_view(std::string_view name) {
  const auto found = std::ranges::find(views, name, &ViewWords::name);
  return found == std::end(views) ? nullptr : &*found;
}
std::span<const std::string_view> plot_names() { return plots; }
std::span<const std::string_view> hidden_things() { return hidden; }
std::span<const std::string_view> changeable_things() { return changeable; }

}  // namespace warplens::lesson
