# Shared by the scripts beside it: source it first. Leaves the shell in the top folder of the tree.
# shellcheck shell=bash
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# The comment block at the top of a script is its help.
print_help() { sed -n '2,/^[^#]/ { s/^# \{0,1\}//p }' "$0"; }

# What ccache has to overlook for sources that use precompiled headers.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

cores() { nproc 2>/dev/null || echo 2; }

# configure PRESET [cmake arguments...]: quiet when all is well, the whole output when not.
configure() {
  local preset=$1 log
  shift
  mkdir -p build
  log="build/configure-$preset.log"
  local launcher=()
  if have ccache; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  cmake --preset "$preset" "${launcher[@]}" "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    die "configuring preset '$preset' failed"
  }
}

# build PRESET [targets...]
build() {
  local preset=$1
  shift
  local targets=()
  if (($# > 0)); then targets=(--target "$@"); fi
  cmake --build --preset "$preset" --parallel "$(cores)" "${targets[@]}"
}
