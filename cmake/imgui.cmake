# The ImGui libraries, built once by tools/setup (cmake/imgui/CMakeLists.txt).
if(NOT WARPLENS_IMGUI_BUNDLE_DIR)
  message(FATAL_ERROR "The window needs the ImGui libraries: run tools/setup once, "
                      "or set WARPLENS_IMGUI_BUNDLE_DIR, or build without a window (-DWARPLENS_WINDOW=OFF).")
endif()
find_package(imgui_bundle CONFIG REQUIRED NO_DEFAULT_PATH PATHS ${WARPLENS_IMGUI_BUNDLE_DIR})

add_library(warplens_thirdparty_imgui INTERFACE)
target_link_libraries(warplens_thirdparty_imgui INTERFACE imgui_bundle::imgui_bundle)
add_library(warplens_thirdparty_test_engine INTERFACE)
target_link_libraries(warplens_thirdparty_test_engine INTERFACE
  imgui_bundle::imgui_test_engine warplens_thirdparty_imgui)
