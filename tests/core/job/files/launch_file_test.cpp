#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/job/files/launch_file.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

// A folder with a PTX text and two buffers of 16 bytes.
class LaunchFileTest : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = std::filesystem::path(testing::TempDir()) /
               ("launch_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(m_folder);
    write("kernel.ptx", ".version 8.0\n");
    write("x.bin", "0123456789abcdef");
    write("want.bin", "0123456789abcdef");
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  void write(const std::string& name, std::string_view text) {
    std::ofstream(m_folder / name, std::ios::binary) << text;
  }
  Result<LaunchFile> parse(std::string_view text) {
    return parse_launch_file(text, "launch.json", m_folder.string());
  }
  // The message for the valid file with `from` replaced by `to`.
  std::string error_of(std::string_view from, std::string_view to) {
    std::string text(valid);
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const Result<LaunchFile> file = parse(text);
    EXPECT_FALSE(file.ok()) << text;
    if (file.ok()) return "";
    EXPECT_EQ(file.error().kind, ErrorKind::bad_input);
    return file.error().message;
  }

  static constexpr std::string_view valid = R"({ "ptx": "kernel.ptx", // a comment
    "entry": "add", "grid": [40,1,1], "block": [256], "shared_bytes": 64, "cooperative": true,
    "buffers": [ {"name":"x", "file":"x.bin", "bytes":16, "dtype":"float32", "origin":"numba"},
                 {"name":"out", "bytes":16, "dtype":"float32"} ],
    "globals": [ {"symbol":"c_Kernel", "file":"x.bin"} ],
    "args": [ {"buffer":"x", "offset":4}, {"i32":-7}, {"u64":18446744073709551615}, {"f32":0.5}, {"buffer":"out"} ],
    "expect": [ {"buffer":"out", "file":"want.bin", "dtype":"float32", "rtol":1e-6} ] })";
  std::filesystem::path m_folder;
};

TEST_F(LaunchFileTest, ReadsTheShortForm) {
  const Result<LaunchFile> file = parse(valid);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file->warnings.empty()) << file->warnings[0];
  const LaunchRequest& request = file->request;
  EXPECT_EQ(request.kernel, "kernel.ptx");
  EXPECT_EQ(request.module->ptx, ".version 8.0\n");
  ASSERT_EQ(request.buffers.size(), 2u);
  EXPECT_EQ(request.buffers[0].initial->size(), 16u);
  EXPECT_FALSE(request.buffers[0].output);
  EXPECT_TRUE(request.buffers[1].output);
  EXPECT_EQ(request.globals[0].bytes.size(), 16u);
  const LaunchStep& launch = *first_launch(request);
  EXPECT_EQ(launch.entry, "add");
  EXPECT_EQ(launch.grid, (Dim3{40, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch.shared_dynamic_bytes, 64u);
  EXPECT_TRUE(launch.cooperative);
  EXPECT_EQ(std::get<BufferArgument>(launch.arguments[0]).offset, 4u);
  EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[1]).bits, 0xfffffff9u);
  EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[2]).bits, UINT64_MAX);
  EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[3]).bits, 0x3f000000u);
  EXPECT_EQ(file->expectations[0].buffer, "out");
  EXPECT_DOUBLE_EQ(file->expectations[0].rtol, 1e-6);
}

TEST_F(LaunchFileTest, TexturesOfFilesAndBuffers) {
  const Result<LaunchFile> file =
      parse(R"({"ptx":"kernel.ptx","grid":1,"block":1,"buffers":[{"name":"x","bytes":64}],
    "globals":[{"symbol":"picture","texture":{"file":"x.bin","dtype":"uint8","width":4,"height":2,"channels":2,
                "read":"float","filter":"linear","normalized":true,"address":["wrap","mirror"]}}],
    "args":[{"surface":{"buffer":"x","dtype":"uint32","width":2,"height":2,"layers":4}},
            {"texture":{"file":"x.bin","dtype":"float32","width":4,"shape":"linear"}}]})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const LaunchRequest& request = file->request;
  ASSERT_EQ(request.buffers.size(), 3u);
  ASSERT_EQ(request.textures.size(), 1u);
  EXPECT_EQ(request.textures[0].symbol, "picture");
  const TextureSpec& picture = request.textures[0].texture.spec;
  EXPECT_EQ(picture.shape, TextureShape::two);
  EXPECT_EQ(picture.address[1], TextureAddress::mirror);
  EXPECT_TRUE(picture.linear && picture.normalized && picture.normalized_read && !picture.surface);
  const auto& surface = std::get<TextureArgument>(first_launch(request)->arguments[0]);
  EXPECT_EQ(surface.buffer, 0u);
  EXPECT_EQ(surface.spec.shape, TextureShape::layers_of_two);
  EXPECT_TRUE(surface.spec.surface);
  const auto& line = std::get<TextureArgument>(first_launch(request)->arguments[1]);
  EXPECT_EQ(line.spec.shape, TextureShape::linear);
  EXPECT_EQ(request.buffers[line.buffer].initial->size(), 16u);
}

TEST_F(LaunchFileTest, TheShortFormAllocatesCopiesLaunchesCopiesBackAndFrees) {
  const Result<LaunchFile> file = parse(valid);
  ASSERT_TRUE(file.ok());
  const auto& steps = file->request.steps;
  ASSERT_EQ(steps.size(), 8u);  // two allocations, two copies in, a launch, one copy out, two frees
  EXPECT_TRUE(std::holds_alternative<AllocateStep>(steps[0]));
  EXPECT_TRUE(std::holds_alternative<CopyInStep>(steps[1]));
  EXPECT_TRUE(std::holds_alternative<LaunchStep>(steps[4]));
  EXPECT_TRUE(std::holds_alternative<FreeStep>(steps[5]));
  EXPECT_EQ(std::get<CopyOutStep>(steps[6]).buffer, 1u);
}

TEST_F(LaunchFileTest, ReadsSteps) {
  const Result<LaunchFile> file =
      parse(R"({"ptx":"kernel.ptx", "buffers":[{"name":"x","bytes":8},{"name":"y","bytes":8}],
    "steps":[{"allocate":"x"},{"copy_in":"x"},{"launch":{"entry":"a","grid":1,"block":[32]}},
             {"launch":{"entry":"b","grid":[2,3],"block":[32],"args":[{"buffer":"y"}]}},{"copy_out":"x"},{"free":"x"}]})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& steps = file->request.steps;
  ASSERT_EQ(steps.size(), 9u);  // y is allocated and filled before, freed after
  EXPECT_EQ(std::get<AllocateStep>(steps[0]).buffer, 1u);
  EXPECT_EQ(std::get<AllocateStep>(steps[2]).buffer, 0u);
  EXPECT_EQ(std::get<LaunchStep>(steps[5]).grid, (Dim3{2, 3, 1}));
  EXPECT_TRUE(file->request.buffers[0].output);
  EXPECT_FALSE(file->request.buffers[1].output);
  EXPECT_EQ(std::get<FreeStep>(steps[8]).buffer, 1u);
}

TEST_F(LaunchFileTest, WithoutAnyOutputEveryBufferComesBack) {
  const Result<LaunchFile> file = parse(
      R"({"ptx":"kernel.ptx","grid":1,"block":1,"buffers":[{"name":"x","bytes":8}],"args":[{"buffer":"x"}]})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file->request.buffers[0].output);
  EXPECT_EQ(first_launch(file->request)->entry, "");
}

TEST_F(LaunchFileTest, UnknownKeysOnlyWarn) {
  const Result<LaunchFile> file = parse(R"({"ptx":"kernel.ptx","grid":1,"block":1,"colour":"red",
    "buffers":[{"name":"x","bytes":8,"strides":[1]}],"args":[{"buffer":"x","ofset":3}]})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_THAT(file->warnings,
              testing::UnorderedElementsAre("launch.json: colour: unknown, so it is ignored",
                                            "launch.json: buffers[0].strides: unknown, so it is ignored",
                                            "launch.json: args[0].ofset: unknown, so it is ignored"));
}

TEST_F(LaunchFileTest, ErrorsNameFileAndPlace) {
  EXPECT_EQ(
      error_of(R"("bytes":16, "dtype":"float32", "origin")", R"("bytes":-4, "dtype":"float32", "origin")"),
      "launch.json: buffers[0].bytes: must not be negative, and is -4");
  EXPECT_THAT(
      error_of(R"("bytes":16, "dtype":"float32", "origin")", R"("bytes":20, "dtype":"float32", "origin")"),
      HasSubstr("buffers[0].bytes: is 20, but x.bin has 16 bytes"));
  EXPECT_THAT(error_of(R"("bytes":16, "dtype":"float32"} ])",
                       R"("bytes":99999999999999999999, "dtype":"float32"} ])"),
              HasSubstr("launch.json: buffers[1].bytes: must be at most"));
  EXPECT_THAT(error_of(R"("bytes":16, "dtype":"float32"} ])", R"("dtype":"float32"} ])"),
              HasSubstr("buffers[1].bytes: is missing"));
  EXPECT_THAT(error_of(R"("bytes":16, "dtype":"float32"} ])", R"("bytes":15, "dtype":"float32"} ])"),
              HasSubstr("buffers[1]: 15 bytes are no whole number of float32"));
  EXPECT_THAT(error_of(R"("bytes":16, "dtype":"float32"} ])", R"("bytes":"many"} ])"),
              HasSubstr("buffers[1].bytes: must be a number, not a text"));
  EXPECT_THAT(error_of(R"("dtype":"float32"} ])", R"("dtype":"float31"} ])"),
              HasSubstr("buffers[1].dtype: is \"float31\""));
  EXPECT_THAT(error_of(R"("name":"out")", R"("name":"x")"),
              HasSubstr("buffers[1].name: \"x\" names two buffers"));
  EXPECT_THAT(error_of(R"("file":"x.bin", "bytes")", R"("file":"gone.bin", "bytes")"),
              HasSubstr("buffers[0].file: "));
  EXPECT_THAT(error_of(R"("file":"x.bin", "bytes")", R"("file":"gone.bin", "bytes")"),
              HasSubstr("no such file"));
  EXPECT_THAT(error_of(R"("file":"x.bin", "bytes")", R"("file":"..", "bytes")"),
              HasSubstr("this is a folder"));
}

TEST_F(LaunchFileTest, ErrorsInLaunchesAndArguments) {
  EXPECT_THAT(error_of(R"([40,1,1])", R"([40,1,1,1])"),
              HasSubstr("launch.json: grid: must have 1 to 3 numbers"));
  EXPECT_THAT(error_of(R"([40,1,1])", R"([40,-1,1])"), HasSubstr("grid[1]: must not be negative"));
  EXPECT_THAT(error_of(R"([40,1,1])", R"([4294967296])"), HasSubstr("grid[0]: must be at most 4294967295"));
  EXPECT_THAT(error_of(R"([256])", R"([1.5])"), HasSubstr("block[0]: must be a whole number"));
  EXPECT_THAT(error_of(R"("grid": [40,1,1],)", ""), HasSubstr("grid: is missing"));
  EXPECT_THAT(error_of(R"({"i32":-7})", R"({"i32":2147483648})"),
              HasSubstr("args[1].i32: must be at most 2147483647"));
  EXPECT_THAT(error_of(R"({"i32":-7})", R"({"i8":-129})"), HasSubstr("args[1].i8: must be at least -128"));
  EXPECT_THAT(error_of(R"({"i32":-7})", R"({"u8":256})"), HasSubstr("args[1].u8: must be at most 255"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"f32":1e39})"),
              HasSubstr("args[3].f32: 1e+39 is too large for float32"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"f16":65520})"), HasSubstr("too large for float16"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"f32":"much"})"), HasSubstr("args[3].f32: must be a number"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"texture":{}})"), HasSubstr("args[3].texture.buffer"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"texture":{"file":"x.bin","dtype":"float32","width":5}})"),
              HasSubstr("args[3].texture: 5 × 1 × 1 texels of 4 bytes do not fit the buffer's 16 bytes"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"({"texture":{"file":"x.bin","width":4,"address":"loop"}})"),
              HasSubstr("args[3].texture.address: must be wrap, clamp, mirror or border"));
  EXPECT_THAT(error_of(R"({"f32":0.5})",
                       R"({"texture":{"file":"x.bin","width":4,"filter":"linear","dtype":"uint8"}})"),
              HasSubstr("linear needs floats"));
  EXPECT_THAT(error_of(R"({"f32":0.5})", R"(7)"), HasSubstr("args[3]: must be an object"));
  EXPECT_THAT(error_of(R"({"buffer":"x", "offset":4})", R"({"buffer":"z"})"),
              HasSubstr("args[0].buffer: no buffer has the name \"z\"; there are x, out"));
  EXPECT_THAT(error_of(R"("offset":4)", R"("offset":17)"), HasSubstr("args[0].offset: must be at most 16"));
}

TEST_F(LaunchFileTest, StructuresAreLaidOutAsCppDoes) {
  std::string text(valid);
  const std::string scalar = R"({"i32":-7})";
  text.replace(text.find(scalar), scalar.size(),
               R"({"struct":[{"u8":1},{"i32":-2},{"buffer":"out"},{"bytes":"0aff"},{"i16":3}]})");
  const Result<LaunchFile> file = parse(text);
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& given = std::get<StructArgument>(first_launch(file->request)->arguments[1]);
  const std::vector<int> wanted{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 10, 255, 3, 0};
  ASSERT_EQ(given.bytes.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(std::to_integer<int>(given.bytes[i]), wanted[i]) << i;
  ASSERT_EQ(given.pointers.size(), 1u);
  EXPECT_EQ(given.pointers[0].at, 8u);
  EXPECT_EQ(given.pointers[0].to.buffer, 1u);

  EXPECT_THAT(error_of(scalar, R"({"struct":[{"bytes":"0"}]})"),
              HasSubstr("args[1].struct[0].bytes: must be"));
  EXPECT_THAT(error_of(scalar, R"({"struct":[{"bytes":"0G"}]})"), HasSubstr("pairs of the digits"));
  EXPECT_THAT(error_of(scalar, R"({"struct":[{"struct":[]}]})"), HasSubstr("a structure in a structure"));
  EXPECT_THAT(error_of(scalar, R"({"struct":[{"u8":300}]})"), HasSubstr("args[1].struct[0].u8"));
  EXPECT_THAT(error_of(scalar, R"({"struct":[7]})"), HasSubstr("args[1].struct[0]: must be an object"));
}

TEST_F(LaunchFileTest, ErrorsInTheRest) {
  EXPECT_THAT(error_of(R"("ptx": "kernel.ptx",)", ""), HasSubstr("needs one of"));
  EXPECT_THAT(error_of(R"("ptx": "kernel.ptx",)", R"("ptx": "kernel.ptx", "kernel":"grayscale",)"),
              HasSubstr("keep one"));
  EXPECT_THAT(error_of(R"("rtol":1e-6)", R"("rtol":-1)"), HasSubstr("expect[0].rtol: must be 0"));
  EXPECT_THAT(error_of(R"("file":"want.bin")", R"("file":"kernel.ptx")"),
              HasSubstr("expect[0].file: kernel.ptx has 13 bytes"));
  EXPECT_THAT(error_of(R"("entry": "add")", R"("steps": [], "entry": "add")"),
              HasSubstr("entry: cannot be used together with \"steps\""));
  EXPECT_THAT(error_of(R"("cooperative": true)", R"("cooperative": 1)"),
              HasSubstr("cooperative: must be true or false"));
  EXPECT_THAT(parse("{").error().message, HasSubstr("launch.json: not valid JSON: parse error at line 1"));
  EXPECT_THAT(parse("{\"ptx\": \"kernel.ptx\", \"cooperative\": " + std::string(200'000, '[') +
                    std::string(200'000, ']') + "}")
                  .error()
                  .message,
              HasSubstr("launch.json: lists and objects are nested"));
  EXPECT_THAT(parse("").error().message, HasSubstr("not valid JSON"));
  EXPECT_THAT(parse("[]").error().message, HasSubstr("must be one JSON object"));
  EXPECT_THAT(parse(R"({"ptx":"kernel.ptx","steps":[{"jump":1}]})").error().message,
              HasSubstr("steps[0]: must have one of"));
  EXPECT_THAT(parse(R"({"ptx":"kernel.ptx","steps":[]})").error().message, HasSubstr("steps: has no launch"));
  EXPECT_THAT(parse(R"({"ptx":"kernel.ptx","grid":1,"block":1,"expect":[{"buffer":"x","file":"x.bin"}]})")
                  .error()
                  .message,
              HasSubstr("expect[0].buffer: no buffer has the name \"x\"; there are none"));
  EXPECT_THAT(
      parse("{\"ptx\":\"kernel.ptx\",\"grid\":1,\"block\":1,\"args\":[{\"f64\":1e999}]}").error().message,
      HasSubstr("not valid JSON"));
  EXPECT_THAT(parse("{\"ptx\":\"a\\u0000b\"}").error().message, HasSubstr("ptx: must not hold a NUL"));
  EXPECT_FALSE(parse(std::string(100'000, '[')).ok());
}

TEST_F(LaunchFileTest, FloatsTakeNaNAndInfinities) {
  const Result<LaunchFile> file = parse(
      R"({"ptx":"kernel.ptx","grid":1,"block":1,"args":[{"f32":"nan"},{"f32":"-inf"},{"f64":"inf"},{"f16":1.5}]})");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto& arguments = first_launch(file->request)->arguments;
  EXPECT_EQ(std::get<ScalarArgument>(arguments[0]).bits & 0x7f800000u, 0x7f800000u);
  EXPECT_EQ(std::get<ScalarArgument>(arguments[1]).bits, 0xff800000u);
  EXPECT_EQ(std::get<ScalarArgument>(arguments[2]).bits, 0x7ff0000000000000u);
  EXPECT_EQ(std::get<ScalarArgument>(arguments[3]).bits, 0x3e00u);
}

TEST_F(LaunchFileTest, ReadsAFileAndNamesAMissingOne) {
  write("run.json", valid);
  EXPECT_TRUE(read_launch_file((m_folder / "run.json").string()).ok());
  EXPECT_THAT(read_launch_file((m_folder / "no.json").string()).error().message,
              HasSubstr("no.json: there is no such file"));
}

}  // namespace THIS_FILE
}  // namespace warplens
