// A view as a picture of its own: with a margin, the kernel's name above, and the inspector next to it; and
// all views of a run as one document.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/views/model/rendering.h"

namespace warplens {

using DrawView = std::function<float(Picture& picture, const Style& style, Box box)>;

// A picture of the chosen size with a title (a kernel's name) and the name of the device at the top. `draw`
// gets the remaining box and returns the y below what it drew. The picture becomes higher if needed, so that
// nothing is cut off.
Picture framed_picture(const RenderChoice& choice, const std::string& title, const std::string& device,
                       const DrawView& draw);
Picture framed_picture(const RenderChoice& choice, const Job& job, const DrawView& draw);

// A picture of exactly the chosen size. If something is picked and there is room, the inspector is next to
// the view.
Picture inspected_picture(const RenderChoice& choice, const RenderSource& source, const DrawView& draw);

// The pictures of all views that can be drawn of a finished run, the first block's accesses included.
struct RunPicture {
  std::string_view name;  // of the view or a part of it: "grid", "roofline"
  Picture picture;
};
std::vector<RunPicture> pictures_of_run(const RenderChoice& choice, const Job& job, const RunResult& result);
// A PDF with a page for each of them. Errors: it cannot be written.
Result<void> save_document(const RenderChoice& choice, const Job& job, const RunResult& result,
                           const std::string& path);

}  // namespace warplens
