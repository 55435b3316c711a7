#include "app/views/memory/heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "app/base/draw/amounts.h"
#include "app/base/format.h"
#include "app/views/model/access_view.h"

namespace warplens {

namespace {

// Sectors that a bin holds: the last one may hold fewer.
uint64_t sectors_in(const BufferHeat& heat, size_t bin) {
  const uint64_t all = ceil_div(heat.bytes, sector_bytes), first = bin * heat.sectors_per_bin;
  return std::min(heat.sectors_per_bin, all - std::min(all, first));
}

double times_of(const BufferHeat& heat, size_t bin) {
  const uint64_t sectors = sectors_in(heat, bin);
  return sectors == 0 ? 0 : static_cast<double>(heat.touched(bin)) / static_cast<double>(sectors);
}

uint64_t sum(const std::vector<uint64_t>& bins) {
  return std::accumulate(bins.begin(), bins.end(), uint64_t{0});
}

double mean_of(const BufferHeat& heat) {
  const uint64_t sectors = ceil_div(heat.bytes, sector_bytes);
  const uint64_t touched = sum(heat.loads) + sum(heat.stores) + sum(heat.atomics);
  return sectors == 0 ? 0 : static_cast<double>(touched) / static_cast<double>(sectors);
}

size_t hottest(const AddressHeat& heat) {
  size_t best = 0;
  for (size_t i = 1; i < heat.buffers.size(); ++i)
    if (mean_of(heat.buffers[i]) > mean_of(heat.buffers[best])) best = i;
  return best;
}

// About two and a half times as wide as high, and a power of two, so that rows begin at round addresses.
uint32_t columns_for(uint64_t bins) {
  const double wanted = std::sqrt(2.5 * static_cast<double>(std::max<uint64_t>(1, bins)));
  return 1u << static_cast<uint32_t>(std::lround(std::log2(wanted)));
}

// A colour means the same number in every picture, so that two kernels can be compared. The scale is
// logarithmic, so that 1 and 32 (the worst case of one request's lanes) are both visible.
double share_of(double times, double top) { return std::log1p(times) / std::log1p(top); }

std::shared_ptr<const Raster> raster_of(const HeatPicture& picture) {
  Raster raster = make_raster(picture.columns, picture.rows);
  for (size_t bin = 0; bin < picture.times.size(); ++bin) {
    // Sectors that were not touched stay transparent.
    if (picture.times[bin] <= 0) continue;
    put_pixel(raster, bin, viridis(share_of(picture.times[bin], picture.top)));
  }
  return std::make_shared<const Raster>(std::move(raster));
}

std::string times_words(double times) { return times == 1 ? "once" : significant(times) + " times"; }

std::string sentence_of(const HeatPicture& picture) {
  const std::string& name = picture.names[picture.chosen];
  if (picture.most <= 0) return fmt::format("Nothing touched {}.", name);
  std::string words = picture.untouched == 0 && picture.most == picture.mean
                          ? fmt::format("Each sector of {} is touched {}.", name, times_words(picture.mean))
                          : fmt::format("A sector of {} is touched {} on average, {} where it is hottest.",
                                        name, times_words(picture.mean), times_words(picture.most));
  if (picture.untouched > 0)
    words += fmt::format(" {} of it is not accessed.",
                         percent_text(100.0 * double(picture.untouched) / double(picture.bins)));
  return words;
}

}  // namespace

HeatPicture view_heat(const LaunchRequest& request, const AddressHeat& heat, std::optional<size_t> buffer) {
  HeatPicture picture;
  picture.message = heat.message;
  if (heat.buffers.empty()) {
    picture.message = "This launch has no buffers.";
    return picture;
  }
  for (const BufferHeat& part : heat.buffers)
    picture.names.push_back(part.buffer < request.buffers.size() ? request.buffers[part.buffer].name : "");
  picture.chosen = buffer && *buffer < heat.buffers.size() ? *buffer : hottest(heat);
  const BufferHeat& shown = heat.buffers[picture.chosen];
  picture.buffer = shown.buffer;
  picture.bins = shown.loads.size();
  picture.bytes = shown.bytes;
  picture.bytes_per_bin = shown.sectors_per_bin * sector_bytes;
  picture.loads = sum(shown.loads);
  picture.stores = sum(shown.stores);
  picture.atomics = sum(shown.atomics);
  for (size_t bin = 0; bin < picture.bins; ++bin) {
    picture.times.push_back(times_of(shown, bin));
    picture.most = std::max(picture.most, picture.times.back());
    picture.untouched += picture.times.back() <= 0;
  }
  picture.mean = mean_of(shown);
  picture.top = std::max(32.0, picture.most);
  picture.columns = columns_for(picture.bins);
  picture.rows = static_cast<uint32_t>(ceil_div(picture.bins, picture.columns));
  if (picture.bins > 0) picture.raster = raster_of(picture);
  picture.sentence = sentence_of(picture);
  return picture;
}

std::string words_of_bin(const HeatPicture& picture, size_t bin) {
  if (bin >= picture.times.size()) return {};
  const uint64_t first = bin * picture.bytes_per_bin;
  const uint64_t last = std::min(picture.bytes, first + picture.bytes_per_bin) - 1;
  const std::string place = fmt::format("bytes {} to {} of {}", with_separators(first), with_separators(last),
                                        picture.names[picture.chosen]);
  if (picture.times[bin] <= 0) return place + ": no thread accessed them";
  return fmt::format("{}: each sector touched {}", place, times_words(picture.times[bin]));
}

}  // namespace warplens
