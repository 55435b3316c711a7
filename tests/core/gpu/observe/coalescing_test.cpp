// Sectors and wavefronts against their definitions, written down as slowly as they read.
#include "core/gpu/observe/coalescing.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>

namespace warplens::observe {
namespace THIS_FILE {

using Addresses = std::array<uint64_t, 32>;

Sectors sectors_by_definition(const Addresses& addresses, uint32_t mask, uint32_t bytes) {
  std::set<uint64_t> touched, asked, lines;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1u)) continue;
    for (uint32_t b = 0; b < bytes; ++b) {
      touched.insert((addresses[lane] + b) / sector_bytes);
      lines.insert((addresses[lane] + b) / 128);
      asked.insert(addresses[lane] + b);
    }
  }
  return {static_cast<uint32_t>(touched.size()),
          static_cast<uint32_t>((asked.size() + sector_bytes - 1) / sector_bytes),
          static_cast<uint32_t>(lines.size())};
}

struct Random {
  std::mt19937 engine{7};
  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(engine); }
  uint32_t mask() {
    const uint32_t any = static_cast<uint32_t>(engine());
    return below(3) == 0 ? 0xffffffff : any != 0 ? any : 1;
  }
  // Spread over `room` elements: from all in one place to far apart.
  Addresses addresses(uint32_t bytes) {
    Addresses result;
    const uint32_t room = 1u << below(12);
    const uint32_t stride = below(40);
    const bool regular = below(2) == 0;
    for (uint32_t lane = 0; lane < 32; ++lane)
      result[lane] = uint64_t{bytes} * (regular ? lane * stride + room : below(room));
    return result;
  }
};

TEST(Sectors, EqualTheirDefinition) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const uint32_t bytes = 1u << random.below(5);
    Addresses addresses = random.addresses(bytes);
    // Some lanes far away: in another allocation, or just too far for 32 bits.
    if (i % 8 == 0)
      for (uint64_t& address : addresses)
        address += random.below(2) * (uint64_t{1} << (25 + random.below(12)));
    const uint32_t mask = random.mask();
    const Sectors got = sectors_of(addresses.data(), mask, bytes);
    const Sectors wanted = sectors_by_definition(addresses, mask, bytes);
    ASSERT_EQ(got.touched, wanted.touched) << "case " << i;
    ASSERT_EQ(got.ideal, wanted.ideal) << "case " << i;
    ASSERT_EQ(got.lines, wanted.lines) << "case " << i;
  }
}

// A wide access is one for each of its words.
TEST(Sectors, OfLocalMemoryAreThoseOfInterleavedWords) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const uint32_t bytes = 1u << random.below(5), words = bytes <= 4 ? 1 : bytes / 4;
    const Addresses addresses = random.addresses(bytes);
    const uint32_t mask = random.mask();
    Sectors wanted;
    for (uint32_t word = 0; word < words; ++word) {
      Addresses interleaved;
      for (uint32_t lane = 0; lane < 32; ++lane)
        interleaved[lane] = ((addresses[lane] / 4 + word) * 32 + lane) * 4 + addresses[lane] % 4;
      const Sectors of_word = sectors_by_definition(interleaved, mask, bytes < 4 ? bytes : 4);
      wanted.touched += of_word.touched;
      wanted.ideal += of_word.ideal;
    }
    const Sectors got = sectors_of_local(addresses.data(), mask, bytes);
    ASSERT_EQ(got.touched, wanted.touched) << "case " << i;
    ASSERT_EQ(got.ideal, wanted.ideal) << "case " << i;
  }
}

TEST(Sectors, OfNoLanesAreNone) {
  const Addresses addresses{};
  EXPECT_EQ(sectors_of(addresses.data(), 0, 4).touched, 0u);
  EXPECT_EQ(sectors_of(addresses.data(), 0, 4).ideal, 0u);
}

// In each group of lanes that is served together: the most different words that one bank has to provide.
Wavefronts wavefronts_by_definition(const Addresses& offsets, uint32_t mask, uint32_t bytes, bool load) {
  uint32_t groups = bytes <= 4 ? 1 : bytes / 4;
  bool agree = true;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) && (mask >> (lane ^ 1u) & 1u))
      agree = agree && offsets[lane] == offsets[lane ^ 1u];
  }
  if (load && agree && groups > 1) groups /= 2;
  Wavefronts result;
  for (uint32_t group = 0; group < groups; ++group) {
    std::map<uint64_t, std::set<uint64_t>> words_of_bank;
    for (uint32_t lane = group * 32 / groups; lane < (group + 1) * 32 / groups; ++lane) {
      if (!(mask >> lane & 1u)) continue;
      for (uint32_t b = 0; b < bytes; ++b) {
        const uint64_t word = (offsets[lane] + b) / bank_bytes;
        words_of_bank[word % shared_banks].insert(word);
      }
    }
    size_t most = 0;
    for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
    if (most == 0) continue;
    result.count += static_cast<uint32_t>(most);
    result.conflicts += static_cast<uint32_t>(most) - 1;
  }
  return result;
}

TEST(Wavefronts, EqualTheirDefinition) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const uint32_t bytes = 1u << random.below(5);
    const Addresses offsets = random.addresses(bytes);
    const uint32_t mask = random.mask();
    const bool load = random.below(2) == 0;
    const Wavefronts got = wavefronts_of(offsets.data(), mask, bytes, load);
    const Wavefronts wanted = wavefronts_by_definition(offsets, mask, bytes, load);
    ASSERT_EQ(got.count, wanted.count) << "case " << i << ", " << bytes << " bytes";
    ASSERT_EQ(got.conflicts, wanted.conflicts) << "case " << i << ", " << bytes << " bytes";
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::observe
