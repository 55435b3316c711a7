#include "core/gpu/exec/jit/lower/lower.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/gpu/exec/jit/ir/gathering.h"
#include "core/gpu/exec/jit/ir/overlap.h"
#include "core/gpu/exec/jit/ir/shuffle.h"
#include "core/gpu/exec/jit/lower/divergent.h"
#include "core/gpu/exec/jit/lower/reads.h"
#include "core/gpu/exec/jit/lower/rows.h"
#include "core/gpu/exec/state/instruction_starts.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/program/op/flow_op.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec::jit {

namespace {

using program::Op;
using program::Program;
using program::Selector;
using ptx::Modifier;

bool has_selector(const Program& program, uint32_t at) {
  return at < program.selectors.size() && program.selectors[at].has_value();
}

// Handlers of lane ops and accesses continue after their op, or fail. A comparison that also runs its branch
// would enter other blocks.
bool may_call(const Program& program, uint32_t at) {
  const Op& op = program.ops[at];
  if (runs(op, &run_watch)) return true;
  if (runs(op, &run_rounded)) return may_call(program, at + 1);
  return has_selector(program, at) && (op.flags & program::flag_chained) == 0;
}

// Consecutive basic blocks, with branches that leave them in between, and one branch back to the start.
struct Loop {
  std::vector<uint32_t> starts;
  uint32_t back = 0;  // the branch to its start
};

// The loop may hold blocks that end in branches, ops that have selectors, and collective ops. Nothing else.
std::optional<Loop> find_loop(const Program& program, uint32_t start) {
  constexpr size_t most_ops = 256;
  const auto& ops = program.ops;
  if (!runs(ops[start], &run_enter)) return {};
  Loop loop{{start}, 0};
  uint32_t at = start + 1;
  for (size_t count = 0; count < most_ops && at < ops.size(); ++count) {
    const Op& op = ops[at];
    if (runs(op, &run_branch)) {
      const auto target = static_cast<uint32_t>(static_cast<int64_t>(at) + program::branch_jump(op));
      if (!starts_block(program, at + 1)) return {};
      if (target == start) {
        loop.back = at;
        return loop;
      }
      // A loop in it runs for most of the time, with code of its own.
      if (target > start && target <= at) return {};
      at = program::is_guarded(op) ? at + 1 : target;
    } else if (!starts_block(program, at)) {
      const bool is_lowered = runs(op, &run_nothing) || runs(op, &run_guard) || has_selector(program, at) ||
                              is_collective(program, op);
      if (!is_lowered) return {};
      ++at;
    }
    if (!starts_block(program, at)) continue;
    if (at >= ops.size() || std::ranges::find(loop.starts, at) != loop.starts.end()) return {};
    loop.starts.push_back(at++);
  }
  return {};
}

class Lowering {
 public:
  Lowering(const LowerRequest& request, uint32_t start)
      : m_request(request), m_program(*request.program), m_at(start) {
    if (request.traced) m_starts = instruction_starts(m_program);
  }
  std::vector<Unit> run();
  std::optional<Unit> run_divergent();

 private:
  Instruction& emit(Opcode opcode) {
    m_unit.code.push_back({.opcode = opcode, .at = m_at});
    return m_unit.code.back();
  }
  uint32_t value(Opcode opcode, std::array<uint32_t, 3> sources = {no_value, no_value, no_value});
  uint32_t get(uint32_t slot, Type type);
  uint32_t read_frame(uint32_t slot, Type type);
  // Registers that no instruction of a unit writes, and that have one word for all lanes or a row.
  bool is_known_row(uint32_t slot, Type type) const {
    return (type == Type::b32 || type == Type::b64) && m_request.rows.contains(slot);
  }
  void put(uint32_t slot, Type type, uint32_t value, bool is_first = true);
  uint32_t guarded(uint32_t slot, Type type, uint32_t value);
  void forget(uint32_t slot, uint32_t bytes);
  bool lose(uint32_t slot, uint32_t bytes);
  void finish(std::vector<Unit>& units, uint32_t next);
  void enter();
  void add_note(uint32_t at, Access access = {});
  bool lower_op() { return lower_without_handler() || lower_call(); }
  bool lower_without_handler();
  uint32_t flushed(uint32_t number);
  bool is_flushed(const Instruction& made) const;
  bool lower_row(const Op& op, const Selector& s);
  bool lower_setp(const Op& op, const Selector& s, uint32_t compared);
  bool lower_copy(const Op& op, const Selector& s);
  bool lower_lanes(const Op& op, const Selector& s) { return lower_copy(op, s) || lower_row(op, s); }
  std::optional<LaneRow> row_of_op(const Op& op, const Selector& s) const;
  bool may_guard(uint32_t at) const;
  bool lower_guarded();
  bool lower_sides(uint32_t depth);
  bool lower_side(uint32_t meet, uint32_t depth);
  void run_to_end_of_block(std::vector<Unit>& units);
  bool lower_access(const Op& op, const Selector& s);
  std::optional<uint32_t> constant_of(uint32_t slot);
  void require_whole(uint32_t mask_slot);
  bool may_exchange(const Op& op) const;
  bool lower_shuffle(const Op& op);
  uint32_t known_word(uint32_t word);
  uint32_t gather(Opcode opcode, uint32_t source, uint64_t number = 0);
  bool lower_known_collective(const program::CollectiveOp& collective);
  void match_any(const program::CollectiveOp& match);
  bool lower_collective(const Op& op);
  bool lower_call();
  void lower_branch(std::vector<Unit>& units);
  bool goes_on_behind(uint32_t branch) const;
  bool keeps_lanes() const { return m_request.lanes == LanesAt::registers; }
  bool lower_loop();
  bool lower_round(const Loop& loop);
  bool close_loop(const Loop& loop);
  std::optional<uint32_t> read_before_loop(uint32_t slot, Type type);
  bool is_long_region() const;
  void go_to(std::vector<Unit>& units, uint32_t target);

  struct Known {
    Type type;
    uint32_t value;
  };
  const LowerRequest& m_request;
  const Program& m_program;
  uint32_t m_at;  // the op that is lowered
  Unit m_unit;
  std::map<uint32_t, Known> m_known;  // by slot
  std::map<uint32_t, Known> m_lost;   // by slot: what lanes had that are not active
  bool m_followed = false;
  std::optional<BlockReads> m_reads;  // of the block that is lowered
  std::set<uint32_t> m_whole_masks;   // mask values that are known to name all lanes
  uint32_t m_guard = no_value;        // the lanes that are active, if not all are
  bool m_keeps_others = true;  // whether any register of the others is read before all are active again
  bool m_is_refused = false;   // a register shares bytes with one whose value the others still need
  // By value: the value without subnormal lanes, as far as one is at hand.
  std::map<uint32_t, uint32_t> m_flushed;

  std::vector<bool> m_starts;  // for a traced run: the ops that begin instructions

  // While a loop is lowered: the reads before it, and the registers that a round writes.
  struct Written {
    Type type;
    bool forgotten;
  };
  uint32_t m_depth = 0;  // branches that the op is a side of
  bool m_in_loop = false, m_overlaps = false;
  std::vector<Instruction> m_before;
  std::map<uint32_t, Written> m_written;  // by slot
};

// Notes the instruction that begins with this op, if one does. `access` is what the op was lowered to, if
// that is an access; its instruction may have begun with an earlier op.
void Lowering::add_note(uint32_t at, Access access) {
  if (m_starts.empty()) return;
  if (!m_starts[at]) {
    const auto last = std::find_if(m_unit.code.rbegin(), m_unit.code.rend(),
                                   [](const Instruction& i) { return i.opcode == Opcode::note; });
    if (access.bytes != 0 && last != m_unit.code.rend()) last->access = access;
    return;
  }
  const uint32_t number = m_program.ops[at].instruction;
  const ptx::Instruction& instruction = m_program.instruction(number);
  Instruction noted{
      .opcode = Opcode::note, .at = m_at, .number = NotedRun{number, 1}.number(), .access = access};
  if (instruction.guarded) {
    // The guard is read now, because the instruction may write its register.
    noted.slot = m_program.code_of(number).register_slots[instruction.guard];
    noted.negated = instruction.guard_negated;
    if (keeps_lanes()) noted.sources[0] = get(std::exchange(noted.slot, no_slot), Type::pred);
  }
  m_unit.code.push_back(std::move(noted));
}

void Lowering::enter() {
  emit(Opcode::enter).number = static_cast<uint64_t>(program::block_steps(m_program.ops[m_at]));
  m_reads.emplace(m_program, m_at);
}

uint32_t Lowering::value(Opcode opcode, std::array<uint32_t, 3> sources) {
  Instruction& made = emit(opcode);
  made.sources = sources;
  made.result = m_unit.values++;
  if (!is_constant(opcode) && is_flushed(made)) m_flushed.emplace(made.result, made.result);
  return made.result;
}

// Reads a register before the loop, so that each round finds it in registers.
std::optional<uint32_t> Lowering::read_before_loop(uint32_t slot, Type type) {
  if (!m_in_loop) return {};
  const uint32_t made = read_frame(slot, type);
  m_before.push_back(std::move(m_unit.code.back()));
  m_unit.code.pop_back();
  return made;
}

uint32_t Lowering::read_frame(uint32_t slot, Type type) {
  const auto row = m_request.rows.find(slot);
  const bool wide = type == Type::b64;
  if (!is_known_row(slot, type)) {
    const uint32_t got = value(get_of(type));
    m_unit.code.back().slot = slot;
    return got;
  }
  const FrameRow& known = row->second;
  const bool whole = m_request.mode == program::all_lanes;
  const Opcode opcode = known.constant           ? wide ? Opcode::constant_b64 : Opcode::constant_b32
                        : known.special && whole ? wide ? Opcode::special_b64 : Opcode::special_b32
                        : wide                   ? Opcode::fixed_b64
                                                 : Opcode::fixed_b32;
  const uint32_t made = value(opcode);
  Instruction& i = m_unit.code.back();
  i.slot = slot;
  if (known.constant) i.number = wide ? *known.constant : *known.constant & 0xffffffff;
  if (is_flushed(i)) m_flushed.emplace(made, made);
  if (opcode == Opcode::special_b32 || opcode == Opcode::special_b64) i.number = *known.special;
  if (whole) i.step = known.step;
  if (whole) i.rows = known.rows;
  return made;
}

uint32_t Lowering::get(uint32_t slot, Type type) {
  const auto found = m_known.find(slot);
  if (found != m_known.end() && found->second.type == type) return found->second.value;
  const auto before = read_before_loop(slot, type);
  const uint32_t made = before ? *before : read_frame(slot, type);
  m_known[slot] = {type, made};
  return made;
}

// What was read of these bytes of the frame is another value now.
void Lowering::forget(uint32_t slot, uint32_t bytes) {
  erase_overlapping(m_known, slot, bytes, [](const Known& known) { return row_bytes(known.type); });
}

// Whether what other lanes had in these bytes is not in the frame any more.
bool Lowering::lose(uint32_t slot, uint32_t bytes) {
  const size_t before = m_lost.size();
  erase_overlapping(m_lost, slot, bytes, [](const Known& known) { return row_bytes(known.type); });
  return m_lost.size() != before;
}

// Lanes whose guard is false keep what they have.
uint32_t Lowering::guarded(uint32_t slot, Type type, uint32_t made) {
  const auto lost = m_lost.find(slot);
  const bool is_lost = lost != m_lost.end() && lost->second.type == type;
  const uint32_t before = is_lost ? lost->second.value : get(slot, type);
  if (is_lost) m_lost.erase(lost);
  m_is_refused = m_is_refused || lose(slot, row_bytes(type));
  if (type == Type::b16) {
    const auto wide = [&](uint32_t narrow) {
      return value(Opcode::extend_u16, {narrow, no_value, no_value});
    };
    const uint32_t selected = value(Opcode::selp_b32, {wide(made), wide(before), m_guard});
    return value(Opcode::low_b32, {selected, no_value, no_value});
  }
  if (type != Type::pred)
    return value(type == Type::b64 ? Opcode::selp_b64 : Opcode::selp_b32, {made, before, m_guard});
  const uint32_t others = value(Opcode::not_pred, {m_guard, no_value, no_value});
  made = value(Opcode::and_pred, {made, m_guard, no_value});
  return value(Opcode::or_pred, {made, value(Opcode::and_pred, {before, others, no_value}), no_value});
}

// `is_first`: the register is the op's first destination, for which flag_dead_out stands.
void Lowering::put(uint32_t slot, Type type, uint32_t value, bool is_first) {
  if (slot == no_slot) return;
  bool forgotten = is_first && (m_program.ops[m_at].flags & program::flag_dead_out) != 0;
  if (m_guard != no_value && (m_keeps_others || !forgotten)) {
    value = guarded(slot, type, value);
    forgotten = forgotten && m_depth == 0;  // the other side may read what the others have
  } else if (m_guard != no_value) {
    m_lost.try_emplace(slot, Known{type, get(slot, type)});
  }
  Instruction& made = emit(put_of(type));
  made.sources[0] = value;
  made.slot = slot;
  made.forgotten = forgotten;
  const auto last =
      made.forgotten && type != Type::pred && m_reads ? m_reads->last(slot, row_bytes(type)) : std::nullopt;
  // The number 0 means unknown. The op itself means that there is no later read.
  if (last) made.number = std::max(*last, m_at);
  forget(slot, row_bytes(type));
  m_known[slot] = {type, value};
  if (!m_in_loop) return;
  const auto [written, is_new] = m_written.try_emplace(slot, Written{type, made.forgotten});
  m_overlaps = m_overlaps || written->second.type != type;
  written->second.forgotten = made.forgotten && type != Type::pred;
}

// The unit ends; the next one, if there is one, begins with the op `next`.
void Lowering::finish(std::vector<Unit>& units, uint32_t next) {
  units.push_back(std::exchange(m_unit, {.start = next, .mode = m_request.mode}));
  m_known.clear();
  m_whole_masks.clear();
  m_flushed.clear();
}

bool Lowering::lower_setp(const Op& op, const Selector& s, uint32_t compared) {
  const uint32_t opposite =
      op.e == no_slot ? no_value : value(Opcode::not_pred, {compared, no_value, no_value});
  uint32_t p = compared, q = opposite;
  if (s.has_boolean) {
    uint32_t other = get(op.c, Type::pred);
    if ((op.flags & program::flag_negated) != 0) other = value(Opcode::not_pred, {other, no_value, no_value});
    const Opcode combine = s.boolean == Modifier::and_  ? Opcode::and_pred
                           : s.boolean == Modifier::or_ ? Opcode::or_pred
                                                        : Opcode::xor_pred;
    p = value(combine, {compared, other, no_value});
    if (opposite != no_value) q = value(combine, {opposite, other, no_value});
  }
  put(op.d, Type::pred, p);
  if (q != no_value) put(op.e, Type::pred, q);
  return true;
}

// Whether no lane is subnormal, by what makes the value and what is known of its sources.
bool Lowering::is_flushed(const Instruction& made) const {
  const auto is_known = [&](uint32_t source) {
    const auto found = m_flushed.find(source);
    return source == no_value || (found != m_flushed.end() && found->second == source);
  };
  switch (made.opcode) {
    case Opcode::flush_f32:
    case Opcode::mul_ftz_f32:
    case Opcode::div_ftz_f32:
    case Opcode::fma_ftz_f32:
    case Opcode::sqrt_f32:
    case Opcode::round_even_f32:
    case Opcode::round_zero_f32:
    case Opcode::round_minus_f32:
    case Opcode::round_plus_f32:
    case Opcode::float_s16:
    case Opcode::float_u16:
    case Opcode::float_s32:
    case Opcode::float_u32:
      return true;
    case Opcode::constant_b32:
      return (made.number & 0x7f800000) != 0 || (made.number & 0x7fffffff) == 0;
    case Opcode::canonical:
    case Opcode::neg_f32:
    case Opcode::abs_f32:
    case Opcode::min_f32:
    case Opcode::max_f32:
      return std::ranges::all_of(made.sources, is_known);
    default:
      return false;
  }
}

// Subnormal lanes become zeros. If lanes are in the frame, another region does not find the result.
uint32_t Lowering::flushed(uint32_t number) {
  if (const auto found = m_flushed.find(number); found != m_flushed.end()) return found->second;
  const uint32_t made = value(Opcode::flush_f32, {number, no_value, no_value});
  if (keeps_lanes()) m_flushed.emplace(number, made);
  return made;
}

std::optional<LaneRow> Lowering::row_of_op(const Op& op, const Selector& s) const {
  const auto lane_row = lane_row_of(s);
  if (!lane_row || (is_function(lane_row->row) && !keeps_lanes())) return {};
  const Opcode row = lane_row->row;
  const bool is_setp = s.opcode == ptx::Opcode::setp;
  if (is_setp && s.has_boolean && s.boolean != Modifier::and_ && s.boolean != Modifier::or_ &&
      s.boolean != Modifier::xor_)
    return {};
  const auto condition = is_setp ? condition_of(s.compare) : std::nullopt;
  const bool of_floats = kind_of(row) == Kind::setp_floats;
  if (is_setp && (!condition || (*condition > Condition::ge && !of_floats))) return {};
  const auto table = row == Opcode::lop3_b32 ? m_request.rows.find(op.e) : m_request.rows.end();
  if (row == Opcode::lop3_b32 && (table == m_request.rows.end() || !table->second.constant)) return {};
  return lane_row;
}

bool Lowering::lower_row(const Op& op, const Selector& s) {
  const auto lane_row = row_of_op(op, s);
  if (!lane_row) return false;
  const Opcode row = lane_row->row;
  const OpcodeInfo& info = info_of(row);
  const bool is_setp = s.opcode == ptx::Opcode::setp, is_selp = s.opcode == ptx::Opcode::selp;
  std::array<uint32_t, 3> sources{no_value, no_value, no_value};
  const uint32_t slots[3] = {op.a, op.b, op.c};
  const Opcode widen = lane_row->keeps_sign ? Opcode::extend_s16 : Opcode::extend_u16;
  for (size_t i = 0; i < 3; ++i) {
    if (info.sources[i] == Type::none) continue;
    sources[i] = get(slots[i], lane_row->source(i));
    if (lane_row->widened[i]) sources[i] = value(widen, {sources[i], no_value, no_value});
    if (lane_row->flushes_sources) sources[i] = flushed(sources[i]);
  }
  if (lane_row->before) sources[0] = value(*lane_row->before, {sources[0], no_value, no_value});
  if (is_selp && (op.flags & program::flag_negated) != 0) std::swap(sources[0], sources[1]);
  uint32_t made = value(row, sources);
  if (is_setp) m_unit.code.back().condition = *condition_of(s.compare);
  if (row == Opcode::lop3_b32) m_unit.code.back().number = *m_request.rows.find(op.e)->second.constant & 255;
  if (is_setp) return lower_setp(op, s, made);
  if (lane_row->flushes_result) made = flushed(made);
  if (info.nan == Nan::raw) made = value(Opcode::canonical, {made, no_value, no_value});
  if (lane_row->takes_low_half) made = value(Opcode::low_b32, {made, no_value, no_value});
  put(op.d, lane_row->takes_low_half ? Type::b16 : info.result, made);
  return true;
}

// Moves, conversions that change nothing, and addresses of windows.
bool Lowering::lower_copy(const Op& op, const Selector& s) {
  const uint32_t bits = ptx::bits_of(s.type);
  const Type type = bits == 1 ? Type::pred : bits == 16 ? Type::b16 : bits == 32 ? Type::b32 : Type::b64;
  switch (program::family_of(s)) {
    case program::Family::move:
      if (s.opcode == ptx::Opcode::cvta) {
        const uint32_t a = get(op.a, Type::b64), b = get(op.b, Type::b64);
        put(op.d, Type::b64, value(Opcode::add_b64, {a, b, no_value}));
        return true;
      }
      if (is_unpacking(s)) {
        const uint32_t from = get(op.a, Type::b64);
        const uint32_t low = value(Opcode::low_b64, {from, no_value, no_value}),
                       high = value(Opcode::high_b64, {from, no_value, no_value});
        put(op.d, Type::b32, low);
        put(op.b, Type::b32, high, false);
        return true;
      }
      if (s.opcode != ptx::Opcode::mov || s.vector != 1 || bits == 128) return false;
      break;
    case program::Family::convert:
      if (s.sat || ptx::is_float(s.type) || ptx::is_float(s.source_type)) return false;
      if (bits < 16 || bits != ptx::bits_of(s.source_type)) return false;
      break;
    default:
      return false;
  }
  put(op.d, type, get(op.a, type));
  return true;
}

// Plain accesses without observers. Of warps with some lanes active, those of a traced run are left to
// handlers, and addresses of 32 bits in a wider space.
bool Lowering::lower_access(const Op& op, const Selector& s) {
  if (!is_plain_access(s) || op.d == no_slot) return false;
  const bool is_part = m_request.mode != program::all_lanes || m_request.live || m_depth != 0;
  if (is_part && (m_request.traced || (program::has_narrow_address(op) && !program::is_in_short_space(op))))
    return false;
  const bool is_shared = s.operation == Modifier::shared;
  if (is_shared ? m_request.listeners.shared : m_request.listeners.global) return false;
  const uint32_t bytes = ptx::bits_of(s.type) / 8, register_bytes = s.destination_bits / 8u;
  if (bytes >= 4 ? register_bytes != bytes : register_bytes != 2 && register_bytes != 4) return false;
  const auto row = m_request.rows.find(op.d);
  if (bytes > 8 || (register_bytes < 4 && row != m_request.rows.end())) return false;
  const bool store = s.opcode == ptx::Opcode::st, known = program::has_known_address(op),
             narrow = program::has_narrow_address(op);
  add_note(m_at, {is_shared, false, static_cast<uint8_t>(bytes)});
  uint32_t address = no_value;
  if (!known) address = get(program::address_base(op), narrow ? Type::b32 : Type::b64);
  const Type type = register_bytes == 2 ? Type::b16 : register_bytes == 4 ? Type::b32 : Type::b64;
  uint32_t stored = no_value;
  if (store && keeps_lanes()) stored = get(op.d, type);
  // Stores read their register where the frame may lack it.
  if (store && row != m_request.rows.end() && row->second.special) {
    const uint32_t guard = std::exchange(m_guard, no_value);
    put(op.d, type, get(op.d, type));
    m_guard = guard;
  }
  Instruction& made = emit(known    ? store ? Opcode::store_known : Opcode::load_known
                           : narrow ? store ? Opcode::store_b32 : Opcode::load_b32
                           : store  ? Opcode::store_b64
                                    : Opcode::load_b64);
  made.sources[0] = address;
  made.sources[2] = stored;
  made.slot = op.d;
  made.number = program::address_offset(op);
  made.access = {is_shared,
                 ptx::is_signed(s.type) && !store,
                 static_cast<uint8_t>(bytes),
                 static_cast<uint8_t>(register_bytes),
                 program::access_counter(op),
                 s.operation == Modifier::constant};
  if (store) return true;
  forget(op.d, 32 * register_bytes);
  if (!keeps_lanes()) {
    m_is_refused = m_is_refused || lose(op.d, 32 * register_bytes);  // others have what the frame has
    return true;
  }
  const uint32_t loaded = made.result = m_unit.values++;
  put(op.d, type, loaded);
  return true;
}

// What a register of 32 bits has here, where that is a number.
std::optional<uint32_t> Lowering::constant_of(uint32_t slot) {
  const uint32_t value = get(slot, Type::b32);
  for (const auto* code : {&m_unit.code, &m_before})
    for (auto i = code->rbegin(); i != code->rend(); ++i)
      if (i->result == value && i->opcode == Opcode::constant_b32) return static_cast<uint32_t>(i->number);
  return {};
}

void Lowering::require_whole(uint32_t mask_slot) {
  if (constant_of(mask_slot) == 0xffffffff) return;
  const uint32_t mask = get(mask_slot, Type::b32);
  if (!m_whole_masks.insert(mask).second) return;
  emit(Opcode::whole_b32).sources[0] = mask;
}

// Whether lanes of a whole warp exchange values here. If compiled code stops before it, the handlers read all
// of its registers, so the compiler has to know which these are.
bool Lowering::may_exchange(const Op& op) const {
  return m_request.mode == program::all_lanes && !m_request.live && m_guard == no_value &&
         is_collective(m_program, op) && m_program.watching != program::Watching::all && m_reads &&
         m_reads->last(op.a, 128);
}

// Makes a predicate whose lanes are these bits.
uint32_t Lowering::known_word(uint32_t word) {
  const uint32_t made = value(Opcode::constant_pred);
  m_unit.code.back().number = word;
  m_unit.code.back().step = 0;
  return made;
}

uint32_t Lowering::gather(Opcode opcode, uint32_t source, uint64_t number) {
  const uint32_t made = value(opcode, {source, no_value, no_value});
  m_unit.code.back().number = number;
  m_unit.code.back().step = 0;
  return made;
}

// Lowers a shuffle of a whole warp. c must be a number; b may be a register.
bool Lowering::lower_shuffle(const Op& op) {
  if (!may_exchange(op) || !program::is_shuffle(program::collective_of(op))) return false;
  const auto shuffle = program::CollectiveOp::of(op);
  const auto b = constant_of(shuffle.b), c = constant_of(shuffle.c);
  if (!c) return false;
  if (!shuffle.mask_is_constant) require_whole(shuffle.mask_slot);
  const KnownShuffle known{shuffle.kind, b.value_or(0) & 31, *c & 0x1f1f};
  const uint32_t from = get(shuffle.value, Type::b32), by = b ? no_value : get(shuffle.b, Type::b32);
  if (shuffle.result_predicate != no_slot) {
    const bool is_known = b || known.is_always_inside();
    const uint32_t inside =
        is_known ? known_word(known.inside()) : gather(Opcode::shuffle_inside_b32, by, known.number());
    put(shuffle.result_predicate, Type::pred, inside);
  }
  if (shuffle.result == no_slot) return true;
  if (keeps_lanes()) {
    const uint32_t made = value(b ? Opcode::shuffle_b32 : Opcode::shuffle_by_b32, {from, by, no_value});
    m_unit.code.back().number = known.number();
    put(shuffle.result, Type::b32, made);
    return true;
  }
  Instruction& made = emit(b ? Opcode::shuffle_frame_b32 : Opcode::shuffle_by_frame_b32);
  made.sources = {from, by, no_value};
  made.slot = shuffle.result;
  made.number = known.number();
  forget(shuffle.result, row_bytes(Type::b32));
  return true;
}

// Lowers instructions whose result is known when code is made, because the warp is whole.
bool Lowering::lower_known_collective(const program::CollectiveOp& collective) {
  switch (collective.kind) {
    case program::Collective::warp_sync:
      return true;
    case program::Collective::active_mask: {
      const uint32_t all = gather(Opcode::ballot_b32, known_word(0xffffffff));
      put(collective.result, Type::b32, all);
      m_whole_masks.insert(all);
      return true;
    }
    case program::Collective::elect:
      if (collective.result != no_slot)
        put(collective.result, Type::b32, gather(Opcode::ballot_b32, known_word(0)));
      if (collective.result_predicate != no_slot) put(collective.result_predicate, Type::pred, known_word(1));
      return true;
    default:
      return false;
  }
}

void Lowering::match_any(const program::CollectiveOp& match) {
  const uint32_t from = get(match.value, Type::b32);
  if (keeps_lanes())
    return put(match.result, Type::b32, value(Opcode::match_any_b32, {from, no_value, no_value}));
  Instruction& made = emit(Opcode::match_any_frame_b32);
  made.sources[0] = from;
  made.slot = match.result;
  forget(match.result, row_bytes(Type::b32));
}

// Lowers votes, matches, reductions, and instructions whose result is known in a whole warp.
bool Lowering::lower_collective(const Op& op) {
  if (!may_exchange(op)) return false;
  const auto collective = program::CollectiveOp::of(op);
  const auto opcode = gathering_of(collective.kind);
  const bool is_known = collective.kind >= program::Collective::active_mask,
             is_match_any =
                 collective.kind == program::Collective::match_any32 && collective.result != no_slot;
  if (!opcode && !is_known && !is_match_any) return false;
  if (!collective.mask_is_constant) require_whole(collective.mask_slot);
  if (is_known) return lower_known_collective(collective);
  if (is_match_any) {
    match_any(collective);
    return true;
  }
  const uint32_t made = gather(*opcode, get(collective.value, info_of(*opcode).sources[0]));
  m_unit.code.back().negated = collective.negated;
  if (info_of(*opcode).result == Type::b32) {
    put(collective.result, Type::b32, made);
    return true;
  }
  if (collective.result_predicate != no_slot) put(collective.result_predicate, Type::pred, made);
  // The result of a match is the mask, or 0.
  if (collective.result != no_slot) put(collective.result, Type::b32, gather(Opcode::ballot_b32, made));
  return true;
}

bool Lowering::lower_call() {
  const uint32_t behind = behind_call(m_program, m_at);
  if (behind == 0) return false;
  add_note(m_at);
  emit(Opcode::call).number = behind;
  std::erase_if(m_known, [&](const auto& entry) { return !is_known_row(entry.first, entry.second.type); });
  m_at = behind - 1;
  return true;
}

// Whether each result is of a type that can be selected, and nothing else happens.
bool Lowering::may_guard(uint32_t at) const {
  const Op& op = m_program.ops[at];
  if (!has_selector(m_program, at) || (op.flags & program::flag_chained) != 0) return false;
  const Selector& s = *m_program.selectors[at];
  if (s.opcode == ptx::Opcode::mov && s.vector == 1) return ptx::bits_of(s.type) <= 64;
  const auto row = row_of_op(op, s);
  return row.has_value();
}

// Ops under a guard, where all of them are lanes: each result is selected by the predicate.
bool Lowering::lower_guarded() {
  const Op& guard = m_program.ops[m_at];
  if (!runs(guard, &run_guard)) return false;
  const uint32_t behind = m_at + static_cast<uint32_t>(program::branch_jump(guard));
  for (uint32_t at = m_at + 1; at < behind; ++at)
    if (!may_guard(at)) return false;
  add_note(m_at);
  uint32_t predicate = get(program::branch_predicate(guard), Type::pred);
  if ((guard.flags & program::flag_negated) != 0)
    predicate = value(Opcode::not_pred, {predicate, no_value, no_value});
  const uint32_t outer = m_guard;
  const bool keeps_others = std::exchange(m_keeps_others, true);
  m_guard = outer == no_value ? predicate : value(Opcode::and_pred, {outer, predicate, no_value});
  for (++m_at; m_at < behind; ++m_at) lower_lanes(m_program.ops[m_at], *m_program.selectors[m_at]);
  m_guard = outer;
  m_keeps_others = keeps_others;
  m_at = behind - 1;
  return true;
}

bool Lowering::lower_without_handler() {
  if (lower_guarded()) return true;
  const Op& op = m_program.ops[m_at];
  const uint32_t at = m_at;
  bool is_lanes = runs(op, &run_nothing) || lower_shuffle(op) || lower_collective(op);
  if (!is_lanes && has_selector(m_program, at)) {
    const Selector& s = *m_program.selectors[at];
    is_lanes = lower_lanes(op, s);
    if (!is_lanes && lower_access(op, s)) return true;
  }
  if (is_lanes) add_note(at);
  return is_lanes;
}

bool Lowering::goes_on_behind(uint32_t branch) const {
  const uint32_t next = branch + 1;
  return m_request.mode == program::all_lanes && !m_followed && next < m_program.ops.size() &&
         runs(m_program.ops[next], &run_enter) && m_request.followed.contains(next);
}

// A guarded branch falls through to the block after it.
void Lowering::lower_branch(std::vector<Unit>& units) {
  const Op& op = m_program.ops[m_at];
  const auto target = static_cast<uint32_t>(static_cast<int64_t>(m_at) + program::branch_jump(op));
  if (!program::is_guarded(op)) return go_to(units, target);
  const uint32_t predicate = keeps_lanes() ? get(program::branch_predicate(op), Type::pred) : no_value;
  Instruction& branch = emit(Opcode::branch);
  branch.sources[0] = predicate;
  if (predicate == no_value) branch.slot = program::branch_predicate(op);
  branch.negated = (op.flags & program::flag_negated) != 0;
  branch.number = target;
  if (!starts_block(m_program, m_at + 1)) return;
  ++m_at;
  if (goes_on_behind(m_at - 1)) {
    m_followed = true;
    enter();
    return;
  }
  go_to(units, m_at);
}

// The number of values that a target can spill.
bool Lowering::is_long_region() const {
  constexpr size_t longest = 192;
  const auto& code = m_unit.code;
  if (keeps_lanes() || code.size() < longest) return false;
  return std::none_of(code.end() - longest, code.end(),
                      [](const Instruction& i) { return ends_region(i.opcode) && i.opcode != Opcode::note; });
}

// Ends the unit. A basic block that only exits becomes part of this unit, since the frame is not read after
// it.
void Lowering::go_to(std::vector<Unit>& units, uint32_t target) {
  const auto& ops = m_program.ops;
  if (target + 1 < ops.size() && runs(ops[target], &run_enter) && runs(ops[target + 1], &run_exit)) {
    m_at = target;
    enter();
    add_note(++m_at);
    emit(Opcode::exit);
  } else {
    emit(Opcode::jump).number = target;
  }
  finish(units, m_at + 1);
}

// From the first block to the branch back.
bool Lowering::lower_round(const Loop& loop) {
  for (const uint32_t start : loop.starts) {
    m_at = start;
    enter();
    for (++m_at; !starts_block(m_program, m_at); ++m_at) {
      const Op& op = m_program.ops[m_at];
      if (runs(op, &run_branch)) add_note(m_at);
      if (m_at == loop.back) return true;
      if (!runs(op, &run_branch)) {
        if (!lower_op() || m_unit.code.back().opcode == Opcode::call) return false;
        continue;
      }
      if (!program::is_guarded(op)) break;
      const uint32_t predicate = get(program::branch_predicate(op), Type::pred);
      Instruction& branch = emit(Opcode::branch);
      branch.sources[0] = predicate;
      branch.negated = (op.flags & program::flag_negated) != 0;
      branch.number = static_cast<uint64_t>(static_cast<int64_t>(m_at) + program::branch_jump(op));
    }
  }
  return false;
}

// A round's reads and writes are carried, and what is read after the loop.
bool Lowering::close_loop(const Loop& loop) {
  const Op& op = m_program.ops[loop.back];
  uint32_t predicate = no_value;
  if (program::is_guarded(op)) predicate = get(program::branch_predicate(op), Type::pred);
  Instruction again{.opcode = Opcode::again, .at = loop.back};
  again.sources[0] = predicate;
  again.negated = program::is_guarded(op) && (op.flags & program::flag_negated) != 0;
  for (const auto& [slot, written] : m_written) {
    const uint32_t end = slot + row_bytes(written.type);
    const auto next = m_written.upper_bound(slot);
    if (next != m_written.end() && next->first < end) return false;
    bool is_read = false;
    for (Instruction& read : m_before) {
      const Type type = info_of(read.opcode).result;
      if (read.slot >= end || slot >= read.slot + row_bytes(type)) continue;
      if (read.slot != slot || type != written.type || !is_get(read.opcode)) return false;
      read.opcode = carried_of(type);
      is_read = true;
    }
    if (!is_read && written.forgotten) continue;
    if (!is_read) {
      Instruction read{.opcode = carried_of(written.type), .result = m_unit.values++, .at = loop.back};
      read.slot = slot;
      m_before.push_back(std::move(read));
    }
    again.carries.push_back({written.type, slot, m_known.at(slot).value});
  }
  m_unit.code.push_back(std::move(again));
  m_unit.code.insert(m_unit.code.begin(), std::move_iterator(m_before.begin()),
                     std::move_iterator(m_before.end()));
  return true;
}

// False if there is none, or if not all of it has code of its own; then nothing is lowered.
bool Lowering::lower_loop() {
  const auto loop = find_loop(m_program, m_at);
  if (!loop) return false;
  const uint32_t start = m_at;
  m_in_loop = true;
  emit(Opcode::loop);
  const bool is_whole = lower_round(*loop) && !m_overlaps && close_loop(*loop);
  m_in_loop = m_overlaps = false;
  m_before.clear();
  m_written.clear();
  m_known.clear();
  m_whole_masks.clear();
  m_flushed.clear();
  m_at = start;
  if (!is_whole) {
    m_unit = {.start = start, .mode = m_request.mode};
    return false;
  }
  m_at = loop->back + 1;
  return true;
}

std::vector<Unit> Lowering::run() {
  std::vector<Unit> units;
  m_unit = {.start = m_at, .mode = m_request.mode};
  if (keeps_lanes() && lower_loop()) {
    if (ends_unit(m_unit.code.back())) {
      finish(units, m_at);
    } else {
      go_to(units, m_at);
    }
    return units;
  }
  run_to_end_of_block(units);
  return units;
}

// Of the branch where the unit begins. First come the lanes that do not take it, as the last path of a warp
// runs first.
bool Lowering::lower_sides(uint32_t depth) {
  const Op& op = m_program.ops[m_at];
  const auto branch = program::BranchOp::of(op);
  const auto of_branch = [at = m_at](int32_t way) { return static_cast<uint32_t>(int64_t{at} + way); };
  const uint32_t next = of_branch(1), taken = of_branch(branch.jump), meet = of_branch(branch.meet);
  const uint32_t outer = m_guard, at = m_at;
  const bool keeps_others = m_keeps_others;
  const auto change_lanes = [&](Opcode opcode) {
    m_at = at;
    Instruction& made = emit(opcode);
    made.number = depth;
    if (opcode == Opcode::rejoin) return;
    made.step = 0;
    m_guard = made.result = m_unit.values++;
  };
  const uint32_t predicate = keeps_lanes() ? get(branch.predicate, Type::pred) : no_value;
  change_lanes(Opcode::part_pred);
  Instruction& part = m_unit.code.back();
  part.sources[0] = predicate;
  if (predicate == no_value) part.slot = branch.predicate;
  part.negated = branch.negated;
  ++m_depth;
  if (next != meet) {
    m_keeps_others = keeps_others || taken != meet;
    m_at = next;
    if (!lower_side(meet, depth + 1)) return false;
  }
  m_keeps_others = keeps_others;
  if (taken != meet) {
    change_lanes(Opcode::other_pred);
    m_at = taken;
    if (!lower_side(meet, depth + 1)) return false;
  }
  change_lanes(Opcode::rejoin);
  if (--m_depth == 0) m_lost.clear();
  m_guard = outer;
  m_at = meet;
  return !m_is_refused;
}

bool Lowering::lower_side(uint32_t meet, uint32_t depth) {
  while (m_at != meet) {
    const Op& op = m_program.ops[m_at];
    if (runs(op, &run_branch) && program::is_guarded(op)) {
      if (!lower_sides(depth)) return false;
    } else if (runs(op, &run_branch)) {
      m_at += static_cast<uint32_t>(program::branch_jump(op));
    } else if (runs(op, &run_enter)) {
      enter();
      ++m_at;
    } else {
      if (!lower_without_handler()) return false;
      ++m_at;
    }
  }
  return true;
}

std::optional<Unit> Lowering::run_divergent() {
  const auto steps = steps_of_sides(m_program, m_at);
  if (!steps) return {};
  m_unit = {.start = m_at, .mode = m_request.mode};
  emit(Opcode::divergent).number = static_cast<uint64_t>(*steps);
  m_keeps_others = false;
  if (!lower_sides(0)) return {};
  m_keeps_others = true;
  std::vector<Unit> units;
  run_to_end_of_block(units);
  if (units.empty()) return {};
  return std::move(units.front());
}

void Lowering::run_to_end_of_block(std::vector<Unit>& units) {
  if (runs(m_program.ops[m_at], &run_enter)) {
    enter();
    ++m_at;
  }
  for (; !starts_block(m_program, m_at); ++m_at) {
    const Op& op = m_program.ops[m_at];
    if (is_long_region()) emit(Opcode::cut);
    if (runs(op, &run_branch)) {
      add_note(m_at);
      lower_branch(units);
      if (m_unit.code.empty()) return;
    } else if (runs(op, &run_exit)) {
      add_note(m_at);
      emit(Opcode::exit);
      return finish(units, m_at + 1);
    } else if (runs(op, &run_barrier)) {
      add_note(m_at);
      emit(Opcode::barrier);
      finish(units, m_at + 1);
    } else if (!lower_op()) {
      emit(Opcode::leave);
      finish(units, m_at + 1);
    }
    // What comes now is lowered from the start of that block on, too.
    if (m_followed && m_unit.code.empty()) return;
  }
  // The program's last op is an exit or a jump; what runs past it is left to the interpreter.
  if (!m_unit.code.empty() && m_at < m_program.ops.size()) go_to(units, m_at);
}

}  // namespace

uint32_t behind_call(const Program& program, uint32_t at) {
  const Op& op = program.ops[at];
  if (!runs(op, &run_guard)) return !may_call(program, at) ? 0 : runs(op, &run_rounded) ? at + 2 : at + 1;
  const uint32_t behind = at + static_cast<uint32_t>(program::branch_jump(op));
  for (uint32_t i = at + 1; i < behind; ++i)
    if (!may_call(program, i)) return 0;
  return behind;
}

std::vector<Unit> lower(const LowerRequest& request, uint32_t start) {
  return Lowering(request, start).run();
}

std::optional<Unit> lower_divergent(const LowerRequest& request, uint32_t branch) {
  return Lowering(request, branch).run_divergent();
}

}  // namespace warplens::exec::jit
