// Machine code of x86-64 as bytes: the AVX-512 and scalar instructions that the compiled tier needs, in the
// encodings of Intel's manual (SDM, volume 2). Addresses in memory always have a displacement of 32 bits,
// which spares the scaled one of EVEX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::exec::tier {

struct Gpr {
  uint8_t number = 0;
};
struct Zmm {
  uint8_t number = 0;
};
// 0 stands for no mask.
struct MaskRegister {
  uint8_t number = 0;
};
struct Label {
  uint32_t number = 0;
};
struct At {  // [base + displacement]
  Gpr base;
  int32_t displacement = 0;
};

constexpr Gpr rax{0}, rcx{1}, rdx{2}, rbx{3}, rsp{4}, rbp{5}, rsi{6}, rdi{7}, r8{8}, r9{9}, r10{10}, r11{11},
    r12{12}, r13{13}, r14{14}, r15{15};
constexpr MaskRegister no_mask{0}, k1{1}, k2{2}, k3{3}, k4{4};

// A register, memory, or what stands at a label.
struct Place {
  enum class Kind : uint8_t { number, memory, label } kind = Kind::number;
  uint8_t number = 0;  // of the register, or of the base
  int32_t displacement = 0;
  uint32_t label = 0;

  Place(Gpr r) : number(r.number) {}
  Place(Zmm z) : number(z.number) {}
  Place(MaskRegister k) : number(k.number) {}
  Place(At at) : kind(Kind::memory), number(at.base.number), displacement(at.displacement) {}
  Place(Label l) : kind(Kind::label), label(l.number) {}
};

// An instruction in EVEX. Map: 1 of 0F, 2 of 0F38, 3 of 0F3A; prefix: 0 none, 1 of 66, 2 of F3, 3 of F2.
struct VectorCode {
  uint8_t map, prefix, wide, code;
  uint8_t length = 2;  // 0: 128 bits, 1: 256, 2: 512
};

constexpr VectorCode vmovdqu32_load{1, 2, 0, 0x6f}, vmovdqu32_store{1, 2, 0, 0x7f},
    vmovdqu8_load{1, 3, 0, 0x6f}, vmovdqu_store_256{1, 2, 0, 0x7f, 1}, vmovq_to_gpr{1, 1, 1, 0x7e, 0},
    vmovd_to_gpr{1, 1, 0, 0x7e, 0}, vpaddd{1, 1, 0, 0xfe}, vpaddq{1, 1, 1, 0xd4}, vpsubd{1, 1, 0, 0xfa},
    vpsubq{1, 1, 1, 0xfb}, vpmulld{2, 1, 0, 0x40}, vpmullq{2, 1, 1, 0x40}, vpmuldq{2, 1, 1, 0x28},
    vpmuludq{1, 1, 1, 0xf4}, vpandd{1, 1, 0, 0xdb}, vpord{1, 1, 0, 0xeb}, vpxord{1, 1, 0, 0xef},
    vpternlogd{3, 1, 0, 0x25}, vpsllvd{2, 1, 0, 0x47}, vpsllvq{2, 1, 1, 0x47}, vpsrlvd{2, 1, 0, 0x45},
    vpsrlvq{2, 1, 1, 0x45}, vpsravd{2, 1, 0, 0x46}, vpsravq{2, 1, 1, 0x46}, vpminsd{2, 1, 0, 0x39},
    vpminsq{2, 1, 1, 0x39}, vpminud{2, 1, 0, 0x3b}, vpminuq{2, 1, 1, 0x3b}, vpmaxsd{2, 1, 0, 0x3d},
    vpmaxsq{2, 1, 1, 0x3d}, vpmaxud{2, 1, 0, 0x3f}, vpmaxuq{2, 1, 1, 0x3f}, vpcmpd{3, 1, 0, 0x1f},
    vpcmpq{3, 1, 1, 0x1f}, vpcmpud{3, 1, 0, 0x1e}, vpcmpuq{3, 1, 1, 0x1e}, vcmpps{1, 0, 0, 0xc2},
    vaddps{1, 0, 0, 0x58}, vsubps{1, 0, 0, 0x5c}, vmulps{1, 0, 0, 0x59}, vdivps{1, 0, 0, 0x5e},
    vmaxps{1, 0, 0, 0x5f}, vsqrtps{1, 0, 0, 0x51}, vfmadd231ps{2, 1, 0, 0xb8}, vpermd{2, 1, 0, 0x36},
    vpblendmd{2, 1, 0, 0x64}, vpblendmq{2, 1, 1, 0x64}, vpmovzxdq{2, 1, 0, 0x35}, vpmovsxdq{2, 1, 0, 0x25},
    vpmovzxwd{2, 1, 0, 0x33}, vpmovsxwd{2, 1, 0, 0x23}, vpmovqd{2, 2, 0, 0x35}, vpmovdw{2, 2, 0, 0x33},
    vpmovdb{2, 2, 0, 0x31}, vcvtdq2ps{1, 0, 0, 0x5b}, vcvtudq2ps{1, 3, 0, 0x7a}, vcvttps2udq{1, 0, 0, 0x78},
    vextracti64x4{3, 1, 1, 0x3b}, vinserti64x4{3, 1, 1, 0x3a}, vpbroadcastd{2, 1, 0, 0x58},
    vpbroadcastq{2, 1, 1, 0x59};
// Shifts of all lanes by an immediate: the register field is part of the code.
struct ShiftCode {
  VectorCode code;
  uint8_t field;
};
constexpr ShiftCode vpslld_by{{1, 1, 0, 0x72}, 6}, vpsrld_by{{1, 1, 0, 0x72}, 2},
    vpsrad_by{{1, 1, 0, 0x72}, 4}, vpsllq_by{{1, 1, 1, 0x73}, 6}, vpsrlq_by{{1, 1, 1, 0x73}, 2},
    vpsraq_by{{1, 1, 1, 0x72}, 4};

// An instruction on masks, in VEX.
struct MaskCode {
  uint8_t map, prefix, wide, code, length;
};
constexpr MaskCode kmovd_to_gpr{1, 3, 0, 0x93, 0}, kmovd_from_gpr{1, 3, 0, 0x92, 0},
    kmovb_load{1, 1, 0, 0x90, 0}, kmovw_load{1, 0, 0, 0x90, 0}, kmovq_load{1, 0, 1, 0x90, 0},
    korw{1, 0, 0, 0x45, 1}, kortestw{1, 0, 0, 0x98, 0}, kunpckbw{1, 1, 0, 0x4b, 1},
    kunpckwd{1, 0, 0, 0x4b, 1};

// Scalar instructions, named for what comes first: gpr op place. 64 bits unless it says 32.
enum class Scalar : uint8_t {
  add = 0x03,
  or_ = 0x0b,
  and_ = 0x23,
  sub = 0x2b,
  xor_ = 0x33,
  compare = 0x3b,
  load = 0x8b
};
// Of an immediate: the field that the code takes.
enum class Immediate : uint8_t { add = 0, or_ = 1, and_ = 4, sub = 5, xor_ = 6, compare = 7 };
enum class When : uint8_t {
  below = 2,
  not_below = 3,
  zero = 4,
  not_zero = 5,
  not_above = 6,
  above = 7,
  negative = 8
};

class X86Code {
 public:
  Label label();           // to be bound once
  void bind(Label label);  // here

  // destination = code(a, b); where the instruction has only one source, it is b and `a` is register 0.
  void vector(const VectorCode& code, Zmm destination, Zmm a, Place b, MaskRegister mask = no_mask,
              bool zeroes = false, int immediate = -1);
  void vector(const VectorCode& code, Zmm destination, Place b) { vector(code, destination, Zmm{0}, b); }
  void compare(const VectorCode& code, MaskRegister destination, Zmm a, Place b, int how);
  void shift(const ShiftCode& code, Zmm destination, Zmm a, uint8_t by);
  void mask(const MaskCode& code, MaskRegister destination, MaskRegister a, Place b);
  void mask_to_gpr(Gpr destination, MaskRegister from);
  void load_zmm(Zmm to, At from) { vector(vmovdqu32_load, to, from); }
  void store_zmm(At to, Zmm from) { vector(vmovdqu32_store, from, to); }
  void move_zmm(Zmm to, Zmm from) { vector(vmovdqu32_load, to, from); }
  void leave_vectors();  // vzeroupper

  void scalar(Scalar what, Gpr first, Place second) {
    gpr(static_cast<uint8_t>(what), true, first.number, second);
  }
  void scalar32(Scalar what, Gpr first, Place second) {
    gpr(static_cast<uint8_t>(what), false, first.number, second);
  }
  void scalar(Immediate what, Place first, int32_t immediate);
  void scalar32(Immediate what, Place first, int32_t immediate);
  void compare_byte(Place first, uint8_t immediate);
  void compare_byte(Gpr first, At second) { gpr(0x3a, false, first.number, second); }  // al, cl, dl or bl
  void test(Gpr a, Gpr b) { gpr(0x85, true, b.number, a); }
  void test32(Gpr a, Gpr b) { gpr(0x85, false, b.number, a); }
  void test_byte(Gpr a, uint8_t bits);  // of cl and the like
  void move(Gpr to, Gpr from) { scalar(Scalar::load, to, from); }
  void move(Gpr to, uint64_t value);
  void store(At to, Gpr from) { gpr(0x89, true, from.number, to); }
  void store32(At to, Gpr from) { gpr(0x89, false, from.number, to); }
  void add_to(At to, Gpr from) { gpr(0x01, true, from.number, to); }
  void store_byte(At to, uint8_t value);
  void store(At to, int32_t value);  // 64 bits, the sign extended
  void load_byte(Gpr to, At from);   // zero-extended
  void address(Gpr to, At from) { gpr(0x8d, true, to.number, from); }
  void address_sum(Gpr to, Gpr a, Gpr b, uint8_t shift_b);
  void increment(At what) { gpr(0xff, true, 0, what); }
  void invert32(Gpr what) { gpr(0xf7, false, 2, what); }
  void shift_right(Gpr what, uint8_t by);
  void multiply(Gpr to, Gpr by, int32_t factor);

  void jump(Label to);
  void jump(When when, Label to);
  void jump(Gpr to) { gpr(0xff, false, 4, to); }
  void call(Gpr to) { gpr(0xff, false, 2, to); }
  void push(Gpr what);
  void pop(Gpr what);
  void ret() { byte(0xc3); }
  void word(uint32_t value);  // a constant in the code

  size_t size() const { return m_bytes.size(); }
  size_t offset_of(Label label) const { return m_labels[label.number]; }
  // All labels are bound.
  const std::vector<uint8_t>& finish();

 private:
  struct Use {
    size_t at, end;  // the 32 bits, and what they count from
    uint32_t label;
  };
  void byte(uint8_t value) { m_bytes.push_back(value); }
  void bytes32(uint32_t value);
  void gpr(uint8_t code, bool wide, uint8_t field, Place place);
  void rex(bool wide, uint8_t field, const Place& place);
  void operand(uint8_t field, const Place& place, uint32_t behind);
  void use(Label label, uint32_t behind);

  std::vector<uint8_t> m_bytes;
  std::vector<size_t> m_labels;
  std::vector<Use> m_uses;
};

// Code that can be run: written first, then readable and executable, and never both.
class ExecutablePages {
 public:
  ExecutablePages() = default;
  // Empty: the system gives none.
  explicit ExecutablePages(const std::vector<uint8_t>& code);
  ExecutablePages(ExecutablePages&& other) noexcept;
  ExecutablePages& operator=(ExecutablePages&& other) noexcept;
  ExecutablePages(const ExecutablePages&) = delete;
  ExecutablePages& operator=(const ExecutablePages&) = delete;
  ~ExecutablePages();

  const std::byte* data() const { return m_data; }

 private:
  std::byte* m_data = nullptr;
  size_t m_bytes = 0;
};

}  // namespace warplens::exec::tier
