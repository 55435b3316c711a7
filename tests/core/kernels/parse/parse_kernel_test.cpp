#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/system/embedded.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/references/references.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

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
  fails("/category", 1);
  fails("/source", "small.ptx");
  fails("/grid", "wide");
  fails("/grid_stride", 1);
  fails("/arguments/0/formula", "i");  // and another fill
  fails("/arguments/0/fill", "formula");
  fails("/arguments/0/name", "grid_x");
  fails("/arguments/0/name", "i");
  fails("/problem", {"grid_x"});  // the grid follows from it
  fails("/buffers", {{{"name", "b"}, {"title", "B"}, {"scalar", "int32"}}});
  fails("/buffers", {{{"name", "x"}, {"title", "B"}, {"buffer", "int32"}, {"width", "n"}}});  // taken
  for (const char* text : {"", "[]", "{", "null", "{\"title\": }"})
    EXPECT_FALSE(parse_kernel(text, "a.json")) << text;
}

// How many parameters the entry has in this PTX; a number that no kernel has where it is not there.
size_t parameters_of(std::string_view ptx, const std::string& entry) {
  const size_t start = ptx.find(".entry " + entry + "(");
  if (start == ptx.npos) return 999;
  const std::string_view header = ptx.substr(start, ptx.find(')', start) - start);
  size_t parameters = 0;
  for (size_t at = header.find(".param ."); at != header.npos; at = header.find(".param .", at + 1))
    ++parameters;
  return parameters;
}

TEST(ParseKernel, ReadsTextures) {
  nlohmann::json description = small_description();
  description["arguments"][0] = nlohmann::json::parse(R"({
    "name": "x", "title": "X", "texture": "uint8", "fill": "index", "width": "n + 1", "height": 2, "channels": 4,
    "address": "border", "filter": "linear", "read": "float", "normalized": true})");
  const auto kernel = parse_kernel(description.dump(), "kernels/small.json");
  ASSERT_TRUE(kernel) << kernel.error().message;
  ASSERT_TRUE(kernel->arguments[0].texture);
  EXPECT_TRUE(kernel->arguments[0].is_buffer);
  const auto request = make_request(*kernel, default_setup(*kernel), *find_device("H200"));
  ASSERT_TRUE(request) << request.error().message;
  const auto* texture = std::get_if<TextureArgument>(&first_launch(*request)->arguments[0]);
  ASSERT_NE(texture, nullptr);
  EXPECT_EQ(texture->spec.width, 6u);
  EXPECT_EQ(texture->spec.height, 2u);
  EXPECT_EQ(texture->spec.channels, 4u);
  EXPECT_EQ(texture->spec.address[1], TextureAddress::border);
  EXPECT_TRUE(texture->spec.linear && texture->spec.normalized_read && texture->spec.normalized);
  for (const char* wrong : {R"({"filter": "linear", "read": "element"})", R"({"texture": "float64"})",
                            R"({"texture": "float32"})", R"({"address": "loop"})", R"({"output": true})"}) {
    nlohmann::json changed = description;
    changed["arguments"][0].update(nlohmann::json::parse(wrong));
    EXPECT_FALSE(parse_kernel(changed.dump(), "kernels/small.json")) << wrong;
  }
}

TEST(Catalogue, EveryDescriptionInTheProgramIsRight) {
  EXPECT_THAT(kernel_mistakes(), testing::IsEmpty());
  size_t descriptions = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("kernels/") || !file.path.ends_with(".json")) continue;
    ++descriptions;
    auto kernel = parse_kernel(file.bytes, file.path);
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_FALSE(find_embedded("kernels/" + kernel->source_name).empty()) << file.path;
    EXPECT_FALSE(kernel->category.empty()) << file.path;
    const std::string stem = kernel->source_name.substr(0, kernel->source_name.size() - 3);
    const std::string_view ptx = find_embedded("kernels/" + stem + ".ptx");
    // One parameter for each argument of each launch.
    EXPECT_EQ(parameters_of(ptx, kernel->entry), kernel->arguments.size()) << file.path;
    bool first = true;
    for (const KernelStep& step : kernel->steps) {
      if (step.kind != KernelStep::Kind::launch || std::exchange(first, false)) continue;
      EXPECT_EQ(parameters_of(ptx, step.entry), step.arguments.size()) << file.path << " " << step.entry;
    }
    for (const KernelConstant& constant : kernel->constants)
      EXPECT_NE(ptx.find(" " + constant.symbol + "["), ptx.npos) << file.path;
    EXPECT_TRUE(find_reference(kernel->reference)) << file.path;
    EXPECT_FALSE(kernel->checks.empty()) << file.path;
    EXPECT_FALSE(kernel->index_formula.empty());
  }
  EXPECT_EQ(built_in_kernels().size(), descriptions);
  EXPECT_GE(descriptions, 5u);
}

nlohmann::json program_description() {
  nlohmann::json description = small_description();
  description.update(nlohmann::json::parse(R"({
    "buffers": [{"name": "between", "title": "B", "buffer": "float32", "fill": "formula", "formula": "2 * i + n",
                 "width": "grid_x"}],
    "constants": [{"symbol": "weights", "type": "float32", "values": [1, "n / 2"]}],
    "steps": [{"launch": "k"}, {"copy_out": "between"},
              {"launch": "k2", "arguments": ["x", "between", "n", {"int32": "grid_x"}], "problem": ["n"],
               "block": [32]}],
    "grid": [3], "grid_stride": true})"));
  return description;
}

TEST(ParseKernel, ReadsPrograms) {
  auto kernel = parse_kernel(program_description().dump(), "kernels/small.json");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->buffers.at(0).formula, "2 * i + n");
  EXPECT_EQ(kernel->constants.at(0).values, (std::vector<std::string>{"1", "n / 2"}));
  ASSERT_EQ(kernel->steps.size(), 3u);
  EXPECT_EQ(kernel->steps[1].kind, KernelStep::Kind::copy_out);
  EXPECT_EQ(kernel->steps[1].buffer, "between");
  ASSERT_EQ(kernel->steps[2].arguments.size(), 4u);
  EXPECT_EQ(kernel->steps[2].arguments[1].name, "between");
  EXPECT_EQ(kernel->steps[2].arguments[3].expression, "grid_x");
  EXPECT_EQ(kernel->steps[2].block, (Dim3{32, 1, 1}));
  EXPECT_EQ(kernel->default_grid, (Dim3{3, 1, 1}));
  EXPECT_TRUE(kernel->grid_stride);
}

TEST(ParseKernel, EveryMistakeInAProgramIsAnErrorThatSaysWhere) {
  auto message = [](const char* pointer, nlohmann::json value) {
    nlohmann::json description = program_description();
    description[nlohmann::json::json_pointer(pointer)] = std::move(value);
    auto kernel = parse_kernel(description.dump(), "kernels/wrong.json");
    return kernel ? std::string("no error") : kernel.error().message;
  };
  using testing::HasSubstr;
  EXPECT_THAT(message("/steps", nlohmann::json::array()), HasSubstr("steps: has no launch"));
  EXPECT_THAT(message("/steps/0/launch", "other"), HasSubstr("steps[0]: the first launch must be of k"));
  EXPECT_THAT(message("/steps/0/problem", {"n"}), HasSubstr("steps[0].problem: the first launch has"));
  EXPECT_THAT(message("/steps/1/copy_out", "n"), HasSubstr("no array named \"n\""));
  EXPECT_THAT(message("/steps/1", {{"copy", "x"}}), HasSubstr("steps[1]: must have one of launch"));
  EXPECT_THAT(message("/steps/2/arguments/1", "nothing"), HasSubstr("steps[2].arguments[1]: there is no"));
  EXPECT_THAT(message("/steps/2/arguments/3", {{"int31", 1}}), HasSubstr("steps[2].arguments[3]: must be"));
  EXPECT_THAT(message("/steps/2/arguments/3", {{"int32", "m"}}), HasSubstr("\"m\""));
  EXPECT_THAT(message("/steps/2/problem", {"m"}), HasSubstr("\"m\""));
  EXPECT_THAT(message("/steps/2/size", 3), HasSubstr("steps[2].size: unknown"));
  EXPECT_THAT(message("/constants/0/values", nlohmann::json::array()),
              HasSubstr("constants[0].values: must"));
  EXPECT_THAT(message("/constants/0/values/1", "m"), HasSubstr("\"m\""));
  EXPECT_THAT(message("/constants/0/type", "float31"), HasSubstr("constants[0].type"));
  EXPECT_THAT(message("/buffers/0/formula", "j"), HasSubstr("\"j\""));
}

TEST(Catalogue, CategoriesStandTogether) {
  const std::vector<std::string> categories = kernel_categories();
  EXPECT_EQ(categories.front(), "Pictures");
  std::vector<std::string> in_order;
  for (const KernelDescription& kernel : built_in_kernels())
    if (in_order.empty() || in_order.back() != kernel.category) in_order.push_back(kernel.category);
  EXPECT_EQ(in_order, categories);
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

}  // namespace THIS_FILE
}  // namespace warplens
