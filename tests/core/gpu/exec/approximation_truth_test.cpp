// The approximate functions against all 2^32 inputs of each on an NVIDIA H200: checksums and single results
// that tests/data/truth/record_approximations.py recorded with the same module.
// WARPLENS_APPROXIMATION_TABLE=docs/approximations.md compares every checksum, which takes minutes, and
// writes the page's table again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

constexpr uint32_t chunks = 512, chunk_inputs = 1u << 23, samples = 4;

struct Chunk {
  uint32_t checksum;
  std::array<uint32_t, samples> results;
};
struct Form {
  std::string name;
  std::vector<Chunk> chunks;
};

std::vector<Form> recorded_forms() {
  std::vector<Form> forms;
  std::ifstream file(source_file("tests/data/truth/approximations_h200.txt"));
  std::string line;
  std::getline(file, line);  // the title line
  while (std::getline(file, line)) {
    std::istringstream words(line);
    if (line.find('.') != std::string::npos) {
      forms.push_back({line, {}});
      continue;
    }
    Chunk& chunk = forms.back().chunks.emplace_back();
    words >> std::hex >> chunk.checksum;
    for (uint32_t& result : chunk.results) words >> result;
  }
  return forms;
}

std::vector<uint32_t> answers(const Form& form, const OpsTable& table, const std::vector<uint32_t>& inputs) {
  static const std::string text = read_text(source_file("tests/data/truth/approximations.ptx"));
  std::string entry = form.name;
  std::replace(entry.begin(), entry.end(), '.', '_');
  const Decoded decoded = decode(text, entry, table);
  if (decoded.program == nullptr) return {};
  Bench bench(decoded.program);
  std::vector<std::byte> bytes(inputs.size() * 4);
  std::memcpy(bytes.data(), inputs.data(), bytes.size());
  bench.buffer(bytes);
  const Allocation& out = bench.buffer(bytes);
  const auto blocks = static_cast<uint32_t>(inputs.size() / 1024);
  if (bench.run({blocks, 1, 1}, {1024, 1, 1}, 2).end != GridOutcome::End::finished) return {};
  std::vector<uint32_t> results(inputs.size());
  std::memcpy(results.data(), out.host, bytes.size());
  return results;
}

std::vector<uint32_t> inputs_of(uint32_t chunk) {
  std::vector<uint32_t> inputs(chunk_inputs);
  std::iota(inputs.begin(), inputs.end(), chunk << 23);
  return inputs;
}

uint32_t checksum(const std::vector<uint32_t>& results) {
  uint64_t sum = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    uint64_t z = (uint64_t{results[i]} << 32 | i) * 0x9E3779B97F4A7C15u;
    z ^= z >> 32;
    z *= 0xD6E8FEB86659FD93u;
    sum += z ^ z >> 32;
  }
  return static_cast<uint32_t>(sum >> 32);
}

// The inputs whose results are in the file: for each sign and exponent the first, two more, and the last.
std::vector<uint32_t> sampled_inputs() {
  std::vector<uint32_t> inputs;
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    for (const uint32_t fraction :
         {0u, chunk * 2654435761u + 40503, chunk * 2246822519u + 12345, chunk_inputs - 1})
      inputs.push_back(chunk << 23 | (fraction & (chunk_inputs - 1)));
  }
  return inputs;
}

TEST(ApproximationTruth, ResultsOfAllSignsAndExponentsAreTheHardwares) {
  const std::vector<Form> forms = recorded_forms();
  ASSERT_EQ(forms.size(), 22u);
  const std::vector<uint32_t> inputs = sampled_inputs();
  for (const InstructionSet& set : instruction_sets()) {
    for (const Form& form : forms) {
      ASSERT_EQ(form.chunks.size(), chunks) << form.name;
      const std::vector<uint32_t> results = answers(form, *set.table, inputs);
      ASSERT_EQ(results.size(), inputs.size()) << form.name;
      for (size_t i = 0; i < inputs.size(); ++i)
        ASSERT_EQ(results[i], form.chunks[i / samples].results[i % samples])
            << fmt::format("{} of {:08x}, {}", form.name, inputs[i], set.name);
    }
  }
}

TEST(ApproximationTruth, EveryResultFromOneToTwoIsTheHardwares) {
  const std::vector<uint32_t> octaves[] = {inputs_of(127), inputs_of(128)};
  for (const Form& form : recorded_forms()) {
    // Without .ftz the unit is the same; the code around it is tested by the single results.
    if (form.name.find("ftz") == std::string::npos && form.name != "tanh.approx.f32") continue;
    // For roots, the exponent's last bit is treated as a bit of the mantissa.
    const uint32_t count = form.name.find("sqrt") != std::string::npos ? 2 : 1;
    for (uint32_t i = 0; i < count; ++i)
      EXPECT_EQ(checksum(answers(form, best_ops(), octaves[i])), form.chunks[127 + i].checksum)
          << form.name << " with exponent " << 127 + i;
  }
}

// Further facts about a form on the page.
struct Described {
  std::function<double(double)> function;
  double low, high;   // of the arguments whose errors are shown
  bool relative;      // or absolute
  const char* bound;  // of the manual
  const char* section;
};

std::optional<Described> describe(const std::string& opcode) {
  constexpr double two_pi = 6.283185307179586;
  if (opcode == "rcp")
    return Described{[](double x) { return 1 / x; }, 0x1p-126, 0x1p126, true, "1 ulp", "9.7.3.13"};
  if (opcode == "sqrt")
    return Described{[](double x) { return std::sqrt(x); }, 0x1p-126, 0x1p127, true, "2^-23", "9.7.3.15"};
  if (opcode == "rsqrt")
    return Described{
        [](double x) { return 1 / std::sqrt(x); }, 0x1p-126, 0x1p127, true, "2^-22.9", "9.7.3.16"};
  if (opcode == "sin")
    return Described{[](double x) { return std::sin(x); }, -two_pi, two_pi, false, "2^-20.5", "9.7.3.18"};
  if (opcode == "cos")
    return Described{[](double x) { return std::cos(x); }, -two_pi, two_pi, false, "2^-20.5", "9.7.3.19"};
  if (opcode == "lg2")
    return Described{[](double x) { return std::log2(x); }, 0.5, 2, false, "2^-22", "9.7.3.20"};
  if (opcode == "ex2")
    return Described{[](double x) { return std::exp2(x); }, -126, 127, true, "2.5 ulp", "9.7.3.21"};
  if (opcode == "tanh")
    return Described{[](double x) { return std::tanh(x); }, 0x1p-126, 100, true, "2^-11", "9.7.3.22"};
  return {};
}

double largest_error(const Described& described, uint32_t chunk, const std::vector<uint32_t>& results) {
  double largest = 0;
  for (size_t i = 0; i < results.size(); i += 61) {
    const double x = double{std::bit_cast<float>(chunk << 23 | static_cast<uint32_t>(i))};
    if (!(x >= described.low && x <= described.high)) continue;
    const double wanted = described.function(x),
                 error = std::abs(double{std::bit_cast<float>(results[i])} - wanted);
    largest = std::max(largest, described.relative && wanted != 0 ? error / std::abs(wanted) : error);
  }
  return largest;
}

TEST(ApproximationTruth, PageOfAllInputs) {
  const char* page = std::getenv("WARPLENS_APPROXIMATION_TABLE");
  if (page == nullptr) GTEST_SKIP() << "takes minutes; WARPLENS_APPROXIMATION_TABLE=FILE runs it";
  std::string lines;
  for (const Form& form : recorded_forms()) {
    const bool single = form.name.find("f64") == std::string::npos;
    const auto described = single ? describe(form.name.substr(0, form.name.find('.'))) : std::nullopt;
    uint64_t equal = 0;
    double error = 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      const std::vector<uint32_t> results = answers(form, best_ops(), inputs_of(chunk));
      equal += checksum(results) == form.chunks[chunk].checksum ? chunk_inputs : 0;
      if (described) error = std::max(error, largest_error(*described, chunk, results));
    }
    EXPECT_EQ(equal, uint64_t{1} << 32) << form.name;
    const std::string errors = described ? fmt::format("2^{:.2f} {} | {} ({})", std::log2(error),
                                                       described->relative ? "relative" : "absolute",
                                                       described->bound, described->section)
                                         : "— | ";
    lines += fmt::format("| `{}` | {:.6g} % | {} |\n", form.name, 100 * static_cast<double>(equal) / 0x1p32,
                         errors);
  }
  std::ofstream(page, std::ios::app) << lines;
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
