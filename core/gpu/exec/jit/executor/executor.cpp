#include "core/gpu/exec/jit/executor/executor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <span>
#include <utility>

#include "core/gpu/exec/jit/ir/gathering.h"
#include "core/gpu/exec/jit/ir/shuffle.h"
#include "core/gpu/exec/jit/lower/divergent.h"
#include "core/gpu/exec/jit/lower/lower.h"
#include "core/gpu/exec/jit/lower/rows.h"
#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/exchange.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::jit {

namespace {

// The bytes of a value's cell: 32 lanes of 64 bits. Smaller types use a part of it.
constexpr uint32_t cell_bytes = 256;

// An instruction, and the op that a functor of the interpreter runs for it: its registers are cells.
struct Step {
  Instruction instruction;
  Op op = {};
};

struct Executable {
  const program::Program* program = nullptr;
  const Op* ops = nullptr;
  // By the branch: the unit where its lanes have diverged.
  const std::map<uint32_t, const Executable*>* divergent = nullptr;
  Mode mode = program::all_lanes;
  uint32_t cells = 0;
  std::vector<Step> steps = {};
  size_t loop = 0;                              // the step that starts its rounds
  std::map<uint32_t, uint32_t> carried = {};    // by slot: the value that a round starts with
  std::map<uint32_t, uint32_t> row_lanes = {};  // of values that are rows
};

struct Place {
  const Executable* unit = nullptr;
  size_t first = 0, before = 0;  // as of UnitEntry, in steps
};

[[noreturn]] void fail(const Instruction& i, const char* what) {
  std::fprintf(stderr, "The executor of the IR: %s does not hold: %s.\n", print(i).c_str(), what);
  std::abort();
}

class Run {
 public:
  Run(const Executable& unit, Warp& warp) : m_unit(unit), m_warp(warp) {
    static thread_local std::vector<std::byte> cells;
    if (cells.size() < size_t{unit.cells} * cell_bytes + 64)
      cells.resize(size_t{unit.cells} * cell_bytes + 64);
    m_cells = cells.data() + (64 - reinterpret_cast<uintptr_t>(cells.data()) % 64) % 64;
  }
  const Op* from(const Place& place);

 private:
  template <class T>
  T* cell(uint32_t value) const {
    return reinterpret_cast<T*>(m_cells + size_t{value} * cell_bytes);
  }
  // Code of whole warps writes whole registers.
  uint32_t written_lanes() const { return m_unit.mode == program::all_lanes ? 0xffffffff : m_warp.mask; }
  template <class T>
  void copy_active(T* to, const T* from) const {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      if (written_lanes() >> lane & 1) to[lane] = from[lane];
  }
  void get(const Instruction& i) const;
  void put(Type type, uint32_t slot, uint32_t value) const;
  void shuffle(const Instruction& i, uint32_t* to) const;
  void match_any(const Instruction& i, uint32_t* to) const;
  uint32_t shuffle_inside(const Instruction& i) const;
  void broadcast(const Instruction& i, uint64_t bits) const;
  void gather(const Instruction& i) const;
  void compute(const Step& step) const;
  static void make_canonical(const uint32_t* from, uint32_t* to);
  template <class T>
  void check_row(const Instruction& i) const;
  void check(const Instruction& i) const;
  template <class T>
  bool ascends(const Instruction& i) const;
  bool ascends(const Instruction& i) const;
  void put_state(const Instruction& i) const {
    for (const Put& p : i.state) {
      if (p.canonical) make_canonical(cell<uint32_t>(p.value), cell<uint32_t>(m_unit.cells - 1));
      put(p.type, p.slot, p.canonical ? m_unit.cells - 1 : p.value);
    }
  }
  const Op* signal(Signal what) const {
    m_warp.signal = what;
    return nullptr;
  }
  // Whether the next instruction follows; else m_next is what comes.
  bool run_lanes(const Step& step);
  bool run_warp(const Instruction& i);
  bool enter(const Instruction& i);
  bool change_lanes(const Instruction& i);
  bool part(const Instruction& i);
  // The lanes that take it.
  uint32_t taken(const Instruction& i) const;
  bool branch(const Instruction& i);
  bool again(const Instruction& i);
  bool note(const Instruction& i);
  bool access(const Instruction& i);
  bool call(const Instruction& i);
  bool go(const Op* next) {
    m_next = next;
    return false;
  }

  const Executable& m_unit;
  Warp& m_warp;
  std::byte* m_cells = nullptr;
  const Op* m_next = nullptr;
  bool m_starts_round = false;
  struct Sides {
    uint32_t taken, outer;
  };
  std::array<Sides, most_divergent> m_sides{};
  uint64_t m_depth = 0;  // of the branches around the instruction
};

void Run::get(const Instruction& i) const {
  std::memcpy(cell<std::byte>(i.result), m_warp.frame + i.slot, row_bytes(info_of(i.opcode).result));
}

void Run::put(Type type, uint32_t slot, uint32_t value) const {
  if (type == Type::pred) {
    uint32_t& word = m_warp.predicate(slot);
    word = (word & ~written_lanes()) | (*cell<uint32_t>(value) & written_lanes());
  } else if (type == Type::b16) {
    copy_active(m_warp.reg<uint16_t>(slot), cell<uint16_t>(value));
  } else if (type == Type::b32) {
    copy_active(m_warp.reg<uint32_t>(slot), cell<uint32_t>(value));
  } else {
    copy_active(m_warp.reg<uint64_t>(slot), cell<uint64_t>(value));
  }
}

// The register may be the source's.
void Run::shuffle(const Instruction& i, uint32_t* to) const {
  std::array<uint32_t, warp_lanes> lanes{};
  const auto known = KnownShuffle::of(i.number);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint32_t b = i.sources[1] == no_value ? known.b : cell<uint32_t>(i.sources[1])[lane];
    lanes[lane] = cell<uint32_t>(i.sources[0])[shuffle_source(known.kind, lane, b, known.c).lane];
  }
  std::ranges::copy(lanes, to);
}

void Run::match_any(const Instruction& i, uint32_t* to) const {
  Exchange exchange{.lanes = 0xffffffff};
  std::copy_n(cell<uint32_t>(i.sources[0]), warp_lanes, exchange.value.begin());
  combine(program::Collective::match_any32, exchange);
  std::ranges::copy(exchange.result, to);
}

uint32_t Run::shuffle_inside(const Instruction& i) const {
  const auto known = KnownShuffle::of(i.number);
  uint32_t word = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    word |= uint32_t{shuffle_source(known.kind, lane, cell<uint32_t>(i.sources[0])[lane], known.c).inside}
            << lane;
  return word;
}

void Run::broadcast(const Instruction& i, uint64_t bits) const {
  const bool wide = info_of(i.opcode).result == Type::b64;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if (wide) {
      cell<uint64_t>(i.result)[lane] = bits;
    } else {
      cell<uint32_t>(i.result)[lane] = static_cast<uint32_t>(bits);
    }
  }
}

// Computes one word from all lanes, as the handlers do.
void Run::gather(const Instruction& i) const {
  Exchange exchange{.lanes = 0xffffffff};
  const uint32_t source = i.sources[0];
  if (is_vote(i.opcode)) {
    const uint32_t word = *cell<uint32_t>(source);
    exchange.predicates = i.negated ? ~word : word;
  } else {
    const bool wide = info_of(i.opcode).sources[0] == Type::b64;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      exchange.value[lane] = wide ? cell<uint64_t>(source)[lane] : cell<uint32_t>(source)[lane];
  }
  combine(*collective_of(i.opcode), exchange);
  if (info_of(i.opcode).result == Type::pred) {
    *cell<uint32_t>(i.result) = exchange.result_predicates;
  } else {
    std::ranges::copy(exchange.result, cell<uint32_t>(i.result));
  }
  check(i);
}

// A result that may be any NaN is one that no functor makes.
void Run::compute(const Step& step) const {
  std::byte* const frame = m_warp.frame;
  const uint32_t mask = m_warp.mask;
  m_warp.frame = m_cells;
  m_warp.mask = written_lanes();  // predicates are written by it
  step.op.handlers.run[program::all_lanes](&step.op, m_warp);
  m_warp.frame = frame;
  m_warp.mask = mask;
  const Instruction& i = step.instruction;
  if (info_of(i.opcode).nan != Nan::raw) return;
  constexpr uint32_t another_nan = 0xffc00001;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    uint32_t& bits = cell<uint32_t>(i.result)[lane];
    if ((bits & 0x7fffffff) > 0x7f800000) bits = another_nan;
  }
}

void Run::make_canonical(const uint32_t* from, uint32_t* to) {
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    to[lane] = (from[lane] & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : from[lane];
}

template <class T>
void Run::check_row(const Instruction& i) const {
  const T* const lanes = cell<T>(i.result);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((m_warp.live >> lane & 1) != 0 &&
        lanes[lane] != static_cast<T>(lanes[i.rows.alike ? 0 : lane - lane % i.rows.lanes] +
                                      lane % i.rows.lanes * static_cast<uint64_t>(*i.step)))
      fail(i, "its step");
}

void Run::check(const Instruction& i) const {
  if (!i.step || i.result == no_value) return;
  const Type type = info_of(i.opcode).result;
  if (type == Type::b32) check_row<uint32_t>(i);
  if (type == Type::b64) check_row<uint64_t>(i);
}

template <class T>
bool Run::ascends(const Instruction& i) const {
  const T* const lanes = cell<T>(i.sources[0]);
  const uint32_t row_lanes = m_unit.row_lanes.at(i.sources[0]);
  for (uint32_t lane = 1; lane < warp_lanes; ++lane)
    if (lane % row_lanes != 0 && (lanes[1] > lanes[0]) != (lanes[lane] > lanes[lane - 1])) return false;
  // No `ascends` has a step of 0. Lanes may also descend, so both directions are accepted.
  return true;
}

bool Run::ascends(const Instruction& i) const {
  switch (i.opcode) {
    case Opcode::ascends_s32:
      return ascends<int32_t>(i);
    case Opcode::ascends_u32:
      return ascends<uint32_t>(i);
    case Opcode::ascends_s64:
      return ascends<int64_t>(i);
    default:
      return ascends<uint64_t>(i);
  }
}

bool Run::run_lanes(const Step& step) {
  const Instruction& i = step.instruction;
  const Opcode o = i.opcode;
  if (info_of(o).is_lane) {
    compute(step);
  } else if (o == Opcode::canonical) {
    make_canonical(cell<uint32_t>(i.sources[0]), cell<uint32_t>(i.result));
  } else if (o == Opcode::high_b64) {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      cell<uint32_t>(i.result)[lane] = static_cast<uint32_t>(cell<uint64_t>(i.sources[0])[lane] >> 32);
  } else if (o == Opcode::shuffle_b32 || o == Opcode::shuffle_by_b32) {
    shuffle(i, cell<uint32_t>(i.result));
  } else if (o == Opcode::match_any_b32) {
    match_any(i, cell<uint32_t>(i.result));
  } else if (o == Opcode::constant_pred) {
    *cell<uint32_t>(i.result) = static_cast<uint32_t>(i.number);
  } else if (is_put(o)) {
    put(info_of(o).sources[0], i.slot, i.sources[0]);
  } else if (o == Opcode::special_b32 || o == Opcode::special_b64) {
    broadcast(i, m_warp.block->special_values[i.number]);
  } else if (is_constant(o)) {
    broadcast(i, i.number);
  } else {
    get(i);
  }
  check(i);
  return true;
}

// As enter_block() does.
bool Run::enter(const Instruction& i) {
  const Op& op = m_unit.ops[i.at];
  put_state(i);
  const bool is_side = m_depth != 0;
  if (is_side && m_warp.mask == 0) return true;
  if (!is_side && &op == m_warp.join_op) return go(signal(Signal::arrive));
  BlockCount& count = m_warp.block->counts[program::entered_block(op)];
  ++count.warps;
  count.threads += m_warp.active;
  m_warp.steps -= steps_of(i);
  if (m_warp.steps >= 0) return true;
  m_warp.next = &op + 1;
  return go(signal(Signal::slice));
}

uint32_t Run::taken(const Instruction& i) const {
  const uint32_t word = i.sources[0] != no_value ? *cell<uint32_t>(i.sources[0]) : m_warp.predicate(i.slot);
  return (i.negated ? ~word : word) & m_warp.mask;
}

bool Run::branch(const Instruction& i) {
  const uint32_t lanes = taken(i);
  if (lanes == 0) return true;
  put_state(i);
  if (lanes == m_warp.mask) return go(m_unit.ops + target_of(i));
  return part(i);
}

bool Run::part(const Instruction& i) {
  const auto divergent = m_unit.divergent->find(i.at);
  const bool has_code = m_unit.mode == program::all_lanes && divergent != m_unit.divergent->end();
  if (has_code && m_warp.in_order && m_warp.steps >= steps_of(divergent->second->steps.front().instruction))
    return go(Run(*divergent->second, m_warp).from({divergent->second, 0, 0}));
  return go(run_branch(m_unit.ops + i.at, m_warp));
}

bool Run::change_lanes(const Instruction& i) {
  Sides& sides = m_sides[depth_of(i)];
  uint32_t mask = 0;
  m_depth = depth_of(i) + (i.opcode == Opcode::rejoin ? 0 : 1);
  if (i.opcode == Opcode::part_pred) {
    sides = {taken(i), m_warp.mask};
    mask = m_warp.mask & ~sides.taken;
    if (mask != 0 && sides.taken != 0) {
      ++m_warp.block->block_divergences;
      ++m_warp.block->memory_ops[program::branch_counter(m_unit.ops[i.at])].requests;
    }
  } else {
    mask = i.opcode == Opcode::rejoin ? sides.outer : sides.taken;
  }
  set_mask(m_warp, mask);
  if (i.result != no_value) *cell<uint32_t>(i.result) = mask;
  return true;
}

bool Run::again(const Instruction& i) {
  const uint32_t lanes = i.sources[0] == no_value ? m_warp.mask : taken(i);
  if (lanes == 0) return true;
  if (lanes != m_warp.mask) {
    put_state(i);
    return part(i);
  }
  std::vector<std::vector<std::byte>> carried;
  for (const Put& put : i.carries) {
    const std::byte* const from = cell<std::byte>(put.value);
    carried.emplace_back(from, from + row_bytes(put.type));
  }
  for (size_t n = 0; n < carried.size(); ++n)
    std::memcpy(cell<std::byte>(m_unit.carried.at(i.carries[n].slot)), carried[n].data(), carried[n].size());
  m_starts_round = true;
  return true;
}

// An access that follows notes itself, by the recorder.
bool Run::note(const Instruction& i) {
  put_state(i);
  const NotedRun noted = NotedRun::of(i);
  const bool is_guarded = i.sources[0] != no_value || i.slot != no_slot;
  TraceLog& log = *m_warp.block->trace;
  const TracedRun run{.first = noted.first,
                      .active = m_warp.mask,
                      .executed = is_guarded ? taken(i) : m_warp.mask,
                      .warp_and_count = TracedRun::pack(m_warp.index, noted.count),
                      .bytes = 0,
                      .space = Space::generic};
  if (log.left < noted.count || log.at == log.end) return log.add(log, m_warp, run) || go(nullptr);
  log.left -= noted.count;
  *log.at++ = run;
  return true;
}

// The handler has its register in the frame, and notes nothing.
bool Run::access(const Instruction& i) {
  put_state(i);
  const Op* const op = m_unit.program->ops.data() + i.at;
  const bool is_done = m_warp.mask == 0 || op->handlers.run[m_warp.mode](op, m_warp) != nullptr;
  if (is_done && i.result != no_value)
    std::memcpy(cell<std::byte>(i.result), m_warp.frame + i.slot, 32u * i.access.register_bytes);
  return is_done || go(nullptr);
}

bool Run::call(const Instruction& i) {
  const Op* const op = m_unit.ops + i.at;
  const Op* const next = m_unit.program->ops[i.at].handlers.run[m_warp.mode](op, m_warp);
  return next == m_unit.ops + target_of(i) || go(next);
}

bool Run::run_warp(const Instruction& i) {
  const Op* const op = m_unit.ops + i.at;
  if (is_access(i.opcode)) return access(i);
  if (is_gathering(i.opcode) && i.opcode != Opcode::shuffle_inside_b32) {
    gather(i);
    return true;
  }
  switch (i.opcode) {
    case Opcode::cut:
    case Opcode::loop:
      return true;
    case Opcode::whole_b32: {
      const std::span lanes(cell<uint32_t>(i.sources[0]), warp_lanes);
      if (std::ranges::all_of(lanes, [](uint32_t lane) { return lane == 0xffffffff; })) return true;
      put_state(i);
      return go(op);
    }
    case Opcode::shuffle_inside_b32:
      *cell<uint32_t>(i.result) = shuffle_inside(i);
      return true;
    case Opcode::shuffle_frame_b32:
    case Opcode::shuffle_by_frame_b32:
      shuffle(i, m_warp.reg<uint32_t>(i.slot));
      return true;
    case Opcode::match_any_frame_b32:
      match_any(i, m_warp.reg<uint32_t>(i.slot));
      return true;
    case Opcode::again:
      return again(i);
    case Opcode::note:
      return note(i);
    case Opcode::divergent:
      return true;
    case Opcode::part_pred:
    case Opcode::other_pred:
    case Opcode::rejoin:
      return change_lanes(i);
    case Opcode::enter:
      return enter(i);
    case Opcode::branch:
      return branch(i);
    case Opcode::call:
      return call(i);
    case Opcode::jump:
      return go(m_unit.ops + target_of(i));
    case Opcode::barrier:
      m_warp.next = op + 1;
      return go(signal(Signal::barrier));
    case Opcode::exit:
      return go(signal(Signal::exit));
    case Opcode::leave:
      return go(op);
    default:
      if (ascends(i)) return true;
      put_state(i);
      return go(op);
  }
}

const Op* Run::from(const Place& place) {
  if (m_warp.block->frames_lack_specials) fill_block_specials(*m_warp.block);
  for (size_t at = 0; at < place.before; ++at) run_lanes(m_unit.steps[at]);
  for (size_t at = place.first; at < m_unit.steps.size(); ++at) {
    const Step& step = m_unit.steps[at];
    const bool goes_on = ends_region(step.instruction.opcode) ? run_warp(step.instruction) : run_lanes(step);
    if (!goes_on) return m_next;
    if (std::exchange(m_starts_round, false)) at = m_unit.loop;
  }
  return m_next;
}

const Op* execute(Warp* warp, const void* at) {
  const Place& place = *static_cast<const Place*>(at);
  return Run(*place.unit, *warp).from(place);
}

// The cell after all values holds the table of a lop3.
Op op_of(const Instruction& i, const OpsTable& table) {
  Op op;
  if (!info_of(i.opcode).is_lane) return op;
  const auto cell = [](uint32_t value) { return value == no_value ? no_slot : value * cell_bytes; };
  op.handlers = program::find_handlers(table, selector_of(i.opcode, i.condition));
  op.d = cell(i.result);
  op.a = cell(i.sources[0]);
  op.b = cell(i.sources[1]);
  op.c = cell(i.sources[2]);
  op.e = no_slot;
  return op;
}

struct Executables {
  std::map<uint32_t, const Executable*> divergent;
  std::deque<Executable> units;
  std::deque<Place> places;
};

bool add(Executables& made, std::vector<std::pair<uint32_t, const void*>>& entered,
         const CompileRequest& request, Unit& unit) {
  Executable executable{request.program, request.ops, &made.divergent, unit.mode, unit.values};
  const bool parts = is_divergent(unit);
  const uint32_t start = unit.start;
  const std::vector<UnitEntry> entries = entries_of(unit);
  for (Instruction& i : unit.code) {
    if (i.opcode == Opcode::loop) executable.loop = executable.steps.size();
    if (is_carried(i.opcode)) executable.carried[i.slot] = i.result;
    if (i.step) executable.row_lanes[i.result] = i.rows.lanes;
    Step step;
    step.op = op_of(i, *request.program->table);
    if (info_of(i.opcode).is_lane && !step.op.handlers) return false;
    if (i.opcode == Opcode::lop3_b32) {
      // Its table is a source of the functor, so a constant comes before it.
      Instruction constant{.opcode = Opcode::constant_b32, .result = executable.cells++, .at = i.at};
      constant.number = i.number;
      step.op.e = constant.result * cell_bytes;
      executable.steps.push_back({std::move(constant), {}});
    }
    step.instruction = std::move(i);
    executable.steps.push_back(std::move(step));
  }
  ++executable.cells;  // the last one is for what is made on the way to the frame
  made.units.push_back(std::move(executable));
  const Executable& kept = made.units.back();
  if (parts) made.divergent.emplace(start, &kept);
  for (const UnitEntry& entry : entries) {
    made.places.push_back({&kept, entry.first, entry.before});
    entered.emplace_back(entry.op, &made.places.back());
  }
  return true;
}

}  // namespace

namespace {

Made compile_units(const CompileRequest& request, LanesAt lanes) {
  auto executables = std::make_shared<Executables>();
  Made made{.enter = &execute, .entered = {}, .kept = executables};
  for (Unit& unit : units_of(request, lanes))
    if (!add(*executables, made.entered, request, unit)) return {};
  return made;
}

}  // namespace

Made compile_for_executor(const CompileRequest& request) { return compile_units(request, LanesAt::frame); }
Made compile_for_executor_of_registers(const CompileRequest& request) {
  return compile_units(request, LanesAt::registers);
}

}  // namespace warplens::exec::jit
