# What builds for a web page: tools/setup web sources this. A folder of the cache gets
#   ziglang/      the wheel of that name: clang, lld, and the sources of LLVM's C++ library. Zig itself is not used
#   bin/          compiler, linker and Emscripten's driver, each a line that starts the real one
#   emscripten/   Emscripten's headers and libraries as links, with LLVM's C++ library in the place of its own
#   libraries/    Dear ImGui, the text editor and md4c, and what finds the libraries that are headers alone
#   libraries-threads/   the same, compiled for a program with threads
# Debian's Emscripten is too old for this program by itself (clang 14, libc++ 13), and no package brings a younger one.
emscripten_libraries=/usr/share/emscripten/cache

web_key() {
  (cat "$root/tools/setup_web.sh" $(find "$root/cmake/web" -type f | sort) "$requirements/web.txt" "$requirements/imgui.txt" \
     "$root/cmake/imgui/warplens_imconfig.h"
   dpkg-query -W emscripten libfmt-dev nlohmann-json3-dev libcli11-dev libstb-dev) | sha256sum | cut -c1-12
}

get_web() {
  local key final w="$work/web"
  key=$(web_key)
  final="$cache/web-$ziglang/$key"
  if [[ ! -d "$final" ]]; then
    [[ -d "$emscripten_libraries/sysroot/lib/wasm32-emscripten" ]] ||
      fail "$emscripten_libraries has no built libraries: the web page needs Debian's package emscripten, 3.1.6."
    mkdir -p "$w/made" "$w/wheels"
    say "downloading a compiler for WebAssembly (95 MB)"
    download web "$w/wheels" --only-binary=:all: --platform manylinux_2_12_x86_64
    unpack_web_wheel "$w"/wheels/*.whl "$w/made"
    make_web_folder "$w/made"
    get_imgui_source
    tar -xzf "$imgui_source" -C "$w"
    say "building the C++ library for WebAssembly, without threads and with them, once (about two minutes)"
    build_web_libraries "$w" libraries -DWARPLENS_WEB_THREADS=OFF
    build_web_libraries "$w" libraries-threads -DWARPLENS_WEB_THREADS=ON
    place "$w/made" "$final"
  fi
  ln -sfn "$key" "$cache/web-$ziglang/current"
}

# Few of its twenty thousand files are needed.
unpack_web_wheel() {  # WHEEL FOLDER
  python3 - "$1" "$2" <<'END'
import sys, zipfile
parts = ["ziglang/zig", "ziglang/LICENSE"]
parts += [f"ziglang/lib/{part}/" for part in ("include", "libcxx", "libcxxabi", "libunwind")]
with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith(tuple(parts))])
END
}

build_web_libraries() {  # FOLDER NAME OPTION
  local w=$1 into=$1/made/$2 threads=$3
  build_for_web "$w" "$root/cmake/web/cxx" "$w/made/emscripten/sysroot/lib/wasm32-emscripten" "$threads" \
    -DWARPLENS_LLVM_SOURCES="$w/made/ziglang/lib"
  build_for_web "$w" "$root/cmake/web/imgui" "$into" "$threads" \
    -DWARPLENS_IMGUI_BUNDLE_SOURCE="$w/imgui_bundle-$imgui_bundle" -DWARPLENS_IMGUI_CONFIG="$root/cmake/imgui"
  mkdir -p "$into/lib/cmake"
  cp -r "$root"/cmake/web/packages/. "$into/lib/cmake"
}

make_web_folder() {  # FOLDER
  local libraries="$1/emscripten/sysroot/lib/wasm32-emscripten" include="$1/emscripten/sysroot/include" header
  mkdir -p "$1/bin" "$1/clang"
  chmod +x "$1/ziglang/zig"
  ln -s ../ziglang/lib/include "$1/clang/include"
  web_tool "$1" clang '"$here/ziglang/zig" clang -resource-dir "$here/clang"'
  web_tool "$1" clang++ '"$here/ziglang/zig" clang --driver-mode=g++ -resource-dir "$here/clang"'
  web_tool "$1" wasm-ld '"$here/ziglang/zig" wasm-ld'
  web_tool "$1" llvm-ar '"$here/ziglang/zig" ar'
  web_tool "$1" llvm-ranlib '"$here/ziglang/zig" ranlib'
  for tool in llvm-nm llvm-objcopy llvm-dwarfdump; do web_tool "$1" $tool "/usr/bin/$tool-14"; done
  for tool in emcc em++; do
    web_tool "$1" $tool "env EM_CONFIG=\"\$here/emscripten.config\" NODE_PATH=/usr/share/nodejs /usr/bin/$tool"
  done
  cat >"$1/emscripten.config" <<'END'
import os
here = os.path.dirname(os.environ['EM_CONFIG'])
EMSCRIPTEN_ROOT = '/usr/share/emscripten'
LLVM_ROOT = here + '/bin'
BINARYEN_ROOT = '/usr'
NODE_JS = '/usr/bin/node'
CACHE = here + '/emscripten'
FROZEN_CACHE = True
LLVM_ADD_VERSION = ''
CLANG_ADD_VERSION = ''
END

  cp -rs "$emscripten_libraries" "$1/emscripten"
  rm -rf "$include/c++/v1" "$libraries"/libc++* "$libraries"/libunwind* "$1/emscripten/cache.lock"
  ln -s ../../../../ziglang/lib/libcxx/include "$include/c++/v1"
  for header in cxxabi.h __cxxabi_config.h; do
    ln -s "../../../ziglang/lib/libcxxabi/include/$header" "$include/$header"
  done
  cp "$root/cmake/web/cxx/libcxx_site.h" "$1"
  for header in fmt nlohmann CLI stb; do ln -s "/usr/include/$header" "$include/$header"; done
}

web_tool() {  # FOLDER NAME COMMAND
  printf '#!/bin/sh\nhere=$(dirname "$(dirname "$(readlink -f "$0")")")\nexec %s "$@"\n' "$3" >"$1/bin/$2"
  chmod +x "$1/bin/$2"
}

build_for_web() {  # FOLDER SOURCE INTO [options of CMake]
  local w=$1 source=$2 into=$3 build
  shift 3
  build="$w/build-$(basename "$source")"
  rm -rf "$build"
  (cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$into" \
     -DCMAKE_TOOLCHAIN_FILE="$root/cmake/web/toolchain.cmake" -DWARPLENS_WEB_TOOLS="$w/made" "$@" &&
   cmake --build "$build" && cmake --install "$build") >"$build.log" 2>&1 ||
    { tail -30 "$build.log" >&2; fail "$source did not build for the web page: its last lines are above."; }
}
