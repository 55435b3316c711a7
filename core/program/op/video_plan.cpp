#include "core/program/op/video_plan.h"

#include <type_traits>

namespace warplens::program {

namespace {

// Visits one field after the other, for both packing and unpacking.
template <class Visit>
void each_field(VideoPlan& plan, Visit visit) {
  visit(plan.operation, 4);
  visit(plan.compare, 3);
  visit(plan.second, 2);
  visit(plan.lanes, 3);
  visit(plan.d_signed, 1);
  visit(plan.a_signed, 1);
  visit(plan.b_signed, 1);
  visit(plan.saturate, 1);
  visit(plan.wrap, 1);
  visit(plan.plus_one, 1);
  visit(plan.negate_product, 1);
  visit(plan.negate_c, 1);
  visit(plan.shift, 4);
  visit(plan.d_part, 2);
  visit(plan.a_part, 2);
  visit(plan.b_part, 2);
  visit(plan.a_index, 15);
  visit(plan.b_index, 15);
  visit(plan.d_index, 4);
}

}  // namespace

uint64_t packed(const VideoPlan& plan) {
  VideoPlan copy = plan;
  uint64_t bits = 0;
  uint32_t at = 0;
  each_field(copy, [&](auto& field, uint32_t width) {
    bits |= static_cast<uint64_t>(field) << at;
    at += width;
  });
  return bits;
}

VideoPlan video_plan(uint64_t packed_plan) {
  VideoPlan plan;
  uint32_t at = 0;
  each_field(plan, [&](auto& field, uint32_t width) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(packed_plan >> at &
                                                                  ((uint64_t{1} << width) - 1));
    at += width;
  });
  return plan;
}

}  // namespace warplens::program
