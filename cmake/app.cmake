# warplens_cuda: the real GPU. Depends on core and loads the driver at run time. It needs only the headers of CUDA,
# and without them the program is built without it.
set(WARPLENS_HAS_CUDA 0)
foreach(folder IN LISTS WARPLENS_CUDA_INCLUDE_DIRS)
  if(EXISTS ${folder}/cudaTypedefs.h)
    set(WARPLENS_HAS_CUDA 1)
  endif()
endforeach()
if(WARPLENS_HAS_CUDA)

  add_library(warplens_cuda STATIC ${cuda_sources})
  warplens_quick(warplens_cuda)
  target_include_directories(warplens_cuda SYSTEM PUBLIC ${WARPLENS_CUDA_INCLUDE_DIRS})
  target_link_libraries(warplens_cuda PUBLIC warplens_core warplens_assets PRIVATE warplens_flags)
endif()

# All parts of the program that need no window: warplens_app, and warplens_pictures, which draws into pixels, and uses
# threads and bytes.
add_library(warplens_app STATIC ${app_sources})
warplens_quick(warplens_app)
add_library(warplens_pictures STATIC ${pictures_sources})
target_link_libraries(warplens_app PUBLIC warplens_pictures CLI11::CLI11 PRIVATE warplens_flags)
target_link_libraries(warplens_pictures
  PUBLIC warplens_core warplens_assets warplens_app
  PRIVATE ${picture_libraries} warplens_flags)

if(WARPLENS_WINDOW)
  list(REMOVE_ITEM window_sources app/window/test_engine_stubs.cpp)
  add_library(warplens_window STATIC ${window_sources})
  warplens_quick(warplens_window)
  target_include_directories(warplens_window PUBLIC app/host/${WARPLENS_HOST})
  target_link_libraries(warplens_window PUBLIC warplens_app warplens_imgui::imgui PRIVATE warplens_flags)
  set(WARPLENS_HAS_WINDOW 1)
else()
  set(WARPLENS_HAS_WINDOW 0)
endif()

add_executable(warplens app/main.cpp)
target_compile_definitions(warplens PRIVATE WARPLENS_HAS_WINDOW=${WARPLENS_HAS_WINDOW}
                                            WARPLENS_HAS_CUDA=${WARPLENS_HAS_CUDA})
include(commit)
target_link_libraries(warplens PRIVATE warplens_app warplens_commit $<TARGET_NAME_IF_EXISTS:warplens_cuda> warplens_flags)
if(WARPLENS_WINDOW)
  # The test program uses the test engine instead of the stubs.
  target_sources(warplens PRIVATE app/window/test_engine_stubs.cpp)
  target_link_libraries(warplens PRIVATE warplens_window)
endif()
