#!/bin/sh
# Starts WarpLens from wherever this folder lies.
here=$(dirname "$(readlink -f "$0")")
spare=$here/lib/warplens/without-a-desktop
# On a machine without a desktop's libraries the spare ones serve. Elsewhere its own come first: its graphics driver uses
# them too.
if ! { /sbin/ldconfig -p || ldconfig -p; } 2>/dev/null | grep -q 'libX11\.so\.6'; then
  LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$spare
  export LD_LIBRARY_PATH
fi
exec "$here/bin/warplens" "$@"
