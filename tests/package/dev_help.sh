#!/bin/sh
# `./dev help` lists every verb that the script knows, and nothing else.
set -eu

listed=$("$1" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort)
known=$(sed -n 's/^\([a-z][a-z |-]*\))$/\1/p' "$1" | tr -d ' ' | tr '|' '\n' | grep -v '^-' | sort)
[ -n "$listed" ]
if [ "$listed" != "$known" ]; then
    printf 'listed by ./dev help:\n%s\nknown to it:\n%s\n' "$listed" "$known" >&2
    exit 1
fi
