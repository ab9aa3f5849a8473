#!/bin/sh
# Builds the libraries that akin needs as static ones, of the distribution's sources (Debian, Ubuntu), with the compiler
# $CC and the archiver $AR, for a machine that may be another one. Sources that are older than a day are fetched again.
# usage: packaging/dependencies.sh PREFIX
set -eu

prefix=$1
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
case $prefix in
*[[:space:]]*)
    echo "dependencies: there must be no blanks in the name of the folder: $prefix" >&2
    exit 1
    ;;
esac
sources=${AKIN_SOURCES:-$(dirname "$prefix")/sources}
: "${CC:=cc}" "${AR:=ar}"
flags='-O2 -fPIC -fvisibility=hidden'

# fetch PACKAGE...: unpacks the sources of those that are not there, by lists of apt that are ours alone. apt checks the
# signatures.
fetch()
{
    missing=
    [ -n "$(find "$sources/fetched" -mtime -1 2>/dev/null)" ] || rm -rf "$sources"
    mkdir -p "$sources"
    for package; do
        [ -d "$sources/$package" ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    private=$sources/apt
    mkdir -p "$private/lists/partial" "$private/parts"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$private/parts/$(basename "$list")"
    done
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$list" ] || sed -n 's/^deb \(.*\)/deb-src \1/p' "$list" >"$private/parts/$(basename "$list" .list).list"
    done
    apt="-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$private/parts
         -o Dir::State::Lists=$private/lists -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache="
    (
        cd "$sources"
        # shellcheck disable=SC2086 # a list of options
        apt-get $apt update
        for package in $missing; do
            fetch_newest "$package"
        done
        touch fetched
    )
}

# fetch_newest PACKAGE: the newest version that the mirror has. Some mirrors lack the sources of security updates.
fetch_newest()
{
    # shellcheck disable=SC2086 # a list of options
    for version in $(apt-cache $apt showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rVu); do
        rm -rf "$1.part"
        mkdir "$1.part"
        if (cd "$1.part" && apt-get $apt source --download-only --only-source "$1=$version"); then
            (cd "$1.part" && dpkg-source -x ./*.dsc tree)
            mv "$1.part" "$1"
            return
        fi
        echo "dependencies: the mirror lacks the source of $1 $version" >&2
    done
    echo "dependencies: no source of $1 can be had; do the sources of apt name a mirror with sources?" >&2
    exit 1
}

# archive NAME FOLDER FLAGS SOURCE...: PREFIX/lib/libNAME.a of the sources in FOLDER.
archive()
{
    name=$1 folder=$2 own=$3
    shift 3
    objects=$prefix/objects/$name
    rm -rf "$objects" "$prefix/lib/lib$name.a"
    mkdir -p "$objects"
    (
        cd "$folder"
        # shellcheck disable=SC2086 # lists of words
        for source; do
            echo "$source" "$objects/$(echo "$source" | tr / _).o"
        done | xargs -P "$(nproc)" -L 1 sh -c '$0 '"$flags $own"' -c "$1" -o "$2"' "$CC"
    )
    $AR rcs "$prefix/lib/lib$name.a" "$objects"/*.o
}

# describe NAME VERSION LIBRARY: what pkg-config says of it.
describe()
{
    cat >"$prefix/lib/pkgconfig/$1.pc" <<END
Name: $1
Description: $1, static
Version: $2
Libs: -L$prefix/lib -l$3
Cflags: -I$prefix/include
END
}

# note SOURCE LICENCE SITE: the licence that whoever gets the library must get, too, and a line of the list of
# components: name, version of the distribution's source, identifier of SPDX, site.
note()
{
    cp "$sources/$1/tree/debian/copyright" "$prefix/notices/$1.txt"
    full=$(sed -n 's/^Version: //p' "$sources/$1"/*.dsc | head -n 1)
    printf '%s\t%s\t%s\t%s\n' "$1" "$full" "$2" "$3" >>"$prefix/components.tsv"
}

version()
{
    sed -n 's/^Version: \([0-9]*:\)\{0,1\}\([0-9.]*[0-9]\).*/\2/p' "$sources/$1"/*.dsc | head -n 1
}

rm -rf "$prefix/notices" "$prefix/components.tsv"
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/notices" "$sources"
fetch zlib libzstd xxhash utf8proc snowball

tree=$sources/zlib/tree
archive z "$tree" '-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1' \
    adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c gzwrite.c infback.c inffast.c inflate.c \
    inftrees.c trees.c uncompr.c zutil.c
cp "$tree/zlib.h" "$tree/zconf.h" "$prefix/include"
describe zlib "$(version zlib)" z
note zlib Zlib https://zlib.net

tree=$sources/libzstd/tree/lib
# shellcheck disable=SC2046 # names without blanks
archive zstd "$tree" '-DZSTD_MULTITHREAD -DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_ -I. -Icommon -pthread' \
    $(cd "$tree" && echo common/*.c compress/*.c decompress/*.c)
cp "$tree/zstd.h" "$tree/zstd_errors.h" "$prefix/include"
describe libzstd "$(version libzstd)" zstd
note libzstd BSD-3-Clause https://facebook.github.io/zstd

tree=$sources/xxhash/tree
archive xxhash "$tree" '' xxhash.c
cp "$tree/xxhash.h" "$prefix/include"
[ ! -f "$tree/xxh3.h" ] || cp "$tree/xxh3.h" "$prefix/include"
describe libxxhash "$(version xxhash)" xxhash
note xxhash BSD-2-Clause https://xxhash.com

tree=$sources/utf8proc/tree
archive utf8proc "$tree" '-DUTF8PROC_STATIC' utf8proc.c
cp "$tree/utf8proc.h" "$prefix/include"
describe libutf8proc "$(version utf8proc)" utf8proc
note utf8proc 'MIT AND Unicode-DFS-2015' https://juliastrings.github.io/utf8proc

# Snowball's compiler runs here; what it makes is compiled as the rest.
tree=$sources/snowball/tree
make -s -C "$tree" CC=cc snowball dist_libstemmer_c >/dev/null
(
    cd "$tree/dist"
    rm -rf unpacked
    mkdir unpacked
    tar -xzf libstemmer_c-*.tar.gz -C unpacked --strip-components=1
)
tree=$tree/dist/unpacked
# shellcheck disable=SC2046
archive stemmer "$tree" '-Iinclude' $(cd "$tree" && echo libstemmer/libstemmer_utf8.c runtime/*.c src_c/stem_UTF_8_*.c)
cp "$tree/include/libstemmer.h" "$prefix/include"
note snowball BSD-3-Clause https://snowballstem.org
