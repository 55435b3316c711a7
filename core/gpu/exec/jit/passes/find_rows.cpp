// Integers that grow by a fixed step from lane to lane, as addresses and what they are computed from do.
#include <map>
#include <utility>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

namespace {

// So that the way to the last lane is a number of 32 bits.
constexpr int64_t longest_step = 1 << 24;

bool is_short(int64_t step) { return step >= -longest_step && step <= longest_step; }

class RowFinder {
 public:
  explicit RowFinder(Unit& unit) : m_unit(unit) {}
  void run();

 private:
  struct Row {
    int64_t step = 0;
    RowShape rows = {};
    std::optional<int64_t> constant = {};  // as a signed number of its width
    // No lane's value has wrapped around on its way from the first one, read as such a number.
    bool ascends_signed = false, ascends_unsigned = false;
  };

  const Row* row(uint32_t value) const {
    const auto found = m_rows.find(value);
    return found == m_rows.end() ? nullptr : &found->second;
  }
  const Row* source(const Instruction& i, size_t n) const { return row(i.sources[n]); }
  std::optional<RowShape> rows_of_sources(const Instruction& i) const;
  bool require_ascending(const Instruction& i, uint32_t value, bool is_signed, bool wide);
  std::optional<int64_t> step_of(const Instruction& i);
  std::optional<int64_t> step_of_product(const Instruction& i, bool is_wide, bool is_signed) const;
  std::optional<int64_t> step_of_wide(const Instruction& i, bool is_signed);
  std::optional<int64_t> step_of_shift(const Instruction& i, bool left, uint32_t bits) const;
  std::optional<int64_t> step_of_bits(const Instruction& i) const;
  std::optional<int64_t> step_of_comparison(const Instruction& i, bool is_signed, bool wide);

  Unit& m_unit;
  std::vector<Instruction> m_code;
  std::map<uint32_t, Row> m_rows;
  bool m_is_part = false;  // only some lanes are active
};

// What is the same in all lanes goes with rows of any length. Nothing: the rows' lengths differ.
std::optional<RowShape> RowFinder::rows_of_sources(const Instruction& i) const {
  std::optional<RowShape> rows;
  for (size_t n = 0; n < i.sources.size(); ++n) {
    const Row* const each = source(i, n);
    if (each == nullptr || (each->step == 0 && each->rows.is_whole())) continue;
    if (rows && rows->lanes != each->rows.lanes) return {};
    rows = RowShape{each->rows.lanes, each->rows.alike && (!rows || rows->alike)};
  }
  return rows.value_or(RowShape{});
}

// False where it cannot be checked: no handler takes over between lanes that part and meet.
bool RowFinder::require_ascending(const Instruction& i, uint32_t value, bool is_signed, bool wide) {
  Row& known = m_rows.find(value)->second;
  bool& ascends = is_signed ? known.ascends_signed : known.ascends_unsigned;
  if (known.step == 0 || ascends) return true;
  if (m_is_part) return false;
  ascends = true;
  const Opcode opcode = is_signed ? wide ? Opcode::ascends_s64 : Opcode::ascends_s32
                        : wide    ? Opcode::ascends_u64
                                  : Opcode::ascends_u32;
  m_code.push_back({.opcode = opcode, .sources = {value, no_value, no_value}, .at = i.at});
  return true;
}

// Of which one is the same in all lanes, and a constant where the other is not.
std::optional<int64_t> RowFinder::step_of_product(const Instruction& i, bool is_wide, bool is_signed) const {
  const Row *a = source(i, 0), *b = source(i, 1);
  if (a == nullptr || b == nullptr) return {};
  if (a->step == 0 && b->step == 0) return 0;
  const auto factor = a->step == 0 ? a->constant : b->step == 0 ? b->constant : std::nullopt;
  // An unsigned constant of more than 31 bits has another value in the wide product.
  if (!factor || !is_short(*factor) || (is_wide && !is_signed && *factor < 0)) return {};
  return *factor * (a->step + b->step);
}

std::optional<int64_t> RowFinder::step_of_wide(const Instruction& i, bool is_signed) {
  auto step = step_of_product(i, true, is_signed);
  const bool adds = i.sources[2] != no_value;
  if (!step || (adds && source(i, 2) == nullptr)) return {};
  if (adds) *step += source(i, 2)->step;
  if (!is_short(*step)) return {};
  if (!require_ascending(i, i.sources[0], is_signed, false) ||
      !require_ascending(i, i.sources[1], is_signed, false))
    return {};
  return step;
}

// By a constant. To the right only what is the same in all lanes.
std::optional<int64_t> RowFinder::step_of_shift(const Instruction& i, bool left, uint32_t bits) const {
  const Row *a = source(i, 0), *by = source(i, 1);
  if (a == nullptr || by == nullptr || !by->constant || *by->constant < 0 || *by->constant >= bits) return {};
  if (a->step == 0) return 0;
  if (!left || *by->constant > 24) return {};
  return a->step * (int64_t{1} << *by->constant);
}

std::optional<int64_t> RowFinder::step_of_bits(const Instruction& i) const {
  const Row *a = source(i, 0), *b = source(i, 1);
  if (a == nullptr || b == nullptr || a->step != 0 || b->step != 0) return {};
  return 0;
}

// What compares a row with what is the same in all lanes is the same in all lanes where it is in the first
// and in the last one.
std::optional<int64_t> RowFinder::step_of_comparison(const Instruction& i, bool is_signed, bool wide) {
  const Row *a = source(i, 0), *b = source(i, 1);
  if (a == nullptr || b == nullptr || b->step != 0 || !b->rows.is_whole()) return {};
  if (a->step != 0 && i.condition <= Condition::ne) return {};
  if (!require_ascending(i, i.sources[0], is_signed, wide)) return {};
  return 0;
}

std::optional<int64_t> RowFinder::step_of(const Instruction& i) {
  const auto sum = [&](int64_t sign) -> std::optional<int64_t> {
    const Row *a = source(i, 0), *b = source(i, 1);
    if (a == nullptr || b == nullptr) return {};
    return a->step + sign * b->step;
  };
  const auto all_rows = [&]() -> std::optional<int64_t> {
    for (const uint32_t value : i.sources)
      if (value != no_value && row(value) == nullptr) return {};
    return 0;
  };
  switch (i.opcode) {
    case Opcode::add_b32:
    case Opcode::add_b64:
      return sum(1);
    case Opcode::sub_b32:
    case Opcode::sub_b64:
      return sum(-1);
    case Opcode::mul_b32:
    case Opcode::mul_b64:
      return step_of_product(i, false, false);
    case Opcode::mad_b32:
    case Opcode::mad_b64: {
      auto step = step_of_product(i, false, false);
      if (!step || source(i, 2) == nullptr) return {};
      return *step + source(i, 2)->step;
    }
    case Opcode::mul_wide_s32:
    case Opcode::mad_wide_s32:
      return step_of_wide(i, true);
    case Opcode::mul_wide_u32:
    case Opcode::mad_wide_u32:
      return step_of_wide(i, false);
    case Opcode::shl_b32:
      return step_of_shift(i, true, 32);
    case Opcode::shl_b64:
      return step_of_shift(i, true, 64);
    case Opcode::shr_u32:
    case Opcode::shr_s32:
      return step_of_shift(i, false, 32);
    case Opcode::shr_u64:
    case Opcode::shr_s64:
      return step_of_shift(i, false, 64);
    case Opcode::and_b32:
    case Opcode::and_b64:
    case Opcode::or_b32:
    case Opcode::or_b64:
    case Opcode::xor_b32:
    case Opcode::xor_b64:
      return step_of_bits(i);
    case Opcode::extend_s32:
    case Opcode::extend_u32:
      if (source(i, 0) == nullptr ||
          !require_ascending(i, i.sources[0], i.opcode == Opcode::extend_s32, false))
        return {};
      return source(i, 0)->step;
    case Opcode::low_b64:
      if (source(i, 0) == nullptr) return {};
      return source(i, 0)->step;
    case Opcode::setp_s32:
    case Opcode::setp_s64:
      return step_of_comparison(i, true, i.opcode == Opcode::setp_s64);
    case Opcode::setp_u32:
    case Opcode::setp_u64:
      return step_of_comparison(i, false, i.opcode == Opcode::setp_u64);
    case Opcode::and_pred:
    case Opcode::or_pred:
    case Opcode::xor_pred:
    case Opcode::not_pred:
      return all_rows();
    default:
      return {};
  }
}

void RowFinder::run() {
  if (m_unit.mode != program::all_lanes) return;
  uint32_t firsts = 0;
  for (Instruction& i : m_unit.code) {
    m_is_part = leaves_part(i, m_is_part);
    if (is_fixed(i.opcode) && i.step) {
      Row known{.step = *i.step, .rows = i.rows, .ascends_signed = true, .ascends_unsigned = true};
      if (i.opcode == Opcode::constant_b64) known.constant = static_cast<int64_t>(i.number);
      if (i.opcode == Opcode::constant_b32)
        known.constant = static_cast<int32_t>(static_cast<uint32_t>(i.number));
      m_rows.emplace(i.result, known);
    } else if (i.opcode == Opcode::constant_pred) {
      ++firsts;
    } else if (makes_word(i.opcode)) {
      ++firsts;
      m_rows.emplace(i.result, Row{});
    } else if (const auto rows = rows_of_sources(i); rows && firsts + rows->firsts() <= most_rows) {
      const auto step = step_of(i);
      if (step && is_short(*step)) {
        i.step = *step;
        const bool is_one = info_of(i.opcode).result == Type::pred || (*step == 0 && rows->alike);
        if (!is_one) i.rows = *rows;
        firsts += i.rows.firsts();
        m_rows.emplace(i.result, Row{.step = *step, .rows = i.rows});
      }
    }
    m_code.push_back(std::move(i));
  }
  m_unit.code = std::move(m_code);
}

}  // namespace

void find_rows(Unit& unit) { RowFinder(unit).run(); }

}  // namespace warplens::exec::jit
