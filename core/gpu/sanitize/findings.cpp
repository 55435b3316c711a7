#include "core/gpu/sanitize/findings.h"

#include <algorithm>

namespace warplens::sanitize {

bool Findings::comes_before(const Finding& a, const Finding& b) {
  const auto order = [](const Finding& f) {
    return std::tuple(f.launch, f.side.block, f.side.thread, f.side.instruction, f.address);
  };
  return order(a) < order(b);
}

std::vector<Incident> Findings::incidents() const {
  std::vector<const Finding*> in_order;
  for (const auto& [key, finding] : m_found) in_order.push_back(&finding);
  std::ranges::sort(in_order, {}, [](const Finding* f) {
    return std::tuple(f->launch, f->side.instruction, f->kind, f->has_other ? f->other.instruction : 0);
  });
  std::vector<Incident> incidents;
  incidents.reserve(in_order.size());
  for (const Finding* finding : in_order) incidents.push_back(describe(*finding));
  return incidents;
}

}  // namespace warplens::sanitize
