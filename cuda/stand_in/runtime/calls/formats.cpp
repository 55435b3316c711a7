#include "cuda/stand_in/runtime/calls/formats.h"

#include <algorithm>
#include <iterator>

namespace warplens::runtime {

namespace {

struct FormatRow {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr FormatRow formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

}  // namespace

DriverFormat format_of(const cudaChannelFormatDesc& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  unsigned count = 0;
  while (count < 4 && bits[count] != 0) ++count;
  const bool equal = std::all_of(bits, bits + count, [&](int one) { return one == channels.x; });
  const auto* row = std::find_if(std::begin(formats), std::end(formats), [&](const FormatRow& candidate) {
    return candidate.bits == channels.x && candidate.kind == channels.f;
  });
  if (!equal || row == std::end(formats) || count == 0 || count == 3) return {};
  return {row->format, count};
}

cudaChannelFormatDesc channels_of(const DriverFormat& format) {
  cudaChannelFormatDesc made{};
  const auto* row = std::find_if(std::begin(formats), std::end(formats), [&](const FormatRow& candidate) {
    return candidate.format == format.format;
  });
  if (row == std::end(formats)) return made;
  made.f = row->kind;
  int* const bits[] = {&made.x, &made.y, &made.z, &made.w};
  for (unsigned i = 0; i < format.channels; ++i) *bits[i] = row->bits;
  return made;
}

size_t element_bytes(const DriverFormat& format) {
  const cudaChannelFormatDesc channels = channels_of(format);
  return static_cast<size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
}

}  // namespace warplens::runtime
