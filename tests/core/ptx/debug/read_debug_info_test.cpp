// What compilers say of variables, read from real texts (data/remake.sh made them), and texts that are wrong.
#include "core/ptx/debug/read_debug_info.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/base/system/files.h"
#include "core/ptx/parser/parse.h"
#include "tests/paths.h"

namespace warplens::debug {
namespace THIS_FILE {

std::string data(const std::string& name) {
  const Result<std::string> text =
      read_text((test_files::source_dir() / "tests/core/ptx/debug/data" / name).string(), 1 << 20);
  EXPECT_TRUE(text) << name;
  return text ? *text : std::string();
}

Result<DebugInfo> read(const std::string& text) {
  const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  EXPECT_NE(parsed.module, nullptr) << to_text(parsed.diagnostics);
  if (parsed.module == nullptr) return DebugInfo{};
  return read_debug_info(*parsed.module);
}

std::string words(const Place& place) {
  using Kind = Place::Kind;
  switch (place.kind) {
    case Kind::reg:
      return place.name;
    case Kind::memory:
      return fmt::format("{}+{}", place.name, place.offset);
    case Kind::constant:
      return fmt::format("={}", place.value);
    case Kind::pointed:
      return fmt::format("[{}+{}]", place.name, place.offset);
    case Kind::unknown:
      return "?";
    case Kind::none:
      break;
  }
  return "nowhere";
}

// "float m: %f18" and the scopes in each other, indented.
std::string words(const DebugInfo& info, const Scope& scope, const std::string& indent = "") {
  std::string text;
  for (const Variable& variable : scope.variables) {
    text += fmt::format("{}{} {}:", indent, type_name(info, variable.type), variable.name);
    if (variable.ranges.empty()) text += " " + words(variable.place);
    for (const PlaceRange& range : variable.ranges) text += fmt::format(" {}", words(range.place));
    text += fmt::format(" (line {})\n", variable.line);
  }
  for (const Scope& inner : scope.scopes) {
    text += fmt::format("{}{}\n", indent, inner.inlined.empty() ? "block" : "in " + inner.inlined);
    text += words(info, inner, indent + "  ");
  }
  return text;
}

std::string function(const DebugInfo& info, std::string_view name) {
  const Function* found = info.find(name);
  return found == nullptr ? "there is none" : words(info, found->scope);
}

TEST(DebugInfoOfNvrtc, HasScopesPlacesAndTypes) {
  const Result<DebugInfo> info = read(data("nvrtc_12_9.ptx"));
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->distrust, "");
  EXPECT_EQ(function(*info, "_Z9factoriali"),
            "int n: %r4 (line 32)\n"
            "block\n"
            "  int below: %r6 (line 34)\n");
  EXPECT_EQ(function(*info, "_Z7clampedIiET_S0_S0_S0_"),
            "int a: %r3 %r7 (line 39)\n"
            "int lo: %r4 %r7 (line 39)\n"
            "int hi: %r5 %r8 (line 39)\n"
            "block\n"
            "  int r: %r1 %r8 (line 40)\n"
            "  int s: %r2 (line 41)\n");
  EXPECT_EQ(function(*info, "shapes"),
            "Point* points: %rd2 (line 45)\n"
            "Point byval: __local_depot2+8 (line 45)\n"
            "int* out: %rd3 (line 45)\n"
            "int n: __local_depot2+28 (line 45)\n"
            "Color color: %r11 (line 45)\n"
            "block\n"
            "  Point p: __local_depot2+40 (line 49)\n"
            "  Derived d: __local_depot2+64 (line 51)\n"
            "  int[5] list: __local_depot2+88 (line 54)\n"
            "  _ZZ6shapesEUliE_ add: __local_depot2+112 (line 60)\n"
            "  int i: %r1 (line 48)\n"
            "  Point& ref: %rd1 (line 50)\n"
            "  float m: %f18 (line 58)\n"
            "  int f: %r5 %r42 %r7 %r42 %r8 (line 59)\n"
            "  int l: %r6 (line 64)\n"
            "  const int seven: =7 (line 65)\n"
            "  bool big: %rs1 (line 66)\n"
            "  block\n"
            "    int j: %r2 %r41 %r3 %r4 %r41 (line 55)\n"
            "  in mix\n"
            "    float a: %f11 (line 26)\n"
            "    float b: %f13 (line 26)\n"
            "    const Point& p: __local_depot2+0 (line 26)\n"
            "    block\n"
            "      float m: %f15 (line 27)\n"
            "      float q: %f16 (line 28)\n");
}

TEST(DebugInfoOfNvrtc, HasTheRangesOfALoopVariable) {
  const Result<DebugInfo> info = read(data("nvrtc_12_9.ptx"));
  ASSERT_TRUE(info);
  const Variable& j = info->find("shapes")->scope.scopes[0].scopes[0].variables[0];
  ASSERT_EQ(j.ranges.size(), 5u);
  for (size_t i = 1; i < 5; ++i) EXPECT_EQ(j.ranges[i].begin, j.ranges[i - 1].end);
  EXPECT_EQ(j.ranges[4].end, "$L__func_end2");
}

TEST(DebugInfoOfNvrtc, HasStructuresEnumerationsAndBitFields) {
  const Result<DebugInfo> info = read(data("nvrtc_12_9.ptx"));
  ASSERT_TRUE(info);
  const Scope& body = info->find("shapes")->scope.scopes[0];
  const Type& derived = plain_type(*info, body.variables[1].type);
  ASSERT_EQ(derived.members.size(), 5u);
  EXPECT_TRUE(derived.members[0].is_base);
  EXPECT_EQ(derived.members[1].offset, 8u);
  EXPECT_EQ(derived.members[3].name, "low");
  EXPECT_EQ(derived.members[3].bits, 3u);
  EXPECT_EQ(derived.members[3].first_bit, 8u);
  EXPECT_EQ(derived.members[4].first_bit, 11u);
  const Type& color = plain_type(*info, info->find("shapes")->scope.variables[4].type);
  ASSERT_EQ(color.enumerators.size(), 2u);
  EXPECT_EQ(color.enumerators[1].name, "green");
  EXPECT_EQ(color.enumerators[1].value, 5);
  EXPECT_EQ(type_bytes(*info, body.variables[2].type), 20u);
}

TEST(DebugInfoOfNvrtc, HasTheVariablesOfTheModule) {
  const Result<DebugInfo> info = read(data("nvcc_13.ptx"));
  ASSERT_TRUE(info);
  std::string text;
  for (const Variable& variable : info->variables)
    text += fmt::format("{} {} {}\n", type_name(*info, variable.type), variable.name, words(variable.place));
  EXPECT_EQ(text,
            "float[3] weights weights+0\n"
            "int _ZN2ns7counterE _ZN2ns7counterE+0\n"
            "int[] dynamic dynamic+0\n");
}

TEST(DebugInfoOfNewerCompilers, HasAListForEachAssignment) {
  const Result<DebugInfo> info = read(data("nvrtc_12_9_sm_120.ptx"));
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(function(*info, "_Z9factoriali"),
            "int n: %r4 (line 32)\n"
            "block\n"
            "  int below: %r6 (line 34)\n");
  EXPECT_EQ(info->find("_Z9factoriali")->scope.scopes[0].variables[0].ranges.size(), 1u);
  EXPECT_NE(function(*info, "shapes").find("const int seven: =7"), std::string::npos);
}

TEST(DebugInfoOfNumba, IsReadOfNumbaCudaAndNotTrustedOfTheBuiltInTarget) {
  const Result<DebugInfo> info = read(data("numba_cuda.ptx"));
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->distrust, "");
  ASSERT_EQ(info->functions.size(), 1u);
  EXPECT_EQ(info->functions[0].name, "saxpy");
  const std::string text = words(*info, info->functions[0].scope);
  EXPECT_NE(text.find("float32 a: ?"), std::string::npos) << text;  // it describes a zero
  EXPECT_NE(text.find("int64 i: %rd"), std::string::npos) << text;

  const Result<DebugInfo> built_in = read(data("numba_built_in.ptx"));
  ASSERT_TRUE(built_in) << built_in.error().message;
  EXPECT_GT(built_in->units.size(), 1u);
  EXPECT_NE(built_in->distrust.find("wrong places"), std::string::npos);
}

TEST(DebugInfo, IsEmptyWithoutSections) {
  const Result<DebugInfo> info = read(".version 7.0\n.target sm_50\n.address_size 64\n.entry k() { ret; }\n");
  ASSERT_TRUE(info);
  EXPECT_TRUE(info->functions.empty());
  EXPECT_EQ(info->types.size(), 1u);
}

std::string with_sections(const std::string& abbreviations, const std::string& entries) {
  return ".version 7.0\n.target sm_50\n.address_size 64\n.entry k() { ret; }\n.section .debug_abbrev {\n" +
         abbreviations + "\n}\n.section .debug_info {\n" + entries + "\n}\n";
}

TEST(DebugInfo, SaysWhereItIsWrong) {
  const auto message = [](const std::string& abbreviations, const std::string& entries) {
    const Result<DebugInfo> info = read(with_sections(abbreviations, entries));
    return info ? std::string("no error") : info.error().message;
  };
  const std::string head = ".b32 9\n.b8 2,0\n.b32 0\n.b8 8\n";
  EXPECT_EQ(message(".b8 0", ".b32 100\n.b8 1"),
            "test.ptx:9: The debug information cannot be read: a unit is longer than the section "
            ".debug_info.");
  EXPECT_EQ(message(".b8 0", head + ".b8 3,0"),
            "test.ptx:13: The debug information cannot be read: there is no abbreviation 3.");
  EXPECT_EQ(message(".b8 1,17", head + ".b8 1,0"),
            "test.ptx:9: The debug information cannot be read: the section .debug_abbrev ends too early.");
  EXPECT_EQ(message(".b8 1,17,0,3,99,0,0,0", head + ".b8 1,0"),
            "test.ptx:13: The debug information cannot be read: an attribute has the form 0x63.");
  EXPECT_EQ(message(".b8 1,17,0,3,6,0,0,0", head + ".b8 1,0"),
            "test.ptx:13: The debug information cannot be read: an entry is longer than its unit.");
  EXPECT_EQ(message(".b8 0", ".b32 7\n.b8 5,0\n.b32 0\n.b8 8"),
            "test.ptx:9: The debug information cannot be read: it is DWARF 5; CUDA writes DWARF 2.");
  EXPECT_EQ(message(".b8 0", ".b32 99999999999999999999"),
            "test.ptx:9: The debug information cannot be read: '99999999999999999999' is not a number of 64 "
            "bits.");
  EXPECT_EQ(message(".b8 0", ".u32 4"),
            "test.ptx:9: The debug information cannot be read: '.u32' is not .b8, .b16, .b32 or .b64.");
}

// Each text is cut off and changed everywhere: it is read or refused, and never more than that.
TEST(DebugInfo, IsReadOrRefusedWhateverStandsThere) {
  const std::string whole = data("nvrtc_12_9.ptx");
  const size_t begin = whole.find(".section");
  for (size_t at = begin; at < whole.size(); at += 97) {
    std::string text = whole;
    text[at] = text[at] == '9' ? '0' : '9';
    const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
    if (parsed.module == nullptr) continue;
    const Result<DebugInfo> info = read_debug_info(*parsed.module);
    if (!info) {
      EXPECT_FALSE(info.error().message.empty());
    }
  }
}

TEST(DebugInfo, SurvivesTypesThatAreThemselves) {
  // A typedef whose type is itself, and a pointer to it.
  const std::string abbreviations = ".b8 1,17,1,0,0,2,22,0,73,19,0,0,3,15,0,73,19,0,0,0";
  const Result<DebugInfo> info = read(with_sections(
      abbreviations, ".b32 19\n.b8 2,0\n.b32 0\n.b8 8\n.b8 1\n.b8 2\n.b32 12\n.b8 3\n.b32 12\n.b8 0"));
  ASSERT_TRUE(info) << info.error().message;
  ASSERT_EQ(info->types.size(), 3u);
  EXPECT_EQ(plain_type(*info, 1).kind, Type::Kind::none);
  EXPECT_EQ(type_bytes(*info, 1), 0u);
  EXPECT_FALSE(type_name(*info, 2).empty());
}

}  // namespace THIS_FILE
}  // namespace warplens::debug
