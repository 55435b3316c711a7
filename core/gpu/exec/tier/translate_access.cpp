// Loads and stores of global and shared memory whose lanes lie to each other as they did before
// (core/gpu/exec/state/access_shape.h): the rules of core/gpu/exec/ops/whole_warp.h, in machine code. What
// differs goes to the handler.
#include "core/gpu/exec/tier/compiled.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/gpu/exec/tier/piece.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;
using ptx::Opcode;

constexpr Gpr shape_register = rdx, first_register = rcx;

class Access {
 public:
  Access(Piece& piece, const Op& op, const Selector& s)
      : m_piece(piece),
        m_code(piece.code),
        m_op(op),
        m_global(s.operation == Modifier::global),
        m_store(s.opcode == Opcode::st),
        m_signed(ptx::is_signed(s.type) && !m_store),
        m_bytes(ptx::bits_of(s.type) / 8),
        m_register_bytes(s.destination_bits / 8u),
        m_state(static_cast<int32_t>(program::access_counter(op)) * state_bytes) {}

  bool is_known(const Selector& s) const;
  void emit();

 private:
  At state(int32_t member) const { return {counters_register, m_state + member}; }
  static At shape(int32_t member) { return {shape_register, member}; }
  void find_shape();
  void compare_lanes(const LaneRegisters::Held& base);
  void find_first();
  void add_offset(Gpr to);
  void check_ends();
  void check_form();
  void count_global();
  void count_shared();
  void load(const Lanes& to);
  void load_window(Zmm to, int32_t window);
  void store(const Lanes& from);
  void go_beside(const std::vector<LaneRegisters::Held>& before);

  Piece& m_piece;
  X86Code& m_code;
  const Op& m_op;
  bool m_global, m_store, m_signed;
  uint32_t m_bytes, m_register_bytes;
  int32_t m_state;
  LaneRegisters::Held m_base;
  Label m_beside{}, m_back{};
};

// With forms of their own: a whole warp's elements of up to 32 bits, and 64 bits side by side.
bool Access::is_known(const Selector& s) const {
  if (s.vector != 1 || m_op.d == no_slot || (!m_global && s.operation != Modifier::shared)) return false;
  if (m_bytes == 8 || m_bytes == 4) return m_register_bytes == m_bytes;
  return m_register_bytes == 2 || m_register_bytes == 4;
}

void Access::compare_lanes(const LaneRegisters::Held& base) {
  const bool narrow = program::has_narrow_address(m_op);
  const uint32_t parts = narrow ? 2 : 4;
  const int32_t lanes =
      narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  constexpr MaskRegister masks[] = {k1, k2, k3, k4};
  m_code.vector(narrow ? vpbroadcastd : vpbroadcastq, scratch0, base.lanes[0]);
  for (uint32_t i = 0; i < parts; ++i) {
    m_code.vector(narrow ? vpaddd : vpaddq, scratch1, scratch0,
                  shape(lanes + static_cast<int32_t>(i) * vector_bytes));
    m_code.compare(narrow ? vpcmpd : vpcmpq, masks[i], scratch1, base.lanes[i], 4);
  }
  m_code.mask(korw, k1, k1, k2);
  if (!narrow) {
    m_code.mask(korw, k3, k3, k4);
    m_code.mask(korw, k1, k1, k3);
  }
  m_code.mask(kortestw, k1, no_mask, k1);
  m_code.jump(When::not_zero, m_beside);
}

// The shape that this instruction knows, in rdx, and that the lanes lie so. Registers that differ by a number
// were compared with it before, most often.
void Access::find_shape() {
  m_code.scalar(Scalar::load, shape_register,
                state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
  m_code.test(shape_register, shape_register);
  m_code.jump(When::zero, m_beside);
  if (program::has_known_address(m_op)) return;
  auto& known = m_piece.shapes_of_roots;
  const auto found = known.find(m_base.root);
  if (found == known.end() && known.size() == Piece::most_roots) return compare_lanes(m_base);
  const auto place = found != known.end() ? found->second : static_cast<uint32_t>(known.size());
  const At checked{rsp, static_cast<int32_t>(8 * place)};
  const Label same = m_code.label();
  if (found != known.end()) {
    m_code.scalar(Scalar::compare, shape_register, checked);
    m_code.jump(When::zero, same);
  }
  compare_lanes(m_base);
  m_code.store(checked, shape_register);
  m_code.bind(same);
  known[m_base.root] = place;
}

void Access::add_offset(Gpr to) {
  const auto offset = static_cast<int64_t>(program::address_offset(m_op));
  if (offset == 0) return;
  if (offset == static_cast<int32_t>(offset)) {
    m_code.scalar(Immediate::add, to, static_cast<int32_t>(offset));
  } else {
    m_code.move(rsi, static_cast<uint64_t>(offset));
    m_code.scalar(Scalar::add, to, rsi);
  }
}

// rcx: the first lane's address; r8 and r9: the smallest and the largest.
void Access::find_first() {
  if (program::has_known_address(m_op)) {
    m_code.move(first_register, program::address_offset(m_op));
  } else {
    m_code.vector(program::has_narrow_address(m_op) ? vmovd_to_gpr : vmovq_to_gpr, m_base.lanes[0], Zmm{0},
                  first_register);
  }
  m_code.scalar(Scalar::load, r8, shape(WARPLENS_OFFSET(AccessShape, low)));
  m_code.scalar(Scalar::load, r9, shape(WARPLENS_OFFSET(AccessShape, high)));
  m_code.scalar(Scalar::add, r8, first_register);
  m_code.scalar(Scalar::add, r9, first_register);
  if (program::has_known_address(m_op)) return;
  if (program::has_narrow_address(m_op)) {
    // 32 bits say all where no lane's address wraps around them.
    m_code.move(rax, r8);
    m_code.scalar(Scalar::or_, rax, r9);
    m_code.shift_right(rax, 32);
    m_code.jump(When::not_zero, m_beside);
  }
  for (const Gpr what : {first_register, r8, r9}) add_offset(what);
}

// That all of it lies in the allocation, or in shared memory; rcx becomes the host's address. Relative to the
// start, the smallest address is at most the largest, which leaves room for an element.
void Access::check_ends() {
  if (m_bytes > 1) {
    m_code.test_byte(first_register, static_cast<uint8_t>(m_bytes - 1));
    m_code.jump(When::not_zero, m_beside);
  }
  if (m_global) {
    m_code.scalar(Scalar::load, rax, state(WARPLENS_OFFSET(MemoryOpState, allocation)));
    m_code.test(rax, rax);
    m_code.jump(When::zero, m_beside);
    if (m_store) {
      m_code.compare_byte(At{rax, WARPLENS_OFFSET(Allocation, read_only)}, 0);
      m_code.jump(When::not_zero, m_beside);
      m_code.scalar(Immediate::compare, At{rax, WARPLENS_OFFSET(Allocation, writers)}, 0);
      m_code.jump(When::not_zero, m_beside);
    }
    m_code.scalar(Scalar::load, r10, At{rax, WARPLENS_OFFSET(Allocation, begin)});
    m_code.scalar(Scalar::load, r11, At{rax, WARPLENS_OFFSET(Allocation, end)});
    for (const Gpr what : {r8, r9, r11}) m_code.scalar(Scalar::sub, what, r10);
  } else {
    m_code.scalar32(Scalar::load, r11, At{block_register, WARPLENS_OFFSET(BlockContext, shared_bytes)});
  }
  m_code.scalar(Immediate::sub, r11, static_cast<int32_t>(m_bytes));
  m_code.jump(When::below, m_beside);
  m_code.scalar(Scalar::compare, r9, r11);
  m_code.jump(When::above, m_beside);
  m_code.scalar(Scalar::compare, r8, r9);
  m_code.jump(When::above, m_beside);
}

// That the shape is one whose bytes are moved here.
void Access::check_form() {
  const int32_t form = m_store        ? WARPLENS_OFFSET(AccessShape, in_rows)
                       : m_bytes == 8 ? WARPLENS_OFFSET(AccessShape, contiguous)
                                      : WARPLENS_OFFSET(AccessShape, windowed);
  m_code.compare_byte(shape(form), 0);
  m_code.jump(When::zero, m_beside);
}

void Access::count_global() {
  const auto cost = [](int32_t member) { return At{rsi, WARPLENS_OFFSET(AccessShape, costs) + member}; };
  m_code.scalar32(Scalar::load, rsi, first_register);
  m_code.scalar32(Immediate::and_, rsi, AccessShape::line_bytes - 1);
  m_code.address_sum(rsi, rsi, rsi, 1);
  m_code.scalar(Scalar::add, rsi, shape_register);
  m_code.load_byte(rdi, cost(WARPLENS_OFFSET(AccessShape::Cost, sectors)));
  m_code.test32(rdi, rdi);
  m_code.jump(When::zero, m_beside);  // not worked out yet
  m_code.increment(state(WARPLENS_OFFSET(MemoryOpState, requests)));
  m_code.add_to(state(WARPLENS_OFFSET(MemoryOpState, sectors)), rdi);
  m_code.add_to({block_register, WARPLENS_OFFSET(BlockContext, block_sectors)}, rdi);
  m_code.scalar32(Scalar::load, rdi, shape(WARPLENS_OFFSET(AccessShape, sectors_ideal)));
  m_code.add_to(state(WARPLENS_OFFSET(MemoryOpState, sectors_ideal)), rdi);
  m_code.load_byte(rdi, cost(WARPLENS_OFFSET(AccessShape::Cost, lines)));
  m_code.add_to(state(WARPLENS_OFFSET(MemoryOpState, lines)), rdi);
  m_code.load_byte(rdi, cost(WARPLENS_OFFSET(AccessShape::Cost, descends)));
  m_code.multiply(rdi, rdi, static_cast<int32_t>(slow_steps));
  m_code.scalar(Scalar::sub, steps_register, rdi);
}

void Access::count_shared() {
  m_code.compare_byte(state(WARPLENS_OFFSET(MemoryOpState, shape_counted)), 0);
  m_code.jump(When::zero, m_beside);
  m_code.scalar32(Scalar::load, rax, first_register);
  m_code.scalar32(Immediate::and_, rax, 3);
  m_code.compare_byte(rax, state(WARPLENS_OFFSET(MemoryOpState, shape_phase)));
  m_code.jump(When::not_zero, m_beside);
  m_code.increment(state(WARPLENS_OFFSET(MemoryOpState, requests)));
  m_code.scalar32(Scalar::load, rsi, state(WARPLENS_OFFSET(MemoryOpState, pattern_wavefronts)));
  m_code.add_to(state(WARPLENS_OFFSET(MemoryOpState, wavefronts)), rsi);
  m_code.scalar32(Scalar::load, rsi, state(WARPLENS_OFFSET(MemoryOpState, pattern_conflicts)));
  m_code.add_to(state(WARPLENS_OFFSET(MemoryOpState, conflicts)), rsi);
}

// 16 lanes, as words.
void Access::load_window(Zmm to, int32_t window) {
  m_code.scalar(Scalar::load, rax, shape(window + WARPLENS_OFFSET(AccessShape::Window, start)));
  m_code.scalar(Scalar::add, rax, first_register);
  m_code.mask(kmovq_load, k1, no_mask, shape(window + WARPLENS_OFFSET(AccessShape::Window, bytes)));
  m_code.vector(vmovdqu8_load, scratch0, Zmm{0}, At{rax, 0}, k1, true);
  m_code.load_zmm(scratch1, shape(window + WARPLENS_OFFSET(AccessShape::Window, words)));
  m_code.vector(vpermd, to, scratch1, scratch0);
  if (m_bytes == 4) return;
  m_code.vector(vpsllvd, to, to, shape(window + WARPLENS_OFFSET(AccessShape::Window, shifts)));
  m_code.shift(m_signed ? vpsrad_by : vpsrld_by, to, to, static_cast<uint8_t>(32 - 8 * m_bytes));
}

void Access::load(const Lanes& to) {
  constexpr int32_t windows = WARPLENS_OFFSET(AccessShape, windows);
  constexpr int32_t second = windows + static_cast<int32_t>(sizeof(AccessShape::Window));
  if (m_bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i)
      m_code.load_zmm(to[i], {first_register, static_cast<int32_t>(i) * vector_bytes});
  } else if (m_register_bytes == 4) {
    const Label scattered = m_code.label(), done = m_code.label();
    const bool may_be_side_by_side = m_global && m_bytes == 4;
    if (may_be_side_by_side) {
      m_code.compare_byte(shape(WARPLENS_OFFSET(AccessShape, contiguous)), 0);
      m_code.jump(When::zero, scattered);
      m_code.load_zmm(to[0], {first_register, 0});
      m_code.load_zmm(to[1], {first_register, vector_bytes});
      m_code.jump(done);
    }
    m_code.bind(scattered);
    load_window(to[0], windows);
    load_window(to[1], second);
    m_code.bind(done);
  } else {
    load_window(scratch2, windows);
    load_window(scratch3, second);
    m_code.vector(vpmovdw, scratch2, Zmm{0}, to[0]);
    m_code.vector(vpmovdw, scratch3, Zmm{0}, scratch2);
    m_code.vector(vinserti64x4, to[0], to[0], scratch2, no_mask, false, 1);
  }
}

// Two rows of 16 lanes, one behind the other: where they overlap, the second stays.
void Access::store(const Lanes& from) {
  constexpr int32_t row = WARPLENS_OFFSET(AccessShape, relative) +
                          static_cast<int32_t>(AccessShape::half_lanes * sizeof(uint64_t));
  m_code.scalar(Scalar::load, rax, shape(row));
  m_code.scalar(Scalar::add, rax, first_register);
  const At rows[2] = {{first_register, 0}, {rax, 0}};
  for (uint32_t half = 0; half < 2; ++half) {
    if (m_bytes == 8) {
      m_code.store_zmm(rows[half], from[2 * half]);
      m_code.store_zmm({rows[half].base, vector_bytes}, from[2 * half + 1]);
    } else if (m_bytes == 4) {
      m_code.store_zmm(rows[half], from[half]);
    } else if (m_register_bytes == 4) {
      m_code.vector(m_bytes == 2 ? vpmovdw : vpmovdb, from[half], Zmm{0}, rows[half]);
    } else {
      Zmm words = from[0];
      if (half == 1) {
        m_code.vector(vextracti64x4, from[0], Zmm{0}, scratch0, no_mask, false, 1);
        words = scratch0;
      }
      if (m_bytes == 2) {
        m_code.vector(vmovdqu_store_256, words, rows[half]);
      } else {
        m_code.vector(vpmovzxwd, scratch1, words);
        m_code.vector(vpmovdb, scratch1, Zmm{0}, rows[half]);
      }
    }
  }
}

// The handler, with the frame as it has to be; then all that is in vector registers on the usual path.
void Access::go_beside(const std::vector<LaneRegisters::Held>& before) {
  m_piece.beside.emplace_back([&piece = m_piece, &op = m_op, from = m_beside, back = m_back, before,
                               after = m_piece.lanes.held(), roots = m_piece.shapes_of_roots.size()] {
    X86Code& code = piece.code;
    code.bind(from);
    for (const auto& held : before)
      if (held.dirty) LaneRegisters::store(code, held);
    // Another shape may come to lie where one was.
    for (size_t root = 0; root < roots; ++root) code.store({rsp, static_cast<int32_t>(8 * root)}, 0);
    piece.call_handler(op, &run_and_learn_shape);
    code.test(rax, rax);
    code.jump(When::zero, piece.leave);
    for (const auto& held : after) LaneRegisters::load(code, held);
    code.jump(back);
  });
}

// All that takes registers comes first: what goes beside must find the same in them, wherever it starts.
void Access::emit() {
  if (!program::has_known_address(m_op))
    m_base = m_piece.lanes.use(m_op.a, program::has_narrow_address(m_op) ? 4 : 8);
  const Lanes data =
      m_store ? m_piece.lanes.use(m_op.d, m_register_bytes).lanes : m_piece.lanes.make(m_register_bytes);
  const auto before = m_piece.lanes.held();
  m_beside = m_code.label();
  m_back = m_code.label();
  find_shape();
  find_first();
  check_ends();
  check_form();
  if (m_piece.counts) m_global ? count_global() : count_shared();
  m_code.scalar(Scalar::sub, steps_register, shape(WARPLENS_OFFSET(AccessShape, steps)));
  if (m_global) {
    m_code.scalar(Scalar::sub, first_register, r10);
    m_code.scalar(Scalar::add, first_register, At{rax, WARPLENS_OFFSET(Allocation, host)});
  } else {
    m_code.scalar(Scalar::add, first_register, At{block_register, WARPLENS_OFFSET(BlockContext, shared)});
  }
  if (m_store) {
    store(data);
  } else {
    load(data);
    m_piece.lanes.bind(m_op.d, m_register_bytes, data, m_piece.is_forgotten(m_op), m_piece.lanes.new_root());
  }
  m_code.bind(m_back);
  m_piece.lanes.release();
  go_beside(before);
}

}  // namespace

bool translate_access(Piece& piece, const Op& op) {
  const Selector& s = piece.selector(op);
  if (s.opcode != Opcode::ld && s.opcode != Opcode::st) return false;
  Access access(piece, op, s);
  if (!access.is_known(s)) return false;
  access.emit();
  return true;
}

}  // namespace warplens::exec::tier
