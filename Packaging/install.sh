#!/bin/sh
# Usage: ./install.sh [PREFIX]            installs bitpal from the folder of this file
#        ./install.sh --remove [PREFIX]   removes it; settings and portfolios stay
# PREFIX is /usr/local for root and ~/.local for others. Nothing is downloaded. DESTDIR is for packagers.
set -eu
umask 022
fail() { echo "install.sh: $1" >&2; exit 1; }

action=install
if [ "${1-}" = --remove ]; then action=remove; shift; fi
case ${1-} in -*) fail "unknown option $1; usage: ./install.sh [--remove] [PREFIX]" ;; esac
prefix=${1-}
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
fi
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
root=${DESTDIR-}$prefix
# The files that an installation put there, one path per line.
list=$root/share/bitpal/installed

if [ "$action" = remove ]; then
  [ -f "$list" ] || fail "bitpal is not installed below $prefix"
  while read -r file; do rm -f "$root/$file"; done < "$list"
  rm -f "$list"
  rmdir "$root/share/bitpal/schemas" "$root/share/bitpal" 2>/dev/null || :
  echo "Removed bitpal from $prefix."
  exit
fi

# The units of systemd name the folder, in which it splits words and replaces variables.
case $prefix in *[\ \'\"\\\$%\|\&]*) fail "$prefix: choose a folder without spaces and quotes" ;; esac
cd "$(dirname "$0")"
sha256sum --quiet --check SHA256SUMS || fail "a file differs from SHA256SUMS; unpack the archive again"
version=$(bin/bitpal --version) ||
  fail "bin/bitpal does not run here; it needs the processor of the archive's name and glibc 2.36 (Debian 12, Ubuntu 24.04)"
mkdir -p "$root/share/bitpal" && [ -w "$root/share/bitpal" ] ||
  fail "$prefix cannot be written; use sudo, or name a folder of yours: ./install.sh ~/.local"

files=$(sed -E 's/^[0-9a-f]+  //' SHA256SUMS | grep -E '^(bin|share)/')
for file in $files; do
  mkdir -p "$root/$(dirname "$file")"
  # A file is replaced whole, also when the disk is full or the tool is in use.
  case $file in
    share/systemd/*) sed "s|@PREFIX@|$prefix|" "$file" > "$root/$file.new" ;;
    bin/*) install -m 755 "$file" "$root/$file.new" ;;
    *) install -m 644 "$file" "$root/$file.new" ;;
  esac
  mv -f "$root/$file.new" "$root/$file"
done
if [ -f "$list" ]; then # what an earlier version had and this one has not
  grep -vxF "$files" "$list" | while read -r file; do rm -f "$root/$file"; done
fi
echo "$files" > "$list"

echo "Installed $version below $prefix."
[ -z "${DESTDIR-}" ] || exit 0
case :$PATH: in *:$prefix/bin:*) ;; *) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;; esac
case ${SHELL-}:$prefix in
  */zsh:/usr*) ;;
  */zsh:*) echo "For completion, before compinit in ~/.zshrc: fpath=($prefix/share/zsh/site-functions \$fpath)" ;;
esac
echo "\"bitpal doctor\" names what is missing on this machine."
