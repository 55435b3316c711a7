#include "tests/core/gpu/exec/warp_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "tests/paths.h"

namespace warplens::exec::test {

namespace {

uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t pick(uint64_t r, uint32_t shift, const std::vector<uint64_t>& choices) {
  return choices[(r >> shift) % choices.size()];
}

struct Format {
  uint32_t exponent_bits, mantissa_bits;
};
std::optional<Format> format_of(const std::string& element) {
  if (element == "f16") return Format{5, 10};
  if (element == "bf16") return Format{8, 7};
  if (element == "tf32" || element == "f32") return Format{8, 23};
  if (element == "f64") return Format{11, 52};
  if (element == "e4m3") return Format{4, 3};
  if (element == "e5m2") return Format{5, 2};
  return std::nullopt;
}

uint32_t bits_of(const std::string& element) {
  if (const auto format = format_of(element)) return 1 + format->exponent_bits + format->mantissa_bits;
  if (element == "pairs" || element == "ones" || element == "row" || element == "slot") return 32;
  return static_cast<uint32_t>(std::stoul(element.substr(1)));
}

struct Parts {
  uint64_t sign, exponent, mantissa;
};

Parts small_float(uint64_t r, uint64_t bias, uint64_t top) {
  const int64_t k = static_cast<int64_t>((r >> 8) % 9) - 4;
  const uint64_t exponents[] = {0, bias, bias + 1, bias + 1, bias + 2}, mantissas[] = {0, 0, 0, top, 0};
  const size_t size = static_cast<size_t>(k < 0 ? -k : k);
  return {k < 0 ? 1u : 0u, exponents[size], mantissas[size]};
}

void set_edge(uint64_t r, const Format& format, bool is_e4m3, uint64_t bias, uint64_t mask, Parts& parts) {
  const uint64_t choice = (r >> 48) % 128, full = (uint64_t{1} << format.exponent_bits) - 1;
  if (choice >= 26) return;
  const std::pair<uint64_t, uint64_t> largest =
      is_e4m3 ? std::pair{full, mask - 1} : std::pair{full - 1, mask};
  const std::pair<uint64_t, uint64_t> edges[] = {{0, 0}, largest, {0, 1}, {0, mask}, {1, 0}, {bias, 0}};
  const auto edge = choice == 0   ? std::pair{full, uint64_t{0}}
                    : choice == 1 ? std::pair{full, mask}
                                  : edges[(choice - 2) % 6];
  parts.exponent = edge.first;
  parts.mantissa = edge.second;
}

uint64_t draw_float(const std::string& element, const std::string& kind, uint64_t r) {
  const Format format = *format_of(element);
  const uint64_t bias = (uint64_t{1} << (format.exponent_bits - 1)) - 1;
  const uint64_t mask = (uint64_t{1} << format.mantissa_bits) - 1,
                 top = uint64_t{1} << (format.mantissa_bits - 1);
  Parts parts{r >> 63, bias - 3 + (r >> 40) % 7, mix(r) & mask};
  if (kind == "small") parts = small_float(r, bias, top);
  if (kind == "middle")
    parts.exponent = (bias > 15 ? bias - 14 : 1) + (r >> 40) % std::min<uint64_t>(29, 2 * bias - 1);
  if (kind == "wide") parts.exponent = (r >> 40) % ((uint64_t{1} << format.exponent_bits) - 1);
  if (kind == "raw") parts.exponent = (r >> 40) % (uint64_t{1} << format.exponent_bits);
  if (kind == "cancel") {
    const uint64_t step = std::min<uint64_t>(11, bias - 3);
    parts.exponent = pick(r, 40, {bias, bias + step, bias - step, bias + 1});
    parts.mantissa = pick(r, 44, {0, 1, mask, top});
  }
  if (kind == "edges") set_edge(r, format, element == "e4m3", bias, mask, parts);
  return parts.sign << (format.exponent_bits + format.mantissa_bits) |
         parts.exponent << format.mantissa_bits | parts.mantissa;
}

uint64_t draw_integer(const std::string& element, const std::string& kind, uint64_t r) {
  const uint32_t bits = bits_of(element);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (kind == "small") {
    const uint64_t value = (r >> 8) % 9;
    return element[0] == 'u' ? value : (value - 4) & mask;
  }
  const uint64_t top = uint64_t{1} << (bits - 1);
  if (kind == "edges") return pick(r, 8, {0, 1, top, top - 1, mask, mask});
  return r & mask;
}

uint64_t draw(const std::string& element, const std::string& kind, uint64_t r, uint64_t lane, uint32_t seed) {
  if (element == "pairs" || element == "ones") {
    const std::vector<uint64_t> choices =
        element == "pairs" ? std::vector<uint64_t>{4, 8, 12, 9, 13, 14} : std::vector<uint64_t>{4, 14};
    uint64_t word = 0;
    for (uint32_t k = 0; k < 8; ++k) word |= pick(r, 8 * k, choices) << 4 * k;
    return word;
  }
  if (element == "row") return r % 128 * 16;
  if (element == "slot") return (lane * (2 * (seed % 16) + 1) + seed) % 32 * 16;
  return format_of(element) ? draw_float(element, kind, r) : draw_integer(element, kind, r);
}

uint32_t register_bytes(const std::string& type) {
  return static_cast<uint32_t>(std::stoul(type.substr(1))) / 8;
}

// The offset of each group in a lane's part of a buffer, then of the tile, then of the whole.
struct Layout {
  std::vector<uint32_t> at;
  uint32_t tile = 0, stride = 0;
};
Layout lay_out(const std::vector<WarpCase::Group>& groups, uint32_t tile) {
  Layout layout;
  uint32_t at = 0;
  for (const auto& group : groups) {
    const uint32_t size = register_bytes(group.type);
    at = (at + size - 1) / size * size;
    layout.at.push_back(at);
    at += size * group.count;
  }
  layout.tile = (at + 15) / 16 * 16;
  layout.stride = layout.tile + (4 * tile + 15) / 16 * 16;
  return layout;
}

std::string expand(std::string line, const WarpCase& test) {
  for (const auto* groups : {&test.ins, &test.outs}) {
    for (const auto& group : *groups) {
      const std::string name = "{" + group.name + "}";
      std::string list;
      for (uint32_t i = 0; i < group.count; ++i)
        list += fmt::format("{}%{}{}", i == 0 ? "" : ", ", group.name, i);
      for (size_t at; (at = line.find(name)) != std::string::npos;)
        line.replace(at, name.size(), "{" + list + "}");
    }
  }
  return line;
}

constexpr const char* k_head = R"(  .reg .pred %p<8>;
  .reg .b32 %w<40>;
  .reg .b64 %l<20>;
  .reg .b32 %lane, %block, %thread, %tile, %row;
  .reg .b64 %in, %out;
  .shared .align 128 .b8 tile[8192];
  mov.u32 %lane, %laneid;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %thread, %block, 32, %lane;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %tile, tile;
)";

// Whether the case is consistent.
bool read_line(const std::string& line, WarpCase& test) {
  std::istringstream words(line);
  std::string first;
  words >> first;
  if (first == "in" || first == "out") {
    WarpCase::Group group;
    words >> group.name >> group.type >> group.count;
    if (first == "in") words >> group.element;
    (first == "in" ? test.ins : test.outs).push_back(group);
  } else if (first == "tile") {
    words >> test.tile_in >> test.tile_out;
  } else if (first == "=") {
    auto& [kind, hashes] = test.kinds.emplace_back();
    words >> kind;
    for (std::string hash; words >> hash;) hashes.push_back(hash);
    return !kind.empty() && !hashes.empty();
  } else {
    test.code.push_back(line.substr(2));
  }
  return !words.fail();
}

}  // namespace

uint32_t WarpCase::in_stride() const { return lay_out(ins, tile_in).stride; }
uint32_t WarpCase::out_stride() const { return lay_out(outs, tile_out).stride; }

std::string WarpCase::kernel() const {
  const Layout in = lay_out(ins, tile_in), out = lay_out(outs, tile_out);
  std::string text = ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n";
  for (const auto* groups : {&ins, &outs}) {
    for (const auto& g : *groups) text += fmt::format("  .reg .{} %{}<{}>;\n", g.type, g.name, g.count);
  }
  text += k_head;
  text += fmt::format("  mad.wide.u32 %in, %thread, {}, %in;\n  mad.wide.u32 %out, %thread, {}, %out;\n",
                      in.stride, out.stride);
  for (size_t g = 0; g < ins.size(); ++g) {
    for (uint32_t i = 0; i < ins[g].count; ++i)
      text += fmt::format("  ld.global.{} %{}{}, [%in+{}];\n", ins[g].type, ins[g].name, i,
                          in.at[g] + i * register_bytes(ins[g].type));
  }
  if (tile_in != 0) text += fmt::format("  mad.lo.u32 %row, %lane, {}, %tile;\n", 4 * tile_in);
  for (uint32_t i = 0; i < tile_in; ++i)
    text += fmt::format("  ld.global.b32 %w0, [%in+{}];\n  st.shared.b32 [%row+{}], %w0;\n", in.tile + 4 * i,
                        4 * i);
  text += "  bar.sync 0;\n";
  for (const std::string& step : code) text += "  " + expand(step, *this) + "\n";
  text += "  bar.sync 0;\n";
  for (size_t g = 0; g < outs.size(); ++g) {
    for (uint32_t i = 0; i < outs[g].count; ++i)
      text += fmt::format("  st.global.{} [%out+{}], %{}{};\n", outs[g].type,
                          out.at[g] + i * register_bytes(outs[g].type), outs[g].name, i);
  }
  if (tile_out != 0) text += fmt::format("  mad.lo.u32 %row, %lane, {}, %tile;\n", 4 * tile_out);
  for (uint32_t i = 0; i < tile_out; ++i)
    text += fmt::format("  ld.shared.b32 %w0, [%row+{}];\n  st.global.b32 [%out+{}], %w0;\n", 4 * i,
                        out.tile + 4 * i);
  return text + "  ret;\n}\n";
}

std::vector<std::byte> WarpCase::input(const std::string& kind, uint32_t seed) const {
  const Layout layout = lay_out(ins, tile_in);
  std::vector<std::byte> data(size_t{layout.stride} * 32);
  std::vector<Group> groups = ins;
  std::vector<uint32_t> places = layout.at;
  if (tile_in != 0) {
    groups.push_back({"", "b32", tile_in, "b32"});
    places.push_back(layout.tile);
  }
  for (uint64_t g = 0; g < groups.size(); ++g) {
    const uint32_t size = register_bytes(groups[g].type), bits = bits_of(groups[g].element);
    const uint64_t packed = 8 * size / bits;
    for (uint32_t i = 0; i < groups[g].count; ++i) {
      for (uint64_t lane = 0; lane < 32; ++lane) {
        uint64_t value = 0;
        for (uint64_t k = 0; k < packed; ++k) {
          const uint64_t number = (g * 64 + i * packed + k) * 32 + lane;
          const uint64_t r = mix(seed * 0x9e3779b97f4a7c15u + number * 0xd1342543de82ef95u + 1);
          value |= draw(groups[g].element, kind, r, lane, seed) << k * bits;
        }
        std::memcpy(data.data() + lane * layout.stride + places[g] + i * size, &value, size);
      }
    }
  }
  return data;
}

Result<std::vector<WarpCase>> parse_warp_cases(const std::string& text, const std::string& file) {
  std::vector<WarpCase> cases;
  std::istringstream lines(text);
  std::string group;
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto wrong = [&](const char* what) {
      return bad_input(fmt::format("{}:{}: {}", file, number, what));
    };
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("group ")) {
      group = line.substr(6);
    } else if (line == "form") {
      if (group.empty()) return wrong("this form stands before the first 'group NAME'");
      cases.emplace_back().group = group;
      cases.back().line = number;
    } else if (line.starts_with("  ")) {
      if (cases.empty() || cases.back().group != group) return wrong("this stands before the first 'form'");
      if (!read_line(line, cases.back())) return wrong("there is a word missing, or a number wrong");
    } else {
      return wrong("a line is 'group NAME', 'form', or of a form and begins with two spaces");
    }
  }
  return cases;
}

namespace {

std::string table_of(const std::string& opcode) { return "tests/data/ptx/" + opcode + ".warp"; }

std::string text_of_table(const std::string& opcode) {
  std::ifstream file(test_files::source_dir() / table_of(opcode), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

Result<std::vector<WarpCase>> read_warp_cases(const std::string& opcode) {
  return parse_warp_cases(text_of_table(opcode), table_of(opcode));
}

std::vector<std::string> groups_of_warp_cases(const std::string& opcode) {
  constexpr std::string_view begin = "\ngroup ";
  const std::string text = "\n" + text_of_table(opcode);
  std::vector<std::string> groups;
  for (size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const size_t name = at + begin.size();
    const std::string group = text.substr(name, text.find('\n', name) - name);
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
  return groups;
}

std::vector<std::string> opcodes_with_warp_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test_files::source_dir() / "tests/data/ptx")) {
    if (entry.path().extension() == ".warp") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string hash_of(const std::byte* bytes, size_t count) {
  uint32_t value = 0x811c9dc5;
  for (size_t i = 0; i < count; ++i) value = (value ^ std::to_integer<uint32_t>(bytes[i])) * 0x01000193u;
  return fmt::format("{:08x}", value);
}

}  // namespace warplens::exec::test
