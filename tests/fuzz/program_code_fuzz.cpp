// Any bytes as code that a program passes to the driver: the result is a text that fits into the bytes, or an
// error.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/stand_in/driver/code/image.h"

namespace {

// The buffer ends exactly after these bytes, so that a read past them is detected.
void read_image(const uint8_t* bytes, size_t count) {
  const std::vector<uint8_t> exact(bytes, bytes + count);
  const auto text = warplens::driver::ptx_of_image(exact.data(), count, 90);
  if (!text && text.error().message.empty()) std::abort();
  if (text && text->find('\0') != std::string::npos) std::abort();
  // The same bytes within an object file.
  const std::string_view whole(reinterpret_cast<const char*>(exact.data()), count);
  const auto texts = warplens::driver::ptx_of_objects(whole, 90);
  if (text &&
      warplens::driver::kind_of_image(whole.substr(0, 8)) == warplens::driver::ImageKind::fat_binary &&
      texts.empty())
    std::abort();
}

// As cuModuleLoadData takes it, which knows no size: a text that ends with a zero byte.
void read_text(const uint8_t* bytes, size_t count) {
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const std::string upto_zero = text.c_str();
  using warplens::driver::ImageKind;
  const ImageKind kind = warplens::driver::kind_of_image(upto_zero);
  // Fat binaries contain their own size, and wrappers an address: a program with a wrong one crashes with any
  // driver.
  if (kind == ImageKind::fat_binary || kind == ImageKind::fat_wrapper) return;
  const std::vector<char> exact(upto_zero.c_str(), upto_zero.c_str() + upto_zero.size() + 1);
  const auto read = warplens::driver::ptx_of_image(exact.data(), std::nullopt, 90);
  if (read && *read != upto_zero) std::abort();
}

// A wrapper holds the address of a fat binary, so it cannot be among the seeds.
void read_wrapped(const uint8_t* bytes, size_t count) {
  uint64_t all = 0;
  uint16_t begin = 0;
  if (count < 16) return;
  std::memcpy(&begin, bytes + 6, sizeof begin);
  std::memcpy(&all, bytes + 8, sizeof all);
  if (begin > count || all > count - begin) return;
  const std::vector<uint8_t> exact(bytes, bytes + count);
  std::vector<uint8_t> wrapper(24);
  const uint32_t magic = 0x466243b1;
  const void* inner = exact.data();
  std::memcpy(wrapper.data(), &magic, sizeof magic);
  std::memcpy(wrapper.data() + 8, &inner, sizeof inner);
  const auto direct = warplens::driver::ptx_of_image(exact.data(), count, 90);
  const auto wrapped = warplens::driver::ptx_of_image(wrapper.data(), std::nullopt, 90);
  if (wrapped && (!direct || *direct != *wrapped)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  // A wrapper among the input would send us to any address.
  const std::string_view head(reinterpret_cast<const char*>(bytes), std::min<size_t>(count, 64));
  if (warplens::driver::kind_of_image(head) == warplens::driver::ImageKind::fat_wrapper && count >= 16)
    return 0;
  read_image(bytes, count);
  read_text(bytes, count);
  read_wrapped(bytes, count);
  return 0;
}
