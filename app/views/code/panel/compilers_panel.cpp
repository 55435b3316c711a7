#include "app/views/code/panel/compilers_panel.h"

#include <imgui.h>

#include <algorithm>

#include "app/views/code/panel/lines_panel.h"
#include "app/views/code/status.h"
#include "app/widgets/widgets.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/report/compilers.h"

namespace warplens {
namespace {

Result<MadeBy> made_by(CompilerKind kind, const ComparedKey& key, const Device& device, Backend& backend,
                       const std::stop_token& stop) {
  if (key.own == nullptr) {
    const Result<const KernelDescription*> kernel = find_kernel(key.kernel);
    return kernel ? compile_and_run(**kernel, kind, device, backend, stop) : kernel.error();
  }
  const OwnKernelSource text{key.own->source, key.own->source_name, "", key.own->entry, key.copy_of, kind};
  return run_made(make_own_kernel(text, device, stop), device, backend, stop);
}

MadePtx made_ptx(const MadeBy& made) {
  const std::string& text = made.kernel->ptx;
  const size_t entry = std::min(text.find(".entry "), text.size());
  const auto before = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(entry), '\n');
  return {made.compiler, text, static_cast<size_t>(before)};
}

ComparedCompilers compare(const ComparedKey& key, const std::stop_token& stop) {
  ComparedCompilers compared;
  const auto compare_on = [&](const Device& device) -> Result<void> {
    const std::unique_ptr<Backend> backend = make_virtual_gpu();
    const Result<MadeBy> first = made_by(CompilerKind::nvrtc, key, device, *backend, stop);
    if (!first) return first.error();
    const Result<MadeBy> second = made_by(CompilerKind::clang, key, device, *backend, stop);
    if (!second) return second.error();
    compared.text = compared_text(*first, *second);
    compared.first = made_ptx(*first);
    compared.second = made_ptx(*second);
    return {};
  };
  const Result<Device> device = find_device(key.device);
  const Result<void> made = device ? compare_on(*device) : Result<void>(device.error());
  if (!made) compared.error = made.error().message;
  return compared;
}

}  // namespace

bool can_compare_compilers(const AppState& state) {
  const KernelDescription& kernel = *state.setup.kernel;
  return !kernel.recorded && !is_python(kernel) && !kernel.source.empty() &&
         !kernel.source_name.ends_with(".ptx");
}

void draw_compilers(const AppState& state, CompilersState& own) {
  if (!state.setup.device.is_virtual)
    return quiet_text("Both compilers' kernels are run on the virtual GPU: choose one of its devices.");
  const ComparedKey key{state.setup.launch.kernel, state.setup.own_kernel, state.code.copy_of,
                        state.setup.device.id};
  const auto compared =
      own.made.get(key, false, [key, stop = own.stop.source.get_token()] { return compare(key, stop); });
  if (own.made.busy() || compared == nullptr) {
    const std::string why = own.made.why_not("The comparison");
    return quiet_text(why.empty() ? "NVRTC and clang compile the kernel, and both run with its own launch…"
                                  : why);
  }
  if (!compared->error.empty()) return body_text(compared->error);
  small_text("the kernel's own launch on a virtual " + state.setup.device.name);
  // With very little room, what is around them scrolls.
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float least = 10 * ImGui::GetTextLineHeightWithSpacing();
  draw_lines("compared", compared->text, {0, std::max(room.y * 0.5f, least)});
  const float width = (room.x - scaled(12)) * 0.5f;
  const auto column = [&](const char* id, const MadePtx& made) {
    ImGui::BeginChild(id, {width, std::max(ImGui::GetContentRegionAvail().y, least)});
    heading(made.compiler);
    draw_lines("lines", made.text, {0, 0}, made.entry_line);
    ImGui::EndChild();
  };
  column("first", compared->first);
  ImGui::SameLine(0, scaled(12));
  column("second", compared->second);
}

}  // namespace warplens
