#include "core/device/real_gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

RealGpus one_gpu() {
  Device device = *find_device("H200");
  device.id = "cuda:0";
  device.is_virtual = false;
  return {{device}, ""};
}
RealGpus no_gpu() { return {{}, "There is no driver."}; }

TEST(RealGpus, TheFirstOneIsTheDefault) {
  EXPECT_EQ(find_device("", one_gpu)->id, "cuda:0");
  EXPECT_EQ(find_device("", no_gpu)->name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(find_device("", nullptr)->name, "NVIDIA GeForce RTX 3060");
}

TEST(RealGpus, AreFoundByTheirNumberAlone) {
  EXPECT_FALSE(find_device("cuda:0", one_gpu)->is_virtual);
  EXPECT_TRUE(find_device("NVIDIA H200", one_gpu)->is_virtual);
  EXPECT_EQ(find_device("t4", one_gpu)->id, "tesla_t4");
  EXPECT_EQ(find_device("voodoo", one_gpu).error().kind, ErrorKind::bad_input);
}

TEST(RealGpus, SayWhyThereIsNone) {
  const auto missing = find_device("cuda:0", no_gpu);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::missing);
  EXPECT_THAT(missing.error().message, testing::HasSubstr("There is no driver."));
  const auto other = find_device("cuda:1", one_gpu);
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.error().message, testing::HasSubstr("this machine has cuda:0 (NVIDIA H200"));
  EXPECT_THAT(find_device("cuda:0", nullptr).error().message, testing::HasSubstr("without CUDA"));
}

TEST(RealGpus, AVirtualOneStandsForEach) {
  Device real = *find_device("H200");
  EXPECT_EQ(twin_of(real).id, "h200");
  real.name = "NVIDIA GH200 480GB";
  EXPECT_EQ(twin_of(real).compute_capability.number(), 90u);
  real.compute_capability = {12, 1};
  EXPECT_EQ(twin_of(real).compute_capability.number(), 120u) << "the nearest below";
  real.compute_capability = {3, 5};
  EXPECT_TRUE(twin_of(real).is_virtual);
}

}  // namespace THIS_FILE
}  // namespace warplens
