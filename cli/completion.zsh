# What completes the command line itself. What each command takes, the functions _akin_COMMAND know, which come before this.

# Offers words; one that ends in a colon goes on. For cuda:all, also the GPUs that Linux shows.
_akin_words()
{
    local expl word gpu
    local -a ended open
    while [[ $1 == -* ]]; do # of _arguments: how they are offered
        expl+=("$1")
        shift
    done
    for word; do
        [[ $word == *: ]] && open+=("$word") || ended+=("$word")
        if [[ $word == cuda:all ]]; then
            for gpu in /dev/nvidia[1-9]*(N); do
                ended+=("cuda:${gpu#/dev/nvidia}")
            done
        fi
    done
    compadd -- "$ended[@]"
    compadd -S '' -- "$open[@]"
}

_akin_help()
{
    _alternative 'commands:command:_akin_commands' 'tables:table of choices:_akin_tables'
}

_akin()
{
    local curcontext=$curcontext state line
    _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)'{-V,--version}'[print the version]' '1:command:_akin_commands' \
        '*::argument:->argument' && return
    [[ $state == argument ]] || return
    if [[ $words[1] == help ]]; then
        _arguments '1:command:_akin_help'
    elif (( $+functions[_akin_$words[1]] )); then
        _akin_$words[1]
    fi
}

_akin "$@"
