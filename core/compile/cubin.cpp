// The layout is that of ELF64. CUDA's part of it is not documented as a whole; what is used here is what
// `cuobjdump -elf` prints: the section .text.<entry> carries the registers in the high byte of sh_info, and
// .nv.info holds (format, attribute, size, symbol, value) records.
#include "core/compile/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace warplens {

namespace {

// All of an ELF's numbers here are little-endian, as are the machines that run this program.
template <class T>
std::optional<T> read(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view slice(std::string_view bytes, uint64_t offset, uint64_t size) {
  return offset > bytes.size() || bytes.size() - offset < size ? std::string_view{}
                                                               : bytes.substr(offset, size);
}

std::string_view text_at(std::string_view strings, uint64_t offset) {
  if (offset >= strings.size()) return {};
  strings.remove_prefix(offset);
  return strings.substr(0, strings.find('\0'));
}

struct Section {
  std::string_view name, bytes;
  uint64_t size = 0;  // of sections without bytes too
  uint32_t info = 0;
};

constexpr uint32_t section_without_bytes = 8;  // SHT_NOBITS

std::optional<std::vector<Section>> sections_of(std::string_view elf) {
  if (!elf.starts_with("\x7f"
                       "ELF\x02"))
    return std::nullopt;
  auto table = read<uint64_t>(elf, 0x28);
  auto entry_size = read<uint16_t>(elf, 0x3a), count = read<uint16_t>(elf, 0x3c),
       names = read<uint16_t>(elf, 0x3e);
  if (!table || !entry_size || !count || !names || *entry_size < 0x40) return std::nullopt;
  if (slice(elf, *table, uint64_t{*entry_size} * *count).empty() || *names >= *count) return std::nullopt;

  auto header = [&](uint64_t index, uint64_t field) { return *table + index * *entry_size + field; };
  auto bytes_at = [&](uint64_t index) {
    return slice(elf, *read<uint64_t>(elf, header(index, 0x18)), *read<uint64_t>(elf, header(index, 0x20)));
  };
  const std::string_view strings = bytes_at(*names);
  std::vector<Section> sections;
  for (uint64_t i = 0; i < *count; ++i) {
    Section section;
    section.name = text_at(strings, *read<uint32_t>(elf, header(i, 0)));
    section.size = *read<uint64_t>(elf, header(i, 0x20));
    section.info = *read<uint32_t>(elf, header(i, 0x2c));
    if (*read<uint32_t>(elf, header(i, 4)) != section_without_bytes) section.bytes = bytes_at(i);
    sections.push_back(section);
  }
  return sections;
}

const Section* find(const std::vector<Section>& sections, std::string_view prefix, std::string_view entry) {
  for (const Section& section : sections)
    if (section.name.starts_with(prefix) && section.name.substr(prefix.size()) == entry) return &section;
  return nullptr;
}

// Attributes of .nv.info, as cuobjdump names them.
constexpr uint8_t attribute_frame_size = 0x11;      // EIATTR_FRAME_SIZE
constexpr uint8_t attribute_min_stack_size = 0x12;  // EIATTR_MIN_STACK_SIZE, with the functions it calls
constexpr uint8_t attribute_register_count = 0x2f;  // EIATTR_REGCOUNT
constexpr uint8_t format_sized_value = 4;           // EIFMT_SVAL: 16 bits of size, then the value

std::optional<uint32_t> attribute_of(std::string_view info, uint32_t symbol, uint8_t wanted) {
  for (uint64_t at = 0; at + 4 <= info.size();) {
    const uint8_t format = *read<uint8_t>(info, at), attribute = *read<uint8_t>(info, at + 1);
    const uint16_t size = *read<uint16_t>(info, at + 2);
    at += 4;
    if (format != format_sized_value) continue;  // the size field contained the value
    if (attribute == wanted && size >= 8 && read<uint32_t>(info, at) == symbol)
      return read<uint32_t>(info, at + 4);
    at += size;
  }
  return std::nullopt;
}

struct Symbol {
  std::string_view name;
  uint32_t index = 0;
  bool function = false;
};

std::vector<Symbol> symbols_of(const std::vector<Section>& sections) {
  const Section *table = find(sections, ".symtab", ""), *strings = find(sections, ".strtab", "");
  if (!table || !strings) return {};
  constexpr uint64_t symbol_bytes = 24;
  constexpr uint8_t function = 2;  // STT_FUNC
  std::vector<Symbol> symbols;
  for (uint64_t i = 0; (i + 1) * symbol_bytes <= table->bytes.size(); ++i) {
    const uint32_t name = *read<uint32_t>(table->bytes, i * symbol_bytes);
    const uint8_t type = *read<uint8_t>(table->bytes, i * symbol_bytes + 4) & 0xf;
    symbols.push_back({text_at(strings->bytes, name), static_cast<uint32_t>(i), type == function});
  }
  return symbols;
}

// From sm_90 on the section of a kernel's shared memory begins with the 1 KiB that the system keeps in every
// block (DeviceLimits::shared_reserved_bytes_per_block), and the file then names these symbols. ptxas and
// cudaFuncGetAttributes do not count it as the kernel's.
uint64_t reserved_shared_bytes(const std::vector<Symbol>& symbols) {
  for (const Symbol& symbol : symbols)
    if (symbol.name.starts_with(".nv.reservedSmem.")) return 1024;
  return 0;
}

}  // namespace

Result<Resources> read_cubin(std::string_view elf, std::string_view entry) {
  auto sections = sections_of(elf);
  if (!sections) return bad_input("This is no cubin: it is not a 64-bit ELF file, or it is cut short.");
  const Section* text = find(*sections, ".text.", entry);
  if (!text) return bad_input(fmt::format("The module has no kernel `{}`: check the entry's name.", entry));

  Resources resources;
  resources.origin = ResourceOrigin::ptxas;
  resources.registers_per_thread = text->info >> 24;
  const std::vector<Symbol> symbols = symbols_of(*sections);
  const Section* info = find(*sections, ".nv.info", "");
  for (const Symbol& symbol : symbols)
    if (info && symbol.function && symbol.name == entry) {
      if (auto registers = attribute_of(info->bytes, symbol.index, attribute_register_count))
        resources.registers_per_thread = *registers;
      auto stack = attribute_of(info->bytes, symbol.index, attribute_min_stack_size);
      constexpr uint32_t unknown = 0xffffffff;  // recursion
      if (!stack || *stack == unknown) stack = attribute_of(info->bytes, symbol.index, attribute_frame_size);
      resources.local_bytes = stack.value_or(0);
    }
  if (const Section* shared = find(*sections, ".nv.shared.", entry))
    resources.shared_static_bytes =
        static_cast<uint32_t>(shared->size - std::min(shared->size, reserved_shared_bytes(symbols)));
  if (const Section* constants = find(*sections, ".nv.constant3", ""))  // one for the whole module
    resources.constant_bytes = static_cast<uint32_t>(constants->size);
  return resources;
}

}  // namespace warplens
