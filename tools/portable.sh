# Sourced by tools/package: packages that hold what the archive holds, for other ways of installing. Their templates are in
# cmake/packages.

# The name by which desktops know the program. Who publishes it sets a name of a domain that is theirs.
app_id=${WARPLENS_APP_ID:-io.github.warplens.WarpLens}

filled() {  # TEMPLATE ARCHIVE DESKTOP
  sed "s|@VERSION@|$version|g; s|@SENTENCE@|$sentence|g; s|@GLIBC@|$glibc|g; s|@ID@|$app_id|g; s|@DESKTOP@|$3|g
    s|@AUTHORS@|$(sed -n 's/^Copyright (c) [0-9]* //p' LICENSE)|g; s|@DATE@|$(sed -n "s/^## $version – //p" CHANGELOG.md)|g
    s|@ARCHIVE@|$2|g; s|@SHA256@|$(sha256sum "$2" | cut -d' ' -f1)|g" "cmake/packages/$1"
}

make_conda() {  # ARCHIVE FILE
  local recipe=$staging/conda
  mkdir -p "$recipe"
  filled recipe.yaml.in "$1" "" >"$recipe/recipe.yaml"
  "$(packing_python)" - "$recipe" "$2" <<'END'
import pathlib, shutil, sys, rattler_build
recipe, file = map(pathlib.Path, sys.argv[1:])
(one,) = rattler_build.Stage0Recipe.from_file(recipe / "recipe.yaml").render()
(package,) = one.run_build(output_dir=recipe / "channel", channels=[], package_format="conda", no_build_id=True).packages
shutil.copyfile(package, file)
END
}

# The folder that an AppImage holds. With appimagetool in PATH, the AppImage too.
make_appdir() {  # TREE OF THE ARCHIVE, FOLDER, FILE
  rm -rf "$2"
  cp -a "$1" "$2"
  ln -s warplens "$2/AppRun"
  ln -s share/applications/warplens.desktop share/icons/hicolor/scalable/apps/warplens.svg "$2"
  ln -s warplens.svg "$2/.DirIcon"
  mkdir -p "$2/share/metainfo" "$2/usr"
  ln -s ../share "$2/usr/share"  # where its tools look
  filled metainfo.xml.in "$dist/$archive.tar.gz" warplens >"$2/share/metainfo/$app_id.appdata.xml"
  desktop-file-validate "$2/share/applications/warplens.desktop"
  appstreamcli validate --no-net "$2/share/metainfo/$app_id.appdata.xml"
  ! command -v appimagetool >/dev/null || ARCH=$(uname -m) VERSION=$version appimagetool "$2" "$3"
}

make_flatpak() {  # ARCHIVE FOLDER
  rm -rf "$2"
  mkdir -p "$2"
  filled flatpak.yaml.in "$1" "$app_id" | sed "s|path: .*/|path: |" >"$2/$app_id.yaml"
  filled metainfo.xml.in "$1" "$app_id" >"$2/$app_id.metainfo.xml"
  ln "$1" "$2"
  appstreamcli validate --no-net "$2/$app_id.metainfo.xml"
  ! command -v flatpak-builder >/dev/null || (cd "$staging" && flatpak-builder --show-manifest "$2/$app_id.yaml")  # it writes where it is started
}
