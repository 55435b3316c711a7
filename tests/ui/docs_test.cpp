// The pictures of README and docs are those that the program of today draws (docs/pictures.json,
// tools/pictures).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/system/files.h"
#include "core/image/image.h"
#include "tests/paths.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

constexpr uint32_t cell = 8;  // pixels; what another version of a font library draws is the same on average

// Averages of a channel in cells.
std::vector<int> cells_of(const Image& image) {
  const uint32_t columns = image.width / cell, rows = image.height / cell;
  std::vector<int> sums(size_t{columns} * rows * 3);
  for (uint32_t y = 0; y < rows * cell; ++y)
    for (uint32_t x = 0; x < columns * cell; ++x)
      for (uint32_t channel = 0; channel < 3; ++channel)
        sums[(size_t{y / cell} * columns + x / cell) * 3 + channel] +=
            image.pixels[(size_t{y} * image.width + x) * image.channels + channel];
  for (int& sum : sums) sum /= static_cast<int>(cell * cell);
  return sums;
}

// Share of cells that look otherwise.
double share_of_other_cells(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return 1;
  constexpr int seen = 20;  // of 255
  const std::vector<int> left = cells_of(a), right = cells_of(b);
  size_t other = 0;
  for (size_t i = 0; i < left.size(); i += 3)
    other += std::abs(left[i] - right[i]) > seen || std::abs(left[i + 1] - right[i + 1]) > seen ||
             std::abs(left[i + 2] - right[i + 2]) > seen;
  return static_cast<double>(other) / static_cast<double>(left.size() / 3);
}

class Docs : public WindowTest {};

TEST_F(Docs, PicturesAreThoseOfTheProgramOfToday) {
  if (sample_photos().empty()) GTEST_SKIP() << "no photographs: tools/setup brings them";
  const auto root = test_files::source_dir();
  const Result<std::string> text = read_text((root / "docs/pictures.json").string(), 1 << 20);
  ASSERT_TRUE(text) << text.error().message;
  const std::string made =
      (std::filesystem::temp_directory_path() / fmt::format("warplens_docs_{}.png", getpid())).string();
  for (const nlohmann::json& row : nlohmann::json::parse(*text)) {
    const std::string name = row.at("picture");
    const Result<Image> there = load_image((root / "docs" / name).string(), 3);
    ASSERT_TRUE(there) << there.error().message;
    if (!row.contains("render")) continue;
    std::string command = fmt::format("cd '{}' && '{}' render", root.string(),
                                      (test_files::binary_dir() / "warplens").string());
    for (const nlohmann::json& word : row.at("render")) command += " '" + word.get<std::string>() + "'";
    ASSERT_EQ(std::system((command + " --out '" + made + "'").c_str()), 0) << command;
    const Result<Image> now = load_image(made, 3);
    ASSERT_TRUE(now) << now.error().message;
    EXPECT_LT(share_of_other_cells(*there, *now), 0.004)
        << "docs/" << name << ": look at what changed, then remake it: tools/pictures " << name;
  }
  std::filesystem::remove(made);
}

}  // namespace THIS_FILE
}  // namespace warplens
