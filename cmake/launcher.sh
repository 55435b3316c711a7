#!/bin/sh
# Starts WarpLens from wherever this folder lies.
here=$(dirname "$(readlink -f "$0")")
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
