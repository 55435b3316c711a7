// Parts of variables as people write them: "p.x", "list[3].y", "p->x", "grid[1][2]", "*p".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/stepping/variable_view.h"

namespace warplens::stepping {

struct VariablePath {
  struct Step {
    std::string member = {};  // empty for element `index` of an array or of what a pointer points to
    uint64_t index = 0;
  };
  std::string name;  // of the variable
  std::vector<Step> steps;
};

// An Error says what is wrong with the text.
Result<VariablePath> parse_path(std::string_view text);

struct FrameView;
// Empty if no variable of that name is in scope in these lanes, or if it has no such part. With a frame, the
// variable of that frame comes first.
std::optional<VariableView> find_path(const Engine& engine, uint32_t warp, const VariablePath& path,
                                      uint32_t lanes, const FrameView* frame = nullptr);

}  // namespace warplens::stepping
