#!/bin/sh
# Runs the commands that documents show, and compares what they print with what the documents show.
#
#     tests/package/documents.sh DOCUMENT...
#
# akin is the one on PATH. In a block fenced as `console` a line that begins with "$ " is a command, and the lines up to
# the next one are all that it may print, on stdout and stderr; it must succeed. A command that ends in a backslash goes
# on in the next line, which begins with "> ". The commands of a document run in their order in one scratch directory. A
# comment on the line above a block says what else to do with it:
#
#     <!-- not run: REASON -->    the block is passed over; one fenced as `sh` must say so
#     <!-- file: NAME -->         the block is the content of that file in the scratch directory
#     <!-- mask: SCRIPT -->       sed -E SCRIPT is applied to both sides before they are compared, so that what differs
#                                 from run to run (times, memory) and from CPU to CPU can be taken out
set -u

[ $# -ge 1 ] || {
    echo "usage: $0 DOCUMENT..." >&2
    exit 2
}
LC_ALL=C
export LC_ALL
unset AKIN_CPU
scratch=$(mktemp -d "${TMPDIR:-/tmp}/akin-documents.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
commands=0 faults=0

# fault LINE MESSAGE: reports one, at a line of the document.
fault() {
    echo "$document:$1: $2"
    faults=$((faults + 1))
}

# Runs the command that has been gathered, if there is one, and compares.
run_command() {
    [ -n "$command" ] || return 0
    commands=$((commands + 1))
    (cd "$scratch/work" && exec timeout 120 sh -c "$command") </dev/null >"$scratch/printed" 2>&1
    status=$?
    [ $status = 0 ] || echo "[exit status $status]" >>"$scratch/printed"
    for side in shown printed; do
        sed -E "$mask" "$scratch/$side" >"$scratch/$side.masked" || fault "$command_line" "mask: $mask: sed fails"
    done
    diff -u "$scratch/shown.masked" "$scratch/printed.masked" >"$scratch/diff" ||
        fault "$command_line" "$ $command: shown (-) and printed (+)
$(tail -n +3 "$scratch/diff")"
    command=
}

# begin_block LANGUAGE: what to do with the block that begins, by its language and the comment above it.
begin_block() {
    language=${1:-text} action=pass mask=
    case $comment in
    '<!-- not run: '*) ;;
    '<!-- file: '*)
        action=${comment#<!-- file: }
        action=file:${action% -->}
        : >"$scratch/work/${action#file:}"
        ;;
    '<!-- mask: '*)
        mask=${comment#<!-- mask: }
        mask=${mask% -->}
        action=run
        ;;
    *)
        [ "$language" != console ] || action=run
        [ "$language" != sh ] || fault $number "a block of sh without <!-- not run: REASON -->; show output as console"
        ;;
    esac
}

# A line within a block.
take_line() {
    case $action:$1 in
    pass:*) ;;
    file:*) printf '%s\n' "$1" >>"$scratch/work/${action#file:}" ;;
    run:'$ '*)
        run_command
        command=${1#??} command_line=$number
        : >"$scratch/shown"
        ;;
    run:'> '*)
        case $command in
        *\\) command="${command%?}${1#??}" ;;
        *) fault $number "the command above does not end in a backslash" ;;
        esac
        ;;
    *)
        [ -n "$command" ] || fault $number "expected a command, '$ ...', at the beginning of the block"
        printf '%s\n' "$1" >>"$scratch/shown"
        ;;
    esac
}

check_document() {
    language='' action='' mask='' comment='' command='' number=0
    rm -rf "$scratch/work" && mkdir "$scratch/work" || exit 2
    while IFS= read -r line; do
        number=$((number + 1))
        case ${language:+block}:$line in
        :'```'*) begin_block "${line#???}" ;;
        block:'```')
            run_command
            language='' comment=''
            ;;
        block:*) take_line "$line" ;;
        :'    $ '*) fault $number "commands that are indented are not run: fence them as console" ;;
        *) comment=$line ;;
        esac
    done <"$document"
    [ -z "$language" ] || fault $number "the last block does not end"
}

for document; do
    check_document
done
echo "$commands commands run, $faults faults"
[ $commands -gt 0 ] && [ $faults = 0 ]
