# Sourced by tools/package: a package for Debian 12 and Ubuntu 24.04 from the installed program and the licences of its parts.

# Who answers for a package. The person who publishes it sets this to their own name and address.
maintainer=${WARPLENS_MAINTAINER:-The WarpLens authors <nobody@localhost>}

# The day of a version in CHANGELOG.md, in the form of Debian's changelogs.
day_of_version() {
  date -R -u -d "$(sed -n "s/^## $1 – //p" CHANGELOG.md)"
}

# What the system has to bring for what the package holds, by the symbols that are used.
needed_packages() {  # TREE SCRATCH
  mkdir -p "$2/debian"
  printf 'Source: warplens\n\nPackage: warplens\nArchitecture: any\n' >"$2/debian/control"
  # libcuda.so.1 is NVIDIA's or ours, chosen where a program is started: no package of a system.
  local files=()
  mapfile -t files < <(find "$1" -type f \( -name warplens -path '*/bin/*' -o -name '*.so*' \))
  (cd "$2" && dpkg-shlibdeps -O --ignore-missing-info -l"$1/usr/lib/warplens/driver" "${files[@]}" 2>/dev/null) |
    sed -n 's/^shlibs:Depends=//p'
}

copyright_file() {  # TREE
  echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: WarpLens"
  echo "Comment: Parts of others in the program have their texts in the folder licences:"
  cut -f1,4 "$1/usr/share/doc/warplens/parts.tsv" | sed 's/^/ /; s/\t/: /'
  printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
  sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
}

control_file() {  # TREE DEPENDS
  cat <<END
Package: warplens
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$1/usr" | cut -f1)
Depends: $2
Recommends: bubblewrap, libgl1-mesa-dri
Suggests: clang, libclc-14 | libclc-18, python3-venv
Section: education
Priority: optional
Description: $sentence
 Choose a kernel, a grid and a block size. WarpLens runs the kernel and shows
 which thread worked on which element, which bytes each warp requested, where
 lanes diverged, and what limits the launch. It needs no GPU.
 .
 CUDA C++ is compiled by clang (suggested) or by NVIDIA's compiler, which
 "warplens fetch" downloads. Answers of students are graded in a sandbox, for
 which bubblewrap is recommended.
END
}

# What the bundle has for parts that are in the program itself; the system's packages have their own texts.
licences_of_parts() {  # TREE BUNDLED
  local from=$2/share/doc/warplens to=$1/usr/share/doc/warplens name licence
  mkdir -p "$to/licences"
  awk -F '\t' '$3 == ""' "$from/parts.tsv" >"$to/parts.tsv"
  while IFS=$'\t' read -r name licence; do
    cp "$from/$licence" "$to/licences/$name.copyright"
  done < <(cut -f1,4 "$to/parts.tsv")
  sed -i 's/\.txt\t/.copyright\t/' "$to/parts.tsv"
}

make_deb() {  # STAGING FILE
  local tree=$1/deb needed
  rm -rf "$tree" "$1/deb-scratch"
  cmake --install build/release --prefix "$tree/usr" --component program --strip
  # The system's own libraries are used.
  cat >"$1/no_rpath.cmake" <<<"file(RPATH_REMOVE FILE \"$tree/usr/bin/warplens\")"
  cmake -P "$1/no_rpath.cmake"
  licences_of_parts "$tree" "$1/tree"
  needed=$(needed_packages "$tree" "$1/deb-scratch")
  [[ -n "$needed" ]] || { echo "dpkg-shlibdeps names no package"; return 1; }
  local docs=$tree/usr/share/doc/warplens
  mkdir -p "$tree/DEBIAN" "$tree/usr/share/lintian/overrides"
  copyright_file "$tree" >"$docs/copyright"
  rm "$docs/LICENSE"
  printf 'warplens (%s) unstable; urgency=medium\n\n  * Version %s. CHANGELOG.md of the source says what is new.\n\n -- %s  %s\n' \
    "$version" "$version" "$maintainer" "$(day_of_version "$version")" | gzip -n -9 >"$docs/changelog.gz"
  gzip -n -9 "$tree/usr/share/man/man1/warplens.1"
  cp cmake/desktop/lintian-overrides "$tree/usr/share/lintian/overrides/warplens"
  control_file "$tree" "$needed" >"$tree/DEBIAN/control"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  find "$tree" -type d -exec chmod 755 {} +
  find "$tree/usr" -type f -not -path '*/bin/*' -exec chmod 644 {} +
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) dpkg-deb --root-owner-group -Zxz --build "$tree" "$2"
}
