# What completes akin's command lines in bash. What there is to offer, _akin_table knows, which comes before this.
# shellcheck shell=bash

# Goes through the words before the one to be completed, as akin will, and so finds out what is expected next.
_akin()
{
    local word=${COMP_WORDS[COMP_CWORD]-} command=${COMP_WORDS[1]-}
    local options='' operands='' name='' offer='' given=' ' ended='' operand_count=0 i
    local -a awaited=() # for each argument still to come: FILE, what it may be, or nothing

    COMPREPLY=()
    [[ $word != ':' ]] || return 0
    [[ $word != '=' ]] || word=''
    ((COMP_CWORD > 1)) || command=''
    _akin_table "$command"
    for ((i = 2; i < COMP_CWORD; i++)); do
        case $ended${COMP_WORDS[i]} in # bash makes three words of --input=ids, and of cuda:1
        =) ;;
        :) ((i++)) ;;
        --) ended=. ;; # from here on, no word looks like an option
        -?*)
            _akin_table "$command ${COMP_WORDS[i]}"
            given+="$name "
            ;;
        *)
            if ((${#awaited[@]} > 0)); then
                awaited=("${awaited[@]:1}")
            else
                ((operand_count++))
            fi
            ;;
        esac
    done
    ((i == COMP_CWORD || COMP_CWORD < 2)) || return 0

    if ((${#awaited[@]} > 0)); then
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
