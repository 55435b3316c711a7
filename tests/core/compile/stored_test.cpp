#include "core/compile/stored.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

constexpr const char* source = "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n";

CompileOptions for_architecture(uint32_t major, uint32_t minor, bool debug = false) {
  CompileOptions options;
  options.architecture = {major, minor};
  options.debug = debug;
  return options;
}

StoredCode some_code() {
  StoredCode code;
  auto& all = code.compilations[stored_key(source, for_architecture(7, 5))];
  all.push_back({{7, 5}, "twice.cu", true, "\t.file\t1 \"twice.cu\"\n// for 75\n", ""});
  all.push_back({{9, 0}, "twice.cu", true, "// for 90\n", ""});
  code.compilations[stored_key(source, for_architecture(7, 5, true))].push_back(
      {{7, 5}, "twice.cu", false, "", "twice.cu(1): error: identifier \"q\" is undefined\n"});
  Resources resources;
  resources.registers_per_thread = 17;
  resources.barriers = 1;
  resources.origin = ResourceOrigin::ptxas;
  code.resources[stored_key("ptx", "twice", {8, 6}, {})] = resources;
  return code;
}

TEST(StoredCode, IsReadAsItWasWritten) {
  const std::string text = stored_text(some_code());
  const auto read = parse_stored(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(stored_text(*read), text);
  for (size_t length = 0; length < text.size(); ++length) {
    const auto cut = parse_stored(text.substr(0, length));
    EXPECT_FALSE(cut && stored_text(*cut) == text) << length;
  }
  EXPECT_FALSE(parse_stored("warplens compiled 2\n"));
}

TEST(StoredCode, TheNewestThatTheDeviceRunsIsTaken) {
  const StoredCode code = some_code();
  const auto on_86 = stored_compilation(code, source, "twice.cu", for_architecture(8, 6));
  ASSERT_TRUE(on_86);
  EXPECT_THAT(on_86->ptx, HasSubstr("for 75"));
  EXPECT_THAT(stored_compilation(code, source, "twice.cu", for_architecture(10, 0))->ptx,
              HasSubstr("for 90"));
  EXPECT_FALSE(stored_compilation(code, source, "twice.cu", for_architecture(6, 1)));
  EXPECT_FALSE(stored_compilation(code, std::string(source) + " ", "twice.cu", for_architecture(8, 6)));
}

TEST(StoredCode, IsKnownByItsTextWhateverItsName) {
  const auto made = stored_compilation(some_code(), source, "mine.cu", for_architecture(8, 6));
  ASSERT_TRUE(made);
  EXPECT_THAT(made->ptx, HasSubstr("1 \"mine.cu\""));
  const auto wrong = stored_compilation(some_code(), source, "mine.cu", for_architecture(8, 6, true));
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->ok);
  ASSERT_EQ(wrong->diagnostics.size(), 1u);
  EXPECT_EQ(wrong->diagnostics[0].file, "mine.cu");
  EXPECT_EQ(wrong->diagnostics[0].line, 1u);
}

TEST(StoredCode, HasTheRegistersOfEachDevice) {
  const StoredCode code = *parse_stored(stored_text(some_code()));
  const auto known = stored_resources(code, "ptx", "twice", {8, 6}, {});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->registers_per_thread, 17u);
  EXPECT_EQ(known->origin, ResourceOrigin::ptxas);
  EXPECT_FALSE(stored_resources(code, "ptx", "twice", {8, 9}, {}));
  EXPECT_FALSE(stored_resources(code, "ptx", "twice", {8, 6}, {.max_registers = 32}));
}

}  // namespace THIS_FILE
}  // namespace warplens
