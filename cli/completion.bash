# What completes akin's command lines in bash. What there is to offer, _akin_table knows, which comes before this.
# shellcheck shell=bash

# Prints what goes on behind a colon: of the words that may be given those that begin so, and the GPUs that Linux shows.
_akin_behind()
{
    local offered gpu
    for offered in $2; do
        [[ $offered != "$1"* ]] || printf '%s ' "${offered#"$1"}"
    done
    [[ $1 == cuda: && $2 == *cuda:all* ]] || return 0
    for gpu in /dev/nvidia[1-9]*; do
        [[ ! -e $gpu ]] || printf '%s ' "${gpu#/dev/nvidia}"
    done
}

# Goes through the words before the one to be completed, as akin will, and so finds out what is expected next.
_akin()
{
    local word=${COMP_WORDS[COMP_CWORD]-} command=${COMP_WORDS[1]-}
    local options='' operands='' name='' offer='' given=' ' ended='' operand_count=0 i
    local taken='' before=''
    local -a awaited=() # for each argument still to come: FILE, what it may be, or nothing

    COMPREPLY=()
    ((COMP_CWORD > 1)) || command=''
    _akin_table "$command"
    for ((i = 2; i < COMP_CWORD; i++)); do
        case $ended${COMP_WORDS[i]} in # bash makes three words of --input=ids, and of cuda:1
        =) ;;
        :) # what was taken goes on
            ((++i < COMP_CWORD)) || before=${COMP_WORDS[i - 2]}:
            ;;
        --) ended=. ;; # from here on, no word looks like an option
        -?*)
            _akin_table "$command ${COMP_WORDS[i]}"
            given+="$name "
            ;;
        *)
            taken=''
            if ((${#awaited[@]} > 0)); then
                taken=${awaited[0]}
                awaited=("${awaited[@]:1}")
            else
                ((operand_count++))
            fi
            ;;
        esac
    done
    [[ $word != '=' ]] || word=''
    if [[ $word == ':' ]]; then # bash takes the colon for the word, and what follows it to be empty
        before=${COMP_WORDS[COMP_CWORD - 1]}:
        word=''
    fi
    if [[ $operands == *' FILE' ]]; then # words first, then files
        ((operand_count == 0)) && operands=${operands% FILE} || operands=FILE
    fi

    if [[ -n $before ]]; then
        offer=$(_akin_behind "$before" "$taken")
    elif ((${#awaited[@]} > 0)); then
        offer=${awaited[0]}
    elif [[ -z $ended && ($word == -* || (-z $operands || $operands != FILE && $operand_count -gt 0)) ]]; then
        for name in $options; do
            [[ $given == *" $name "* ]] || offer+=" $name"
        done
    elif [[ $operands == FILE || $operand_count -eq 0 ]]; then
        offer=$operands
    fi
    if [[ $offer == FILE ]]; then
        compopt -o bashdefault -o default # bash completes names of files where there is no reply
        return 0
    fi
    mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$word")
    [[ ${COMPREPLY[0]-} != *: ]] || compopt -o nospace
}

complete -F _akin akin
