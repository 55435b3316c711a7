// Textures and surfaces as a launch binds them: objects, the module's references, faults and counts.
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

TextureArgument texture_over(uint32_t buffer, uint32_t width, uint32_t height, bool surface = false) {
  TextureArgument texture;
  texture.buffer = buffer;
  texture.spec.width = width;
  texture.spec.height = height;
  texture.spec.surface = surface;
  if (surface) texture.spec.type = DType::u32;
  return texture;
}

// %r0 %r1: the place of the thread in a picture of 8 × 4; %d0: its word of p0. %p1 is the texture.
std::string at_each_pixel(const std::string& body, const std::string& declarations = "") {
  return kernel(
      "k", 2,
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mad.lo.u32 %r2, %r1, 8, %r0; mad.wide.u32 %d0, %r2, 4, "
      "%p0; cvt.rn.f32.u32 %f0, %r0; cvt.rn.f32.u32 %f1, %r1; add.f32 %f0, %f0, 0f3F000000; add.f32 %f1, "
      "%f1, 0f3F000000;\n" +
          body + "\nret;",
      declarations);
}

Request request_of(const std::string& functions, const Argument& texture) {
  Request request(functions);
  std::vector<float> texels(32);
  for (uint32_t i = 0; i < 32; ++i) texels[i] = static_cast<float>(i) * 1.5f;
  request.buffer("out", zeros(32)).buffer("texels", texels, DType::f32).launch("k", {1, 1, 1}, {8, 4, 1});
  std::get<LaunchStep>(request.value.steps.back()).arguments[1] = texture;
  return request;
}

TEST(Textures, ObjectsAreReadAndCounted) {
  const std::string body =
      "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%p1, {%f0, %f1}]; st.global.f32 [%d0], %f2;";
  const auto result = request_of(at_each_pixel(body), texture_over(1, 8, 4)).run();
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  const auto out = output<float>(*result, 0);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], static_cast<float>(i) * 1.5f);
  EXPECT_EQ(result->counters->texture_requests, 1u);
}

TEST(Textures, TheModulesReferencesAreBoundByName) {
  const std::string body =
      "tex.2d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [picture, {%r0, %r1}]; st.global.f32 [%d0], %f2;";
  Request request = request_of(at_each_pixel(body, ".global .texref picture;\n"), BufferArgument{1, 0});
  EXPECT_EQ(request.run()->faults.at(0).kind, IncidentKind::invalid_texture);
  request.value.textures.push_back({"picture", texture_over(1, 8, 4)});
  const auto result = request.run();
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  EXPECT_EQ(output<float>(*result, 0)[31], 46.5f);
  request.value.textures[0].symbol = "painting";
  EXPECT_FALSE(request.run().ok());
}

TEST(Textures, SurfacesAreWrittenAndTheirEdgesWatched) {
  const std::string body =
      "shl.b32 %r3, %r0, 2; sust.b.2d.b32.trap [%p1, {%r3, %r1}], %r2; suld.b.2d.b32.trap %r4, "
      "[%p1, {%r3, %r1}]; st.global.u32 [%d0], %r4;";
  const auto result = request_of(at_each_pixel(body), texture_over(1, 8, 4, true)).run();
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  EXPECT_EQ(output<uint32_t>(*result, 1)[13], 13u);
  EXPECT_EQ(output<uint32_t>(*result, 0)[31], 31u);
  // A surface of three rows, and threads of four.
  const auto outside = request_of(at_each_pixel(body), texture_over(1, 8, 3, true)).run();
  ASSERT_EQ(outside->status, RunStatus::fault);
  EXPECT_EQ(outside->faults[0].kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(outside->faults[0].thread, (Dim3{0, 3, 0}));
  EXPECT_GT(outside->faults[0].ptx_line, 0u);
  // A launch that goes on: the writes of the fourth row are not made, and its reads give 0.
  Request request = request_of(at_each_pixel("mov.u32 %r4, 9; " + body), texture_over(1, 8, 3, true));
  request.value.passes_faults = true;
  const auto passed = request.run();
  ASSERT_EQ(passed->status, RunStatus::ok) << passed->message;
  EXPECT_EQ(output<uint32_t>(*passed, 0)[23], 23u);
  EXPECT_EQ(output<uint32_t>(*passed, 0)[24], 0u);
  ASSERT_EQ(passed->findings.size(), 2u);
  for (const Incident& finding : passed->findings) {
    EXPECT_EQ(finding.thread, (Dim3{0, 3, 0}));
    EXPECT_EQ(finding.count, 8u);
  }
  EXPECT_NE(passed->findings[0].message.find("Nothing is written"), std::string::npos);
  EXPECT_NE(passed->findings[1].message.find("The read gives 0"), std::string::npos);
}

// Four words into a row of two: nothing is written for any edge mode, in particular not before the surface.
TEST(Textures, AnAccessWiderThanTheSurfaceWritesNothing) {
  const std::string body = "sust.b.2d.v4.b32.clamp [%p1, {0, 0}], {%r2, %r2, %r2, %r2};";
  Request request = request_of(at_each_pixel(body), texture_over(1, 2, 4, true));
  const std::vector<uint32_t> before(32, 7);
  request.buffer("copy", before);
  request.value.buffers[1] = request.value.buffers[2];
  request.value.buffers.pop_back();
  const auto result = request.run();
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  EXPECT_EQ(output<uint32_t>(*result, 1), before);
}

TEST(Textures, ASizeThatIsNoNumberOfBytesIsTooLarge) {
  TextureArgument huge = texture_over(1, 1u << 28, 1u << 28);
  huge.spec.shape = TextureShape::three;
  huge.spec.depth = 16;
  huge.spec.channels = 4;
  EXPECT_EQ(huge.spec.bytes(), UINT64_MAX);
  const std::string body = "tex.3d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [%p1, {%r0, %r1, %r2, %r2}];";
  EXPECT_FALSE(request_of(at_each_pixel(body), huge).run().ok());
  TextureSpec pitched = texture_over(1, 5, 3).spec;
  pitched.pitch = 32;
  EXPECT_EQ(pitched.bytes(), 2 * 32 + 5 * 4u);
}

TEST(Textures, WhatIsNoTextureIsAFault) {
  const std::string body =
      "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%p1, {%f0, %f1}]; st.global.f32 [%d0], %f2;";
  const auto pointer = request_of(at_each_pixel(body), BufferArgument{1, 0}).run();
  ASSERT_EQ(pointer->status, RunStatus::fault);
  EXPECT_EQ(pointer->faults[0].kind, IncidentKind::invalid_texture);
  // Another number of dimensions, and texels that are read as what they are not.
  TextureArgument line = texture_over(1, 32, 1);
  line.spec.shape = TextureShape::one;
  EXPECT_EQ(request_of(at_each_pixel(body), line).run()->faults.at(0).kind, IncidentKind::invalid_texture);
  TextureArgument whole = texture_over(1, 8, 4);
  whole.spec.type = DType::u32;
  EXPECT_EQ(request_of(at_each_pixel(body), whole).run()->faults.at(0).kind, IncidentKind::invalid_texture);
  EXPECT_FALSE(
      request_of(at_each_pixel(body), texture_over(1, 9, 4)).run().ok());  // more texels than the buffer has
}

TEST(Textures, Queries) {
  const std::string body =
      "txq.width.b32 %r3, [%p1]; txq.height.b32 %r4, [%p1]; txq.channel_data_type.b32 %r5, [%p1]; "
      "mad.lo.u32 %r3, %r3, 100, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%d0], %r3;";
  const auto result = request_of(at_each_pixel(body), texture_over(1, 8, 4)).run();
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  EXPECT_EQ(output<uint32_t>(*result, 0)[0], 804u + 0x10de);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
