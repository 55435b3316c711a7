# Builds for a web page: Emscripten's driver, C library and JavaScript, around the compiler, the linker and the C++ library
# of a newer LLVM. WARPLENS_WEB_TOOLS is the folder that tools/setup_web.sh makes of them.
set(WARPLENS_WEB_TOOLS "" CACHE PATH "What tools/setup web makes")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WARPLENS_WEB_TOOLS)
set(CMAKE_C_COMPILER ${WARPLENS_WEB_TOOLS}/bin/emcc)
set(CMAKE_CXX_COMPILER ${WARPLENS_WEB_TOOLS}/bin/em++)
set(CMAKE_AR ${WARPLENS_WEB_TOOLS}/bin/llvm-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${WARPLENS_WEB_TOOLS}/bin/llvm-ranlib CACHE FILEPATH "")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
list(APPEND CMAKE_FIND_ROOT_PATH ${WARPLENS_WEB_TOOLS}/libraries)
set(ENV{PKG_CONFIG_LIBDIR} ${WARPLENS_WEB_TOOLS}/libraries/lib/pkgconfig)

# No younger feature of WebAssembly: Emscripten's steps after the linker (binaryen 108) would not read it.
string(JOIN " " CMAKE_C_FLAGS_INIT -mcpu=mvp -mmutable-globals -msign-ext -mnontrapping-fptoint -mbulk-memory -msimd128
  -mexception-handling -fwasm-exceptions -sSUPPORT_LONGJMP=0)
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -include ${WARPLENS_WEB_TOOLS}/libcxx_site.h")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--no-stack-first")
