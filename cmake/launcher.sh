#!/bin/sh
# Starts WarpLens from the folder that contains this file.
here=$(dirname "$(readlink -f "$0")")

# The loader's own messages about these two are not for people.
if [ "$(uname -sm)" != "Linux @MACHINE@" ]; then
  echo "warplens: this archive is for Linux on @MACHINE@, and this is $(uname -sm). Build it from source here." >&2
  exit 3
fi
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) # "glibc 2.36"; nothing with another C library
newest=$(printf '%s\n' "${glibc#glibc }" "@GLIBC@" | sort -V | tail -n 1)
if [ "$newest" != "${glibc#glibc }" ]; then
  echo "warplens: it needs glibc @GLIBC@ or newer (Ubuntu 22.04, Debian 12), and this machine has ${glibc:-another C library}. Build it from source here." >&2
  exit 3
fi

spare=$here/lib/warplens/without-a-desktop
# On a machine without X11 the spare libraries serve. Elsewhere its own come first: its graphics driver uses them too.
known=$({ /sbin/ldconfig -p || ldconfig -p; } 2>/dev/null)
for library in libX11.so.6 libxcb.so.1; do
  case "$known" in
    *"$library"*) ;;
    *) LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$spare; export LD_LIBRARY_PATH; break ;;
  esac
done
exec "$here/bin/warplens" "$@"
