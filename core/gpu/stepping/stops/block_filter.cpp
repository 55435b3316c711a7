#include "core/gpu/stepping/stops/block_filter.h"

#include <string>
#include <utility>

namespace warplens::stepping {

namespace {

uint32_t along(Dim3 value, uint32_t axis) { return axis == 0 ? value.x : axis == 1 ? value.y : value.z; }

// Whether a name is this one of CUDA C++ or of PTX. PTX without its % may be a variable of the source.
bool is_field(std::string_view name, std::string_view cuda, std::string_view ptx, uint32_t& axis) {
  for (const std::string_view prefix : {cuda, ptx}) {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 1) continue;
    if (name.back() < 'x' || name.back() > 'z') return false;
    axis = static_cast<uint32_t>(name.back() - 'x');
    return true;
  }
  return false;
}

}  // namespace

Result<BlockFilter> BlockFilter::make(std::string_view text, Dim3 grid, Dim3 threads) {
  BlockFilter filter;
  if (text.empty()) return filter;
  Result<Condition> condition = Condition::parse(text);
  if (!condition) return condition.error();
  filter.m_values.resize(condition->names().size());
  for (size_t i = 0; i < filter.m_values.size(); ++i) {
    const std::string& name = condition->names()[i].text;
    uint32_t axis = 0;
    if (is_field(name, "blockIdx.", "%ctaid.", axis)) {
      filter.m_indices.push_back({i, axis});
    } else if (is_field(name, "gridDim.", "%nctaid.", axis)) {
      filter.m_values[i] = along(grid, axis);
    } else if (is_field(name, "blockDim.", "%ntid.", axis)) {
      filter.m_values[i] = along(threads, axis);
    }
  }
  filter.m_condition.push_back(std::move(condition).value());
  return filter;
}

bool BlockFilter::may_hold(Dim3 block) const {
  if (m_condition.empty()) return true;
  std::vector<expression::Value> values = m_values;
  for (const Index& index : m_indices) values[index.name] = along(block, index.axis);
  return m_condition.front().may_hold(values);
}

}  // namespace warplens::stepping
