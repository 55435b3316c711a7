// Sentences about kernels of Numba name what the script has.
#include "core/recording/numba_words.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/recording/shown_path.h"

namespace warplens::recording {
namespace THIS_FILE {

TEST(NumbaWords, FunctionsHaveNumbasNames) {
  EXPECT_EQ(in_numba_words("Put __syncthreads() there, or use atomicAdd().", "", 0),
            "Put cuda.syncthreads() there, or use cuda.atomic.add.");
  EXPECT_EQ(in_numba_words("as in if (i < n).", "", 0), "as in if i < n:.");
}

class NumbaScript : public testing::Test {
 public:
  void SetUp() override {
    std::ofstream(m_path) << "from numba import cuda\n"
                             "def one(x):\n"
                             "    tile = cuda.shared.array(64, float32)\n"
                             "    x[0] = tile[0]\n"
                             "\n"
                             "def two(x):\n"
                             "    a = cuda.shared.array(64, float32)\n"
                             "    if x[0]:\n"
                             "        b = cuda.shared.array(64, float32)\n"
                             "        b[0] = a[0]\n"
                             "x = 1\n";
  }
  void TearDown() override { std::filesystem::remove(m_path); }
  std::string words(const std::string& sentence, uint32_t line) const {
    return in_numba_words(sentence, m_path, line);
  }

 private:
  const std::string m_path = testing::TempDir() + "numba_words_" + std::to_string(::getpid()) + ".py";
};

TEST_F(NumbaScript, ASharedArrayHasItsVariablesName) {
  EXPECT_EQ(words("reads _cudapy_smem_5 (256 bytes)", 4), "reads tile (256 bytes)") << "the only one";
  EXPECT_EQ(words("reads _cudapy_smem_1 and _cudapy_smem_2.", 10), "reads a and b.");
  EXPECT_EQ(words("reads _cudapy_smem_3.", 10), "reads a shared array.") << "of a function that is called";
  EXPECT_EQ(in_numba_words("reads _cudapy_smem_1.", "no_such_file.py", 3), "reads a shared array.");
}

TEST(ShownPath, IsRelativeWhereThatIsShorter) {
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(shown_path((here / "part" / "main.cu").string()), "part/main.cu");
  EXPECT_EQ(shown_path("main.cu"), "main.cu");
  EXPECT_EQ(shown_path("/a.cu"), "/a.cu");
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
