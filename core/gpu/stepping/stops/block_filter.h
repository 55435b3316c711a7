// Which blocks of a grid a condition cannot hold in, whatever their threads do: "blockIdx.x == 3 && i > 10".
#pragma once

#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/result.h"
#include "core/gpu/stepping/stops/condition.h"

namespace warplens::stepping {

class BlockFilter {
 public:
  // An empty condition may hold anywhere. Errors as those of Condition.
  static Result<BlockFilter> make(std::string_view condition, Dim3 grid, Dim3 threads);
  // False is certain; true only means that the block has to be stepped to know.
  bool may_hold(Dim3 block) const;

 private:
  std::vector<Condition> m_condition;  // none or one
  std::vector<expression::Value> m_values;
  // Names of m_values that stand for an index of the block: x, y or z.
  struct Index {
    size_t name;
    uint32_t axis;
  };
  std::vector<Index> m_indices;
};

}  // namespace warplens::stepping
