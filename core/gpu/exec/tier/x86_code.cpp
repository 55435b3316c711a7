#include "core/gpu/exec/tier/x86_code.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace warplens::exec::tier {

namespace {

constexpr size_t unbound = SIZE_MAX;

constexpr uint8_t bit_of(unsigned value, unsigned bit) { return static_cast<uint8_t>(value >> bit & 1u); }

}  // namespace

Label X86Code::label() {
  m_labels.push_back(unbound);
  return {static_cast<uint32_t>(m_labels.size() - 1)};
}

void X86Code::bind(Label label) { m_labels[label.number] = m_bytes.size(); }

void X86Code::bytes32(uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) byte(static_cast<uint8_t>(value >> (8 * i)));
}

void X86Code::use(Label label, uint32_t behind) {
  m_uses.push_back({m_bytes.size(), m_bytes.size() + 4 + behind, label.number});
  bytes32(0);
}

// behind: bytes of the instruction behind the operand.
void X86Code::operand(uint8_t field, const Place& place, uint32_t behind) {
  const auto middle = static_cast<uint8_t>((field & 7u) << 3);
  switch (place.kind) {
    case Place::Kind::number:
      return byte(static_cast<uint8_t>(0xc0u | middle | (place.number & 7u)));
    case Place::Kind::memory:
      byte(static_cast<uint8_t>(0x80u | middle | (place.number & 7u)));
      if ((place.number & 7) == 4) byte(0x24);  // rsp and r12 need the long form
      return bytes32(static_cast<uint32_t>(place.displacement));
    case Place::Kind::label:
      byte(static_cast<uint8_t>(middle | 5u));
      return use({place.label}, behind);
  }
}

void X86Code::vector(const VectorCode& code, Zmm destination, Zmm a, Place b, MaskRegister mask, bool zeroes,
                     int immediate) {
  const unsigned d = destination.number, v = a.number, r = b.kind == Place::Kind::label ? 0 : b.number;
  const unsigned x = b.kind == Place::Kind::number ? bit_of(r, 4) : 0u;
  byte(0x62);
  byte(static_cast<uint8_t>((bit_of(d, 3) ^ 1u) << 7 | (x ^ 1u) << 6 | (bit_of(r, 3) ^ 1u) << 5 |
                            (bit_of(d, 4) ^ 1u) << 4 | code.map));
  byte(static_cast<uint8_t>(unsigned{code.wide} << 7 | (~v & 15u) << 3 | 4u | code.prefix));
  byte(static_cast<uint8_t>((zeroes ? 128u : 0u) | unsigned{code.length} << 5 | (bit_of(v, 4) ^ 1u) << 3 |
                            mask.number));
  byte(code.code);
  operand(static_cast<uint8_t>(d), b, immediate >= 0 ? 1 : 0);
  if (immediate >= 0) byte(static_cast<uint8_t>(immediate));
}

void X86Code::compare(const VectorCode& code, MaskRegister destination, Zmm a, Place b, int how) {
  vector(code, Zmm{destination.number}, a, b, no_mask, false, how);
}

// The destination stands where the first source of others does.
void X86Code::shift(const ShiftCode& code, Zmm destination, Zmm a, uint8_t by) {
  vector(code.code, Zmm{code.field}, destination, a, no_mask, false, by);
}

void X86Code::mask(const MaskCode& code, MaskRegister destination, MaskRegister a, Place b) {
  const unsigned high =
      b.kind == Place::Kind::memory || code.code == kmovd_from_gpr.code ? bit_of(b.number, 3) : 0u;
  byte(0xc4);
  byte(static_cast<uint8_t>(0xc0u | (high ^ 1u) << 5 | code.map));
  byte(static_cast<uint8_t>(unsigned{code.wide} << 7 | (~unsigned{a.number} & 15u) << 3 |
                            unsigned{code.length} << 2 | code.prefix));
  byte(code.code);
  operand(destination.number, b, 0);
}

void X86Code::mask_to_gpr(Gpr destination, MaskRegister from) {
  byte(0xc4);
  byte(static_cast<uint8_t>((bit_of(destination.number, 3) ^ 1u) << 7 | 0x60u | kmovd_to_gpr.map));
  byte(static_cast<uint8_t>(15u << 3 | kmovd_to_gpr.prefix));
  byte(kmovd_to_gpr.code);
  operand(destination.number, from, 0);
}

void X86Code::leave_vectors() {
  for (const uint8_t b : {0xc5, 0xf8, 0x77}) byte(b);
}

void X86Code::rex(bool wide, uint8_t field, const Place& place) {
  const unsigned base = place.kind == Place::Kind::label ? 0u : bit_of(place.number, 3);
  byte(static_cast<uint8_t>(0x40u | (wide ? 8u : 0u) | unsigned{bit_of(field, 3)} << 2 | base));
}

void X86Code::gpr(uint8_t code, bool wide, uint8_t field, Place place) {
  rex(wide, field, place);
  byte(code);
  operand(field, place, 0);
}

void X86Code::scalar(Immediate what, Place first, int32_t immediate) {
  gpr(0x81, true, static_cast<uint8_t>(what), first);
  bytes32(static_cast<uint32_t>(immediate));
}

void X86Code::scalar32(Immediate what, Place first, int32_t immediate) {
  gpr(0x81, false, static_cast<uint8_t>(what), first);
  bytes32(static_cast<uint32_t>(immediate));
}

void X86Code::compare_byte(Place first, uint8_t immediate) {
  gpr(0x80, false, 7, first);
  byte(immediate);
}

void X86Code::test_byte(Gpr a, uint8_t bits) {
  gpr(0xf6, false, 0, a);
  byte(bits);
}

void X86Code::move(Gpr to, uint64_t value) {
  if (value <= UINT32_MAX) {
    rex(false, 0, to);
    byte(static_cast<uint8_t>(0xb8u + (to.number & 7u)));
    return bytes32(static_cast<uint32_t>(value));
  }
  rex(true, 0, to);
  byte(static_cast<uint8_t>(0xb8u + (to.number & 7u)));
  bytes32(static_cast<uint32_t>(value));
  bytes32(static_cast<uint32_t>(value >> 32));
}

void X86Code::store_byte(At to, uint8_t value) {
  gpr(0xc6, false, 0, to);
  byte(value);
}

void X86Code::store(At to, int32_t value) {
  gpr(0xc7, true, 0, to);
  bytes32(static_cast<uint32_t>(value));
}

void X86Code::load_byte(Gpr to, At from) {
  rex(false, to.number, from);
  byte(0x0f);
  byte(0xb6);
  operand(to.number, from, 0);
}

// lea to, [a + b << shift_b]. `b` is not rsp.
void X86Code::address_sum(Gpr to, Gpr a, Gpr b, uint8_t shift_b) {
  byte(static_cast<uint8_t>(0x48u | unsigned{bit_of(to.number, 3)} << 2 | unsigned{bit_of(b.number, 3)} << 1 |
                            bit_of(a.number, 3)));
  byte(0x8d);
  byte(static_cast<uint8_t>(0x84u | (to.number & 7u) << 3));
  byte(static_cast<uint8_t>(unsigned{shift_b} << 6 | (b.number & 7u) << 3 | (a.number & 7u)));
  bytes32(0);
}

void X86Code::shift_right(Gpr what, uint8_t by) {
  gpr(0xc1, true, 5, what);
  byte(by);
}

void X86Code::multiply(Gpr to, Gpr by, int32_t factor) {
  gpr(0x69, true, to.number, by);
  bytes32(static_cast<uint32_t>(factor));
}

void X86Code::jump(Label to) {
  byte(0xe9);
  use(to, 0);
}

void X86Code::jump(When when, Label to) {
  byte(0x0f);
  byte(static_cast<uint8_t>(0x80u + static_cast<unsigned>(when)));
  use(to, 0);
}

void X86Code::push(Gpr what) {
  rex(false, 0, what);
  byte(static_cast<uint8_t>(0x50u + (what.number & 7u)));
}

void X86Code::pop(Gpr what) {
  rex(false, 0, what);
  byte(static_cast<uint8_t>(0x58u + (what.number & 7u)));
}

void X86Code::word(uint32_t value) { bytes32(value); }

const std::vector<uint8_t>& X86Code::finish() {
  for (const Use& use : m_uses) {
    const auto distance = static_cast<uint32_t>(m_labels[use.label] - use.end);
    std::memcpy(m_bytes.data() + use.at, &distance, sizeof distance);
  }
  return m_bytes;
}

ExecutablePages::ExecutablePages(const std::vector<uint8_t>& code) {
  void* const pages = mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, code.size());
    return;
  }
  m_data = static_cast<std::byte*>(pages);
  m_bytes = code.size();
}

ExecutablePages::ExecutablePages(ExecutablePages&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}

ExecutablePages& ExecutablePages::operator=(ExecutablePages&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_bytes, other.m_bytes);
  return *this;
}

ExecutablePages::~ExecutablePages() {
  if (m_data != nullptr) munmap(m_data, m_bytes);
}

}  // namespace warplens::exec::tier
