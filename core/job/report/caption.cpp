#include "core/job/report/caption.h"

#include <fmt/format.h>

#include "core/launch/launch_request.h"

namespace warplens {

namespace {

std::string extent(Dim3 of) {
  if (of.z > 1) return fmt::format("{} × {} × {}", of.x, of.y, of.z);
  return of.y > 1 ? fmt::format("{} × {}", of.x, of.y) : fmt::format("{}", of.x);
}

}  // namespace

std::string caption_of(const std::string& title, const RunResult& result) {
  return title + " · " + launch_caption(result);
}

std::string launch_caption(const RunResult& result) {
  std::string words = fmt::format("{} block{} of {}", extent(result.shape.grid),
                                  result.shape.grid.count() == 1 ? "" : "s", extent(result.shape.block));
  if (!result.request) return words;
  const Device& device = result.request->device;
  words += " · " + device.name;
  if (device.is_virtual)
    words += ", virtual: numbers counted, times modelled";
  else
    words +=
        virtual_gpu_ran(result) ? ": times measured, numbers counted by the virtual GPU" : ": times measured";
  return words;
}

}  // namespace warplens
