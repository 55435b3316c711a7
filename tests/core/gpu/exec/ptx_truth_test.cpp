// Every instruction of tests/data/ptx on every instruction set of this machine: with all lanes, with a
// partial last warp, guarded, and in divergent code. The results are those of real hardware.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/base/half.h"
#include "tests/core/gpu/exec/ptx_case.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

constexpr std::byte untouched{0xa5};

std::vector<std::byte> input_of(const PtxCase& test) {
  const LaneLayout layout = layout_of(test.in_bytes);
  std::vector<std::byte> bytes(layout.stride * test.in.size());
  for (size_t lane = 0; lane < test.in.size(); ++lane) {
    for (size_t i = 0; i < test.in_bytes.size(); ++i)
      std::memcpy(bytes.data() + lane * layout.stride + layout.at[i], &test.in[lane][i], test.in_bytes[i]);
  }
  return bytes;
}

// tests/data/truth/texture_cases.py: a number without a pattern for each element.
uint32_t mixed(uint32_t k) {
  uint32_t x = k * 2654435761u + 0x9e3779b9u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

uint32_t element(DType type, uint32_t k) {
  if (type == DType::f32) {
    return std::bit_cast<uint32_t>(static_cast<float>(mixed(k) >> 8) / 8388608.0f - 1.0f);
  }
  if (type != DType::f16) return mixed(k);
  return f16_of((static_cast<double>(mixed(k) >> 21) - 1024) / 1024);
}

// "2d f32 1 13 7 0 wrap clamp clamp linear normalized element"
Texture texture_of(const std::string& note, std::vector<std::byte>& texels) {
  std::istringstream words(note);
  std::string geometry, type, filter, where, how;
  std::array<std::string, 3> modes;
  Texture texture;
  TextureSpec& spec = texture.spec;
  words >> geometry >> type >> spec.channels >> spec.width >> spec.height >> spec.depth >> modes[0] >>
      modes[1] >> modes[2] >> filter >> where >> how;
  spec.shape = geometry == "linear" ? TextureShape::linear
               : geometry == "1d"   ? TextureShape::one
               : geometry == "2d"   ? TextureShape::two
               : geometry == "3d"   ? TextureShape::three
               : geometry == "a1d"  ? TextureShape::layers_of_one
               : geometry == "a2d"  ? TextureShape::layers_of_two
               : geometry == "cube" ? TextureShape::cube
                                    : TextureShape::layers_of_cubes;
  spec.height = std::max(spec.height, 1u);
  spec.depth = std::max(spec.depth, 1u);
  spec.type = *dtype_from_short(type[0] == 's' ? "i" + type.substr(1) : type);
  for (size_t d = 0; d < 3; ++d) spec.address[d] = *texture_address_from(modes[d]);
  spec.linear = filter == "linear";
  spec.normalized = where == "normalized";
  spec.normalized_read = how == "normalized";
  spec.surface = how == "surface";
  std::string between;
  if (words >> spec.levels >> between) spec.linear_levels = between == "linear";
  spec.levels = std::max(spec.levels, 1u);
  texels.resize(spec.bytes());
  const uint32_t bytes = bytes_of(spec.type);
  for (uint32_t k = 0; k < texels.size() / bytes; ++k) {
    const uint32_t bits = element(spec.type, k);
    std::memcpy(texels.data() + size_t{k} * bytes, &bits, bytes);
  }
  texture.texels = texels.data();
  texture.name = "texture";
  return texture;
}

struct Setting {
  Variant variant;
  uint32_t mask;
  uint32_t threads;  // 0: one for each row
};

class Runner {
 public:
  Runner(const PtxCase& test, std::string table) : m_test(test), m_table(std::move(table)) {}

  // Empty: all as on the hardware.
  std::string run(const InstructionSet& set, const Setting& setting) {
    const Decoded decoded = decode(text_of(m_test, setting.variant), "test", *set.table);
    if (decoded.program == nullptr) return decoded.errors;
    const auto threads = setting.threads != 0 ? setting.threads : static_cast<uint32_t>(m_test.in.size());
    const LaneLayout layout = layout_of(m_test.out_bytes);
    Bench bench(decoded.program);
    bench.buffer(input_of(m_test));
    const Allocation& out = bench.buffer(std::vector<std::byte>(layout.stride * m_test.in.size(), untouched));
    bench.parameter(setting.mask);
    std::vector<std::byte> texels;
    if (!m_test.texture.empty())
      bench.parameter(bench.memory().add_texture(texture_of(m_test.texture, texels)));
    const GridOutcome outcome = bench.run({1, 1, 1}, {threads, 1, 1});
    if (outcome.end != GridOutcome::End::finished)
      return fmt::format("{}:{}: form {}: the run faults", m_table, m_test.form_line, m_test.name);
    std::string differences;
    for (uint32_t lane = 0; lane < m_test.in.size(); ++lane) {
      const bool active = lane < threads && (setting.mask >> lane % 32 & 1u) != 0;
      differences += compare(lane, active, out.host + lane * layout.stride, layout);
    }
    return differences.empty() ? differences
                               : fmt::format("{} on {}, mask {:08x}:\n{}", name_of(setting.variant), set.name,
                                             setting.mask, differences);
  }

 private:
  static const char* name_of(Variant variant) {
    return variant == Variant::plain ? "plain" : variant == Variant::guarded ? "guarded" : "divergent";
  }
  std::string compare(uint32_t lane, bool active, const std::byte* got, const LaneLayout& layout) const {
    std::string differences;
    for (size_t i = 0; i < m_test.out_bytes.size(); ++i) {
      uint64_t value = 0, idle = 0;
      const uint32_t bytes = m_test.out_bytes[i];
      std::memcpy(&value, got + layout.at[i], bytes);
      std::memset(&idle, 0xa5, bytes);
      const uint64_t wanted = active ? m_test.out[lane][i] : idle;
      if (is_near(value, wanted, bytes, active ? m_test.nearness : Nearness{})) continue;
      std::string operands;
      for (size_t k = 0; k < m_test.in_bytes.size(); ++k)
        operands += fmt::format(" {:0{}x}", m_test.in[lane][k], 2 * m_test.in_bytes[k]);
      differences +=
          fmt::format("  {}:{}: form {}: lane {} ({}): result {} of{}: {:0{}x}, the hardware says {:0{}x}\n",
                      m_table, m_test.line[lane], m_test.name, lane, active ? "active" : "idle", i, operands,
                      value, 2 * bytes, wanted, 2 * bytes);
    }
    return differences;
  }

  const PtxCase& m_test;
  std::string m_table;
};

// Forms that the virtual GPU refuses so far.
std::set<std::string> refused_forms() {
  std::set<std::string> names;
  std::istringstream text(read_text(source_file("tests/data/ptx/refused.txt")));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line);
  }
  return names;
}

class PtxTruth : public testing::TestWithParam<std::string> {};

TEST_P(PtxTruth, EqualsTheHardware) {
  const std::set<std::string> refused = refused_forms();
  const std::string table = table_of(GetParam());
  const Result<std::vector<PtxCase>> cases = read_ptx_cases(GetParam());
  ASSERT_TRUE(cases) << cases.error().message;
  const std::vector<Setting> settings{{Variant::plain, 0xffffffff, 0},    {Variant::plain, 0xffffffff, 7},
                                      {Variant::guarded, 0xffffffff, 0},  {Variant::guarded, 0x6db6db6e, 0},
                                      {Variant::guarded, 0x80000001, 0},  {Variant::divergent, 0x0ff0a5a6, 0},
                                      {Variant::divergent, 0x00008000, 0}};
  for (const PtxCase& test : *cases) {
    const std::string name = GetParam() + "/" + test.name;
    ASSERT_FALSE(test.in.empty()) << name;
    ASSERT_EQ(test.in.size(), test.out.size()) << name;
    const bool runs = decode(text_of(test, Variant::plain), "test", ops_baseline()).program != nullptr;
    EXPECT_NE(runs, refused.contains(name))
        << table << ":" << test.form_line << ": form " << name
        << (runs ? " runs now: take it out of tests/data/ptx/refused.txt" : " is refused") << "\n"
        << decode(text_of(test, Variant::plain), "test", ops_baseline()).errors;
    if (!runs) continue;
    for (const InstructionSet& set : instruction_sets()) {
      std::string differences;
      for (const Setting& setting : settings) {
        if (setting.variant == Variant::guarded && !test.can_be_guarded) continue;
        if (test.alone && &setting != &settings.front()) continue;
        if (setting.threads > test.in.size()) continue;
        differences = Runner(test, table).run(set, setting);
        if (!differences.empty()) break;
      }
      EXPECT_EQ(differences, "");
      if (!differences.empty()) break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, PtxTruth, testing::ValuesIn(opcodes_with_cases()),
                         [](const testing::TestParamInfo<std::string>& opcode) { return opcode.param; });

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
