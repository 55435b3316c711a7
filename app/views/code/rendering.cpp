// The Code view in a file.
#include "app/views/model/rendering.h"

#include "app/views/code/picture.h"

namespace warplens {
namespace {

// A launch file has code, but no description.
KernelDescription code_of(const Job& job, const RunResult& result) {
  if (job.kernel) return *job.kernel;
  KernelDescription kernel;
  kernel.name = job.request->kernel;
  kernel.entry = result.entry;
  kernel.source = job.request->module->source;
  kernel.source_name = job.request->module->source_name;
  kernel.ptx = job.request->module->ptx;
  return kernel;
}

Rendered make_code(const RenderChoice& choice, const RenderSource& source) {
  return {[&](Picture& picture, const Style& style, Box box) {
    const KernelDescription kernel = code_of(*source.job, *source.result);
    const CodeLinks links = link_code(kernel);
    draw_code_view(picture, style, box,
                   {&kernel, &links, source.result, choice.line, incident_marks(*source.result)});
    return box.bottom();
  }};
}

}  // namespace

std::span<const Rendering> code_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "code", .with_inspector = true, .pick = pick_of_cell, .make = make_code}};
  return rows;
}

}  // namespace warplens
