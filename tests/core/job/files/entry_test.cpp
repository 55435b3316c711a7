#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "core/job/files/entry.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

constexpr const char* one_entry = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry only(.param .u64 p, .param .u64 wide, .param .u32 n, .param .u8 small, .param .f32 a, .param .f64 b)
{
  ret;
}
)";

LaunchRequest request_of(std::string ptx, std::vector<Argument> arguments, std::string entry = "") {
  auto module = std::make_shared<ModuleText>();
  module->ptx = std::move(ptx);
  module->ptx_name = "k.ptx";
  LaunchRequest request;
  request.module = module;
  request.buffers.push_back({"x", 16, DType::f32, nullptr, false, 4, 1, 1});
  request.steps.emplace_back(
      LaunchStep{std::move(entry), {1, 1, 1}, {1, 1, 1}, 0, false, std::move(arguments)});
  return request;
}

ScalarArgument integer(DType type, uint64_t bits) { return {type, bits}; }
ScalarArgument single(float value) { return {DType::f32, std::bit_cast<uint32_t>(value)}; }
ScalarArgument twice(double value) { return {DType::f64, std::bit_cast<uint64_t>(value)}; }

std::vector<Argument> good() {
  return {BufferArgument{0, 0},
          integer(DType::i32, 0xfffffff9u),
          integer(DType::i64, 7),
          integer(DType::i32, 0xffffff80u),
          twice(0.5),
          single(0.25f)};
}

std::string error_with(size_t index, Argument argument) {
  std::vector<Argument> arguments = good();
  arguments[index] = argument;
  const Result<LaunchRequest> matched = match_entries(request_of(one_entry, arguments), "launch.json");
  return matched ? "" : matched.error().message;
}

TEST(MatchEntries, TakesTheOnlyEntryAndWidensScalars) {
  const Result<LaunchRequest> matched = match_entries(request_of(one_entry, good()), "launch.json");
  ASSERT_TRUE(matched.ok()) << matched.error().message;
  const LaunchStep& launch = *first_launch(*matched);
  EXPECT_EQ(launch.entry, "only");
  const auto bits = [&](size_t i) { return std::get<ScalarArgument>(launch.arguments[i]).bits; };
  EXPECT_EQ(bits(1), 0xfffffffffffffff9u);  // −7 keeps its value
  EXPECT_EQ(bits(2), 7u);
  EXPECT_EQ(bits(3), 0x80u);
  EXPECT_EQ(bits(4), std::bit_cast<uint32_t>(0.5f));
  EXPECT_EQ(bits(5), std::bit_cast<uint64_t>(0.25));
}

TEST(MatchEntries, UnsignedScalarsAreNotSignExtended) {
  std::vector<Argument> arguments = good();
  arguments[1] = integer(DType::u32, 0xffffffffu);
  const Result<LaunchRequest> matched = match_entries(request_of(one_entry, arguments), "launch.json");
  ASSERT_TRUE(matched.ok());
  EXPECT_EQ(std::get<ScalarArgument>(first_launch(*matched)->arguments[1]).bits, 0xffffffffu);
}

TEST(MatchEntries, WhatDoesNotFitIsAnError) {
  EXPECT_THAT(error_with(2, integer(DType::i64, uint64_t{1} << 40)),
              HasSubstr("launch.json: args[2] of only: "));
  EXPECT_THAT(error_with(3, integer(DType::u32, 256)), HasSubstr("args[3]"));
  EXPECT_THAT(error_with(4, twice(0.1)), HasSubstr("does not fit"));
  EXPECT_THAT(error_with(4, integer(DType::i32, 1)), HasSubstr(R"({"f32":)"));
  EXPECT_THAT(error_with(2, single(1)), HasSubstr("args[2]"));
  EXPECT_THAT(error_with(2, BufferArgument{0, 0}), HasSubstr("needs 8 bytes"));
}

TEST(MatchEntries, CountsArgumentsAndNamesEntries) {
  std::vector<Argument> few = good();
  few.pop_back();
  EXPECT_THAT(match_entries(request_of(one_entry, few), "l.json").error().message,
              HasSubstr("only has 6 parameters, and 5 arguments were given"));
  EXPECT_THAT(match_entries(request_of(one_entry, good(), "other"), "l.json").error().message,
              HasSubstr("k.ptx has no kernel \"other\"; it has only"));
  const std::string head = ".version 7.0\n.target sm_50\n.address_size 64\n";
  const std::string two = head + ".visible .entry a()\n{\n  ret;\n}\n.visible .entry b()\n{\n  ret;\n}\n";
  EXPECT_THAT(match_entries(request_of(two, {}), "l.json").error().message, HasSubstr("several kernels"));
  EXPECT_TRUE(match_entries(request_of(two, {}, "b"), "l.json").ok());
  EXPECT_THAT(match_entries(request_of(head, {}), "l.json").error().message, HasSubstr("no kernel (.entry)"));
}

TEST(MatchEntries, BrokenPtxNamesItsLine) {
  EXPECT_THAT(match_entries(request_of(".version 7.0\n.target sm_50\n.address_size 64\n{{{", {}), "l.json")
                  .error()
                  .message,
              HasSubstr("k.ptx:4"));
}

}  // namespace THIS_FILE
}  // namespace warplens
