# What the cases of the golden tests have in common.
# shellcheck shell=sh

# Runs akin.
akin() {
    "$AKIN" "$@"
}

# Shows a command line of akin, all that it prints, and its exit status if that is not 0.
try() {
    printf '$ akin'
    for word in "$@"; do
        printf ' %s' "${word:-''}"
    done
    printf '\n'
    "$AKIN" "$@" 2>&1 || printf '[exit status %s]\n' "$?"
}

# Leaves the names of a table out of messages that list all of them, so that a row more changes one case and not all.
without() {
    first=$("$AKIN" help "$1" | sed -n '3s/^ *\([a-z0-9+-]*\).*/\1/p')
    sed "s/expected $first, [^;:]*/expected .../"
}

# The SIMD levels of this CPU.
levels() {
    echo scalar
    for level in neon avx2 avx512; do
        ! AKIN_CPU=$level "$AKIN" info >/dev/null 2>&1 || echo $level
    done
}

# Ends a case that cannot run here.
skip() {
    echo "$1"
    exit 77
}

# Skips a case where a program is not installed.
need() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}

# Skips a long case under a sanitizer. Unit tests run there what its threads do.
lasts() {
    [ -z "${AKIN_SANITIZED-}" ] || skip "it is long under a sanitizer"
}
