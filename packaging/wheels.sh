#!/bin/sh
# Builds the source distribution and the wheels of libakin into build/wheels/dist, and checks their tags, their use of
# Python's stable ABI and their descriptions. zig compiles and links against glibc 2.28, whatever the machine has; the
# libraries that akin needs are inside.
# usage: packaging/wheels.sh [x86_64] [aarch64] [cuda]     (default: all that can be built here)
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."

glibc=2.28 policy=manylinux_2_28
build=$PWD/build/wheels
tools=$build/venv
dist=$build/dist
tools_wanted='ziglang==0.17.1 auditwheel==6.8.2 abi3audit==0.0.26 twine==7.0.0 wheel build scikit-build-core>=0.10'

case $PWD in
*[[:space:]]*)
    echo "wheels: there must be no blanks in the name of the folder: $PWD" >&2
    exit 1
    ;;
esac
nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
kinds=$*
if [ -z "$kinds" ]; then
    kinds='x86_64 aarch64'
    if [ -x "$nvcc" ]; then
        kinds="$kinds cuda"
    else
        echo "wheels: the wheel for NVIDIA GPUs is left out: there is no nvcc" >&2
    fi
fi

for kind in $kinds; do
    case $kind in
    x86_64 | aarch64 | cuda) ;;
    *)
        echo "wheels: there is no kind '$kind'; expected x86_64, aarch64 or cuda" >&2
        exit 2
        ;;
    esac
done

# wrap NAME WORDS: a program in the folder of the kind that runs zig. CMake wants compilers to be one word.
wrap()
{
    printf '#!/bin/sh\nexec %s -m ziglang %s "$@"\n' "$tools/bin/python" "$2" >"$own/bin/$1"
    chmod +x "$own/bin/$1"
}

# prepare KIND: zig as the compiler of its machine, and the libraries for it.
prepare()
{
    own=$build/$1
    machine=${1%cuda}
    machine=${machine:-x86_64}
    mkdir -p "$own/bin"
    wrap cc "cc -target $machine-linux-gnu.$glibc"
    wrap ar ar
    wrap ranlib ranlib
    # Always anew, which takes half a minute: a fault that the distribution has mended must not stay in a wheel.
    rm -rf "$own/prefix"
    AKIN_SOURCES=$build/sources CC=$own/bin/cc AR=$own/bin/ar packaging/dependencies.sh "$own/prefix" \
        >"$own/dependencies.log" 2>&1 || {
        tail -n 20 "$own/dependencies.log" >&2
        exit 1
    }
}

# describe NAME [NAME VERSION LICENCE SITE]...: what the wheel says of the libraries inside it.
describe()
{
    rm -rf "$own/metadata"
    mkdir -p "$own/metadata/licenses" "$own/metadata/sboms"
    cp -r "$own/prefix/notices" "$own/metadata/licenses/third-party"
    name=$1
    shift
    packaging/sbom.py "$name" "$version" "$own/metadata/sboms/$name.spdx.json" "$own/prefix/components.tsv" "$@"
}

# foreign_python: headers of Python for another machine. Debian's pyconfig.h includes one of a folder that is called as
# the machine; those of two machines with 64 bits and the same byte order are the same to the stable ABI.
foreign_python()
{
    python=$("$tools/bin/python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    headers=$own/prefix/include/$machine-linux-gnu/$python
    mkdir -p "$headers"
    echo "#include <$(gcc -print-multiarch)/$python/pyconfig.h>" >"$headers/pyconfig.h"
}

# compile KIND [CMAKE OPTION...]: its wheel, in build/wheels/KIND/wheel.
compile()
{
    kind=$1
    shift
    prepare "$kind"
    if [ "$kind" = cuda ]; then
        cuda_version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
        describe libakin-cuda13 CUDA-Runtime "$cuda_version" LicenseRef-NVIDIA-CUDA-EULA \
            https://docs.nvidia.com/cuda/eula CCCL "$cuda_version" 'Apache-2.0 WITH LLVM-exception' \
            https://nvidia.github.io/cccl
        echo "CUDA's runtime $cuda_version is inside, under https://docs.nvidia.com/cuda/eula" \
            >"$own/metadata/licenses/third-party/cuda.txt"
    else
        describe libakin
    fi
    rm -rf "$own/wheel"
    options=
    for option; do
        options="$options -Ccmake.define.$option"
    done
    # The programs that make manual pages run while it is built, on another machine under qemu.
    if [ "$machine" != "$(uname -m)" ]; then
        foreign_python
        export _PYTHON_HOST_PLATFORM="linux-$machine" QEMU_LD_PREFIX="/usr/$machine-linux-gnu"
        emulator=$(command -v "qemu-$machine-static")
        options="$options -Ccmake.define.CMAKE_SYSTEM_NAME=Linux -Ccmake.define.CMAKE_SYSTEM_PROCESSOR=$machine"
        options="$options -Ccmake.define.CMAKE_CROSSCOMPILING_EMULATOR=$emulator"
        options="$options -Ccmake.define.CMAKE_C_FLAGS=-I$own/prefix/include"
    fi
    # shellcheck disable=SC2086 # a list of words
    CC=$own/bin/cc PKG_CONFIG_LIBDIR=$own/prefix/lib/pkgconfig CMAKE_PREFIX_PATH=$own/prefix \
        "$tools/bin/pip" -q --disable-pip-version-check wheel --no-deps --no-build-isolation -w "$own/wheel" \
        -Ccmake.define.AKIN_WHEEL_METADATA="$own/metadata" -Ccmake.define.AKIN_STATIC_DEPENDENCIES=ON \
        -Ccmake.define.CMAKE_AR="$own/bin/ar" -Ccmake.define.CMAKE_RANLIB="$own/bin/ranlib" \
        -Ccmake.define.CMAKE_SHARED_LINKER_FLAGS=-s \
        -Ccmake.define.CMAKE_MODULE_LINKER_FLAGS=-s -Ccmake.define.CMAKE_STRIP="$(command -v true)" $options "$source"
    unset _PYTHON_HOST_PLATFORM
    finish "$machine"
}

# for_gpus: the source distribution under the name of the one for GPUs, as PyPI has one wheel of a name for a machine.
for_gpus()
{
    rm -rf "$build/cuda/source"
    mkdir -p "$build/cuda/source"
    tar -xzf "$source" -C "$build/cuda/source" --strip-components=1
    sed -i 's/^name = "libakin"$/name = "libakin-cuda13"/' "$build/cuda/source/pyproject.toml"
    grep -q '^name = "libakin-cuda13"$' "$build/cuda/source/pyproject.toml"
    echo "$build/cuda/source"
}

# finish MACHINE: the wheel under the tag of the policy, if it needs no newer glibc and no library beside it, says
# auditwheel.
finish()
{
    "$tools/bin/python" -m abi3audit --strict "$own"/wheel/*.whl
    "$tools/bin/python" -m auditwheel show --json "$own"/wheel/*.whl >"$own/audit.json"
    "$tools/bin/python" - "$own/audit.json" "${policy}_$1" <<'END'
import json, re, sys

audit, wanted = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2]
newest, allowed = (tuple(map(int, re.findall("[0-9]+", tag)[:2])) for tag in (audit["overall_tag"], wanted))
if not audit["overall_tag"].startswith("manylinux") or newest > allowed or audit["external_libs"]:
    sys.exit(f"wheels: the wheel is of {audit['overall_tag']}, not of {wanted}: {audit}")
END
    "$tools/bin/python" -m wheel tags --remove --platform-tag "${policy}_$1" "$own"/wheel/*.whl
    mv "$own"/wheel/*.whl "$dist"
}

[ -x "$tools/bin/pip" ] || python3 -m venv "$tools"
# shellcheck disable=SC2086 # a list of words
"$tools/bin/pip" -q --disable-pip-version-check install $tools_wanted
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
# What another build has compiled with the same options is not compiled again, where there is ccache.
CCACHE_BASEDIR=${TMPDIR:-/tmp} CCACHE_NOHASHDIR=1
export SOURCE_DATE_EPOCH CCACHE_BASEDIR CCACHE_NOHASHDIR

mkdir -p "$dist"
rm -f "$dist"/libakin-*.tar.gz
# Wheels of another version are not this one's; those of this version are built anew, or stay.
version=$(sed -n 's/^#define AKIN_VERSION_STRING "\(.*\)"$/\1/p' include/akin.h)
find "$dist" -name '*.whl' ! -name "*-$version-*" -delete
"$tools/bin/python" -m build --no-isolation --sdist --outdir "$dist" . >"$build/sdist.log"
source=$(echo "$dist"/libakin-*.tar.gz)
for kind in $kinds; do
    case $kind in
    x86_64 | aarch64) compile "$kind" AKIN_CUDA=OFF ;;
    # One object is made of what nvcc compiles, by options of GNU's linker.
    cuda)
        source=$(for_gpus)
        CUDACXX=$nvcc compile cuda AKIN_CUDA=ON CMAKE_LINKER="$(command -v ld)" \
            CMAKE_OBJCOPY="$(command -v objcopy)"
        ;;
    esac
done
"$tools/bin/python" -m twine check --strict "$dist"/*
ls -l "$dist"
