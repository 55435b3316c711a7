// Any bytes are a picture's file: decode_image must answer with a picture of the promised size or an error.
#include <cstdlib>
#include <span>

#include "core/image/image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const auto image = decode_image(std::as_bytes(std::span(bytes, count)), "fuzz", 3);
  if (!image) return image.error().message.empty() ? std::abort(), 0 : 0;
  if (image->pixels.size() != size_t{image->width} * image->height * image->channels) std::abort();
  return 0;
}
