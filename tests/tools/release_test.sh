#!/usr/bin/env bash
# tools/release refuses what may not be released: changes that are not committed, a version that CHANGELOG.md does not know, changes
# without a version, another tag, nobody who answers for it. In a small repository with the script and nothing to build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tools"
cp tools/release tools/lib.sh tools/versions.env "$scratch/tools"
cp CMakeLists.txt "$scratch"
cd "$scratch"
export WARPLENS_MAINTAINER="A Person <person@example.org>" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q
git config user.name test
git config user.email test@example.org
version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

commit() { git add -A && git commit -q --allow-empty -m "$1"; }
says() {  # STATUS WORDS [ARGUMENT]
  local said status=0
  said=$(tools/release "${3:---may}" 2>&1) || status=$?
  [[ $status == "$1" && $said == *"$2"* ]] || { echo "status $status, wanted $1 and '$2': $said"; exit 1; }
}

printf '# Changelog\n\n## Unreleased\n\n## 0.0.1 – 2026-01-02\n\n- One.\n' >CHANGELOG.md
commit "another version"
says 2 "CHANGELOG.md has no '## $version – YEAR-MONTH-DAY'"
printf '# Changelog\n\n## Unreleased\n\n- Two.\n\n## %s – 2026-01-02\n\n- One.\n' "$version" >CHANGELOG.md
says 2 "changes that are not committed"
commit "a change without a version"
says 2 "changes under 'Unreleased'"
printf '# Changelog\n\n## Unreleased\n\n## %s – 2026-01-02\n\n- One.\n' "$version" >CHANGELOG.md
commit "all is well"
says 0 "version $version may be released"
echo >a_new_file
says 2 "changes that are not committed"
rm a_new_file
WARPLENS_MAINTAINER="" says 2 "who answers for the package"
WARPLENS_MAINTAINER="person@example.org" says 2 "who answers for the package"
git tag v9.9.9
says 2 "the tag is v9.9.9"
git tag -d v9.9.9 >/dev/null
git tag "v$version"
says 0 "may be released"
says 2 "--fast is unknown" --fast
sed -i 's/DESCRIPTION "[^"]*"/DESCRIPTION ""/' CMakeLists.txt
commit "without a sentence"
says 2 "no version or no sentence"
