// wmma.load and wmma.store of one warp are counted as an H200 counts what ptxas makes of them, for three
// strides each: requests and sectors of global memory, wavefronts of shared memory.
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/core/gpu/engine/support.h"
#include "tests/paths.h"

namespace warplens::test {
namespace THIS_FILE {

// load_m16n16k16_a_f16_row_global, split.
struct Form {
  std::string operation, shape, part, type, layout, space;
};

Form form_of(const std::string& name) {
  std::array<std::string, 6> words;
  size_t at = 0;
  for (std::string& word : words) {
    const size_t end = std::min(name.find('_', at), name.size());
    word = name.substr(at, end - at);
    at = end + 1;
  }
  return {words[0], words[1], words[2], words[3], words[4], words[5]};
}

uint32_t registers_of(const Form& form) {
  const bool narrow = form.part == "a" && form.shape == "m8n32k16";
  const bool wide = form.part == "a" && form.shape == "m32n8k16";
  const bool b_narrow = form.part == "b" && form.shape == "m32n8k16";
  const bool b_wide = form.part == "b" && form.shape == "m8n32k16";
  if (form.type == "f64") return form.part == "a" || form.part == "b" ? 1 : 2;
  if (form.part == "c" || form.part == "d") return form.type == "f16" ? 4 : 8;
  if (form.type == "f16") return 8;
  if (form.type == "tf32") return 4;
  const uint32_t base = form.type == "s8" ? 2 : 4;
  return narrow || b_narrow ? base / 2 : wide || b_wide ? base * 2 : base;
}

std::string body_of(const Form& form, uint32_t stride) {
  const std::string type = form.type == "f64" ? "f64" : form.type == "f32" ? "f32" : "b32";
  const uint32_t count = registers_of(form);
  std::string registers;
  for (uint32_t i = 0; i < count; ++i) registers += (i == 0 ? "%x" : ", %x") + std::to_string(i);
  const std::string where = form.space == "shared" ? "%room" : "%p0";
  const std::string behind = form.layout + "." + form.shape + "." + form.space + "." + form.type;
  const std::string text = ".reg ." + type + " %x<8>;\n.reg .b64 %room;\nmov.u64 %room, room;\n";
  const std::string last = std::to_string(stride) + ";\nret;";
  if (form.operation == "load")
    return text + "wmma.load." + form.part + ".sync.aligned." + behind + " {" + registers + "}, [" + where +
           "], " + last;
  std::string zeros;
  for (uint32_t i = 0; i < count; ++i)
    zeros += "mov." + type + " %x" + std::to_string(i) + ", " + (type == "b32" ? "0" : "0.0") + ";\n";
  return text + zeros + "wmma.store.d.sync.aligned." + behind + " [" + where + "], {" + registers + "}, " +
         last;
}

TEST(WmmaTruth, AccessesAreThoseOfTheHardware) {
  std::ifstream file(test_files::source_dir().string() + "/tests/data/truth/wmma_h200.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 348u);
  uint32_t by_ldmatrix = 0;
  for (const auto& test : cases) {
    const auto name = test["kernel"].get<std::string>();
    const Form form = form_of(name);
    const auto stride = test["stride"].get<uint32_t>();
    SCOPED_TRACE(name + ", stride " + std::to_string(stride));
    Request request(kernel("k", 1, body_of(form, stride), ".shared .align 128 .b8 room[16384];\n"));
    request.buffer("data", zeros(16384)).launch("k", {1, 1, 1}, {32, 1, 1});
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->status, RunStatus::ok);
    const Counters& counters = *result->counters;
    const bool load = form.operation == "load";
    if (form.space == "global") {
      EXPECT_EQ(load ? counters.global_load_requests : counters.global_store_requests,
                test["requests"].get<uint64_t>());
      EXPECT_EQ(load ? counters.global_load_sectors : counters.global_store_sectors,
                test["sectors"].get<uint64_t>());
      continue;
    }
    by_ldmatrix += load && test["ldmatrix"].get<uint32_t>() != 0;
    EXPECT_EQ(load ? counters.shared_load_wavefronts : counters.shared_store_wavefronts,
              test["wavefronts"].get<uint64_t>());
    EXPECT_EQ(load ? counters.shared_load_bank_conflicts : counters.shared_store_bank_conflicts,
              test["conflicts"].get<uint64_t>());
  }
  EXPECT_GT(by_ldmatrix, 0u);  // they cost the wavefronts of their words
}

}  // namespace THIS_FILE
}  // namespace warplens::test
