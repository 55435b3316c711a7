#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/references.h"

namespace warplens {
namespace {

nlohmann::json small_description() {
  return nlohmann::json::parse(R"({
    "category": "C", "title": "T", "teaches": "t", "entry": "k", "block": [64], "problem": ["n"], "index_formula": ["i"],
    "arguments": [{"name": "x", "title": "X", "buffer": "float32", "fill": "index", "width": "n"},
                  {"name": "out", "title": "O", "buffer": "uint8", "output": true, "width": "2 * n", "height": 3},
                  {"name": "n", "title": "N", "scalar": "int32", "value": 5, "minimum": 0, "maximum": 9},
                  {"name": "half", "title": "H", "scalar": "float32", "expression": "n / 2"}],
    "reference": "vector_add", "check": {"buffer": "out", "rtol": 0.5}})");
}

TEST(ParseKernel, ReadsEveryPart) {
  auto kernel = parse_kernel(small_description().dump(), "kernels/small.json");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->name, "small");
  EXPECT_EQ(kernel->source_name, "small.cu");
  EXPECT_EQ(kernel->default_block, (Dim3{64, 1, 1}));
  EXPECT_EQ(kernel->problem[0], "n");
  EXPECT_EQ(kernel->problem[2], "1");
  ASSERT_EQ(kernel->arguments.size(), 4u);
  EXPECT_EQ(kernel->arguments[0].fill, Fill::index);
  EXPECT_EQ(kernel->arguments[1].height, "3");
  EXPECT_TRUE(kernel->arguments[1].output);
  EXPECT_EQ(kernel->arguments[2].control, Control::number);
  EXPECT_EQ(kernel->arguments[3].control, Control::none);
  ASSERT_EQ(kernel->checks.size(), 1u);
  EXPECT_EQ(kernel->checks[0].rtol, 0.5);
}

TEST(ParseKernel, EveryMistakeIsAnErrorWithTheFileName) {
  auto fails = [](const char* pointer, nlohmann::json value) {
    nlohmann::json description = small_description();
    description[nlohmann::json::json_pointer(pointer)] = std::move(value);
    auto kernel = parse_kernel(description.dump(), "kernels/wrong.json");
    ASSERT_FALSE(kernel) << pointer;
    EXPECT_NE(kernel.error().message.find("kernels/wrong.json"), std::string::npos) << kernel.error().message;
  };
  fails("/tittle", "x");
  fails("/title", 3);
  fails("/block", nlohmann::json::array());
  fails("/block", {1, 2, 3, 4});
  fails("/problem", {"m"});
  fails("/problem", {"n +"});
  fails("/problem", nlohmann::json::array());
  fails("/arguments/0/fill", "ones");
  fails("/arguments/0/buffer", "float31");
  fails("/arguments/0/width", "image_width");  // no argument is filled with a picture
  fails("/arguments/0/name", "n");
  fails("/arguments/0/name", "block_x");
  fails("/arguments/0/low", 2);
  fails("/arguments/0/maximum", 2);
  fails("/arguments/2/value", 10);
  fails("/arguments/2/value", "nan");
  fails("/arguments/2/maximum", "inf");
  fails("/arguments/2/control", "dial");
  fails("/arguments/2/buffer", "int32");
  fails("/arguments/3/expression", "half");
  fails("/arguments/3/value", 1);
  fails("/settings", {{{"name", "s"}, {"title", "S"}, {"buffer", "int32"}, {"width", "n"}}});
  fails("/reference", "no_such");
  fails("/check/buffer", "x");
  fails("/check/rtol", -1);
  for (const char* text : {"", "[]", "{", "null", "{\"title\": }"})
    EXPECT_FALSE(parse_kernel(text, "a.json")) << text;
}

TEST(Catalogue, EveryDescriptionInTheProgramIsRight) {
  size_t descriptions = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("kernels/") || !file.path.ends_with(".json")) continue;
    ++descriptions;
    auto kernel = parse_kernel(file.bytes, file.path);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_FALSE(find_embedded("kernels/" + kernel->name + ".cu").empty()) << file.path;
    const std::string_view ptx = find_embedded("kernels/" + kernel->name + ".ptx");
    EXPECT_NE(ptx.find(".entry " + kernel->entry + "("), ptx.npos) << file.path;
    // One parameter for each argument.
    size_t parameters = 0;
    for (size_t at = ptx.find(".param ."); at != ptx.npos; at = ptx.find(".param .", at + 1)) ++parameters;
    EXPECT_EQ(parameters, kernel->arguments.size()) << file.path;
    EXPECT_TRUE(find_reference(kernel->reference)) << file.path;
    EXPECT_FALSE(kernel->checks.empty()) << file.path;
    EXPECT_FALSE(kernel->index_formula.empty());
  }
  EXPECT_EQ(built_in_kernels().size(), descriptions);
  EXPECT_GE(descriptions, 5u);
}

TEST(Catalogue, GrayscaleComesFirst) {
  ASSERT_FALSE(built_in_kernels().empty());
  EXPECT_EQ(built_in_kernels().front().name, "grayscale");
  EXPECT_EQ(built_in_kernels().front().default_block, (Dim3{16, 16, 1}));
}

TEST(Catalogue, FindsWithoutCase) {
  auto found = find_kernel("GrayScale");
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->name, "grayscale");
  auto unknown = find_kernel("greyscale");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::bad_input);
  EXPECT_NE(unknown.error().message.find("matmul_tiled"), std::string::npos);
}

}  // namespace
}  // namespace warplens
