#include "app/views/document.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

TEST(Document, HasAPageForEachViewOfARun) {
  const auto kernel = find_kernel("grayscale");
  const auto device = find_device("rtx_3060");
  ASSERT_TRUE(kernel && device);
  RunOptions options;
  options.record_writers = options.record_blocks = true;
  const auto job = make_job(borrowed(**kernel), default_setup(**kernel), *device, options);
  ASSERT_TRUE(job) << job.error().message;
  const auto gpu = make_virtual_gpu();
  const auto result = run_job(*job, *gpu, {}, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warplens_views_" + std::to_string(::getpid()) + ".pdf"))
          .string();
  const auto saved = save_document({}, *job, *result, path);
  ASSERT_TRUE(saved) << saved.error().message;
  const auto bytes = read_text(path, 100 << 20);
  ASSERT_TRUE(bytes);
  std::filesystem::remove(path);
  EXPECT_TRUE(bytes->starts_with("%PDF"));
  size_t pages = 0;
  for (size_t at = bytes->find("/Type /Page"); at != bytes->npos; at = bytes->find("/Type /Page", at + 1))
    if (bytes->compare(at, 12, "/Type /Pages") != 0) ++pages;
  EXPECT_GE(pages, 6u);
  const auto nowhere = save_document({}, *job, *result, "/no/such/folder/views.pdf");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("/no/such/folder"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
