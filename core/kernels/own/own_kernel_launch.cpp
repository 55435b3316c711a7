// Finds the number of threads that an own kernel needs and its block, and checks that all its expressions
// have a value.
#include <fmt/format.h>

#include <algorithm>

#include "core/kernels/evaluated.h"
#include "core/kernels/own/own_kernel_draft.h"

namespace warplens {

namespace {

// ceil(n/256) with a block of 256 means: n threads are needed. So the grid follows when the block changes.
std::string threads_behind(std::string_view expression, uint32_t block) {
  std::string text;
  for (const char c : expression)
    if (c != ' ' && c != '\t') text += c;
  for (const auto& [front, divide] : {std::pair<std::string_view, char>{"ceil(", '/'}, {"ceil_div(", ','}}) {
    if (!text.starts_with(front) || !text.ends_with(")")) continue;
    const std::string inner = text.substr(front.size(), text.size() - front.size() - 1);
    const size_t at = inner.rfind(divide);
    if (at == std::string::npos || at == 0) continue;
    const std::string by = inner.substr(at + 1);
    std::string of = inner.substr(0, at);
    if (of.find_first_of("()?:<>") != std::string::npos) continue;
    if (by == std::to_string(block) || by.starts_with("block_")) return of;
  }
  return "";
}

}  // namespace

void add_launch(Draft& draft) {
  const KernelArgument* shown = nullptr;  // the first output, else the first buffer
  for (const KernelArgument& argument : draft.kernel.arguments)
    if (argument.is_buffer && (shown == nullptr || (argument.output && !shown->output))) shown = &argument;
  if (draft.text.like != nullptr && !draft.annotation.found) {
    draft.kernel.default_block = draft.text.like->default_block;
    draft.kernel.block_presets = draft.text.like->block_presets;
    draft.kernel.problem = draft.text.like->problem;
    return;
  }
  const bool plane = shown && !shown->height.empty() && shown->height != "1";
  const bool two_axes = !draft.annotation.grid[1].empty() || !draft.annotation.threads[1].empty() ||
                        (draft.annotation.grid[0].empty() && draft.annotation.threads[0].empty() && plane);
  draft.kernel.default_block = draft.annotation.block.value_or(two_axes ? Dim3{16, 16, 1} : Dim3{256, 1, 1});
  draft.kernel.block_presets =
      two_axes
          ? std::vector<Dim3>{{8, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {256, 1, 1}}
          : std::vector<Dim3>{{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}};
  const std::array<uint32_t, 3> block{draft.kernel.default_block.x, draft.kernel.default_block.y,
                                      draft.kernel.default_block.z};
  constexpr const char* names[] = {"block_x", "block_y", "block_z"};
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!draft.annotation.threads[axis].empty()) {
      draft.kernel.problem[axis] = draft.annotation.threads[axis].text;
    } else if (!draft.annotation.grid[axis].empty()) {
      const std::string& grid = draft.annotation.grid[axis].text;
      const std::string threads = threads_behind(grid, block[axis]);
      draft.kernel.problem[axis] =
          threads.empty() ? fmt::format("floor({}) * {}", grid, names[axis]) : threads;
    }
  }
  if (!draft.kernel.problem[0].empty() || shown == nullptr) {
    if (draft.kernel.problem[0].empty()) draft.kernel.problem[0] = "block_x";  // one block
    return;
  }
  draft.kernel.problem[0] = shown->width;
  if (plane) draft.kernel.problem[1] = shown->height;
}

void check_expressions(Draft& draft) {
  Names names = reserved_names(draft.kernel, KernelSetup{}, nullptr);
  for (const auto* list : {&draft.kernel.settings, &draft.kernel.arguments})
    for (const KernelArgument& argument : *list) {
      if (is_reserved_name(argument.name))
        draft.fail(draft.place_of(argument.name),
                   fmt::format("the name {} belongs to the program: choose another", argument.name));
      if (!argument.is_buffer && argument.expression.empty()) names[argument.name] = 1;
    }
  const auto check = [&](const std::string& expression, const TextPosition& place) {
    if (expression.empty()) return;
    if (const Result<void> checked = check_formula(expression, names); !checked)
      draft.fail(place,
                 fmt::format("{} Every name in it must be a parameter or have a number here, as in n=10000.",
                             checked.error().message));
  };
  for (const KernelArgument& argument : draft.kernel.arguments) {
    if (argument.is_buffer || argument.expression.empty()) continue;
    check(argument.expression, draft.place_of(argument.name));
    names[argument.name] = 1;
  }
  for (size_t axis = 0; axis < 3; ++axis)
    check(draft.kernel.problem[axis], !draft.annotation.grid[axis].empty()
                                          ? draft.annotation.grid[axis].place
                                          : draft.annotation.threads[axis].place);
  for (const char* axis : {"grid_x", "grid_y", "grid_z"}) names[axis] = 1;  // known once the problem is
  for (const KernelArgument& argument : draft.kernel.arguments)
    for (const std::string* extent : {&argument.width, &argument.height, &argument.channels})
      check(*extent, draft.place_of(argument.name));
}

}  // namespace warplens
