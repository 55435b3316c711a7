# The ImGui libraries, built once by tools/setup (cmake/imgui/CMakeLists.txt).
if(NOT WARPLENS_IMGUI_DIR)
  message(FATAL_ERROR "The window needs the ImGui libraries: run tools/setup once, "
                      "or set WARPLENS_IMGUI_DIR, or build without a window (-DWARPLENS_WINDOW=OFF).")
endif()
find_package(warplens_imgui CONFIG REQUIRED NO_DEFAULT_PATH PATHS ${WARPLENS_IMGUI_DIR})
