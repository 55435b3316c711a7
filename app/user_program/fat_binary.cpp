#include "app/user_program/fat_binary.h"

namespace warplens::nvcc {

namespace {

void put(std::string& to, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

std::string fat_binary_of(std::string_view ptx, uint32_t capability) {
  constexpr uint32_t magic = 0xba55ed50, header_bytes = 16, entry_bytes = 64, alignment = 8;
  constexpr uint32_t version = 1, kind_ptx = 1, entry_version = 0x101;
  // The text ends with a zero.
  const uint64_t payload = (ptx.size() + 1 + alignment - 1) / alignment * alignment;
  std::string made;
  put(made, magic, 4);
  put(made, version, 2);
  put(made, header_bytes, 2);
  put(made, entry_bytes + payload, 8);
  put(made, kind_ptx, 2);
  put(made, entry_version, 2);
  put(made, entry_bytes, 4);
  put(made, payload, 8);
  put(made, 0, 12);  // not compressed; no version of its own
  put(made, capability, 4);
  put(made, 0, 8);
  put(made, 0, 24);  // flags; bytes once it is decompressed
  made += ptx;
  made.append(payload - ptx.size(), '\0');
  return made;
}

}  // namespace warplens::nvcc
