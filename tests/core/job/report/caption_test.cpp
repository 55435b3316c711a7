#include "core/job/report/caption.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/launch/launch_request.h"

namespace warplens {
namespace THIS_FILE {

TEST(Caption, SaysKernelLaunchDeviceAndWhereTheNumbersComeFrom) {
  RunResult result;
  result.shape.grid = {32, 32, 1};
  result.shape.block = {16, 16, 1};
  EXPECT_EQ(caption_of("RGB → grayscale", result), "RGB → grayscale · 32 × 32 blocks of 16 × 16");
  auto request = std::make_shared<LaunchRequest>();
  request->device.name = "RTX 3060";
  request->device.is_virtual = true;
  result.request = request;
  result.shape.grid = {1, 1, 1};
  result.shape.block = {64, 1, 1};
  EXPECT_EQ(caption_of("add", result),
            "add · 1 block of 64 · RTX 3060, virtual: numbers counted, times modelled");
  request->device.is_virtual = false;
  EXPECT_EQ(caption_of("add", result).find("counted, times modelled"), std::string::npos);
  EXPECT_NE(caption_of("add", result).find("RTX 3060: times measured"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
