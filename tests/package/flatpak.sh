#!/usr/bin/env bash
# Builds, installs, tries and removes the Flatpak. By hand, as root, after `tools/package flatpak`, on a machine with flatpak,
# flatpak-builder, mmdebstrap and xvfb:
#   tests/package/flatpak.sh dist/flatpak
# The runtime is a stand-in of the same name made of Debian 12, since the real one may not be reached from a test machine: this
# tries the manifest and the sandbox, and not the real runtime's libraries.
set -euo pipefail
folder=$(realpath "$1")
work=$(mktemp -d)
export HOME=$work/home XDG_DATA_HOME=$work/home/.local/share XDG_RUNTIME_DIR=$work/run
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
trap 'rm -rf "$work"' EXIT

# What builds of applications call in the SDK is there too.
mmdebstrap --quiet --mode=root --variant=minbase bookworm "$work/root" --include=libgl1,libgl1-mesa-dri,libglx-mesa0,appstream-util,librsvg2-common,elfutils
for kind in Platform Sdk; do
  rm -rf "$work/runtime"
  mkdir "$work/runtime"
  cp -a "$work/root/usr" "$work/runtime/usr"
  cp -a "$work/root/etc" "$work/runtime/usr/etc"
  printf '[Runtime]\nname=org.freedesktop.%s\nruntime=org.freedesktop.Platform/x86_64/24.08\nsdk=org.freedesktop.Sdk/x86_64/24.08\n' $kind >"$work/runtime/metadata"
  flatpak build-export --runtime --files=usr "$work/repo" "$work/runtime" 24.08 >/dev/null
done
flatpak --user remote-add --no-gpg-verify standin "$work/repo"
flatpak --user install --noninteractive standin org.freedesktop.Platform//24.08 org.freedesktop.Sdk//24.08 >/dev/null

cd "$folder"
id=$(basename ./*.yaml .yaml)
flatpak-builder --user --disable-rofiles-fuse --force-clean --state-dir="$work/state" --install "$work/build" "$id.yaml" >/dev/null
warplens() { flatpak --user run "$id" "$@"; }
warplens --version | head -n 1
warplens run grayscale --check | grep "gray is right"
xvfb-run -a flatpak --user run "$id" render window --size 1280x720 --out "$HOME/window.png"
[[ $(head -c 4 "$HOME/window.png" | tail -c 3) == PNG ]]
test -f "$XDG_DATA_HOME/flatpak/exports/share/applications/$id.desktop"
flatpak --user uninstall --noninteractive "$id" >/dev/null
rm -rf "$HOME/.var/app/$id"
left=$(find "$HOME" -iname '*warplens*' -not -path '*/flatpak/repo/*')
[[ -z "$left" ]] || { echo "left: $left"; exit 1; }
echo "built, installed, tried and removed without a trace"
