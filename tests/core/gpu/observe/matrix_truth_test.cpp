// Wavefronts of ldmatrix, stmatrix and cp.async as Nsight Compute counts them on an H200:
// smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm, _stsm and _ldgsts, and their bank conflicts.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/gpu/observe/coalescing.h"
#include "tests/paths.h"

namespace warplens::observe {

namespace THIS_FILE {

struct Places {
  std::array<uint64_t, 32> at{};
  uint32_t mask = 0;
};

Places read_places(const nlohmann::json& offsets) {
  Places places;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const auto offset = offsets[lane].get<int64_t>();
    if (offset < 0) continue;
    places.at[lane] = static_cast<uint64_t>(offset);
    places.mask |= 1u << lane;
  }
  return places;
}

// "cp_ca_8_global": 8 bytes of each lane; the offsets are those of global memory, while shared memory is
// filled in order.
Wavefronts wavefronts_of_copy(const std::string& kernel, const Places& places) {
  const auto bytes = static_cast<uint32_t>(std::stoul(kernel.substr(6)));
  std::array<uint64_t, 32> in_order{};
  for (uint32_t lane = 0; lane < 32; ++lane) in_order[lane] = uint64_t{lane} * bytes;
  const bool global = kernel.ends_with("global");
  return copy_wavefronts((global ? places.at : in_order).data(), (global ? in_order : places.at).data(),
                         places.mask, bytes, kernel[4] == 'g');
}

TEST(MatrixTruth, WavefrontsAreThoseOfTheHardware) {
  std::ifstream file(test_files::source_dir().string() + "/tests/data/truth/matrix_counters_h200.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_GT(cases.size(), 100u);
  for (const auto& test : cases) {
    const auto kernel = test["kernel"].get<std::string>();
    const Places places = read_places(test["offsets"]);
    const auto wavefronts =
        kernel.starts_with("cp_")
            ? wavefronts_of_copy(kernel, places)
            : matrix_wavefronts(places.at.data(), static_cast<uint32_t>(kernel[10] - '0'));
    const std::string name = kernel + ", " + test["pattern"].get<std::string>();
    EXPECT_EQ(wavefronts.count, test["wavefronts"].get<uint32_t>()) << name;
    EXPECT_EQ(wavefronts.conflicts, test["conflicts"].get<uint32_t>()) << name;
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::observe
