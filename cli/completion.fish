
# What the rules above ask.

# Whether the word to be completed is the first one: a command.
function __akin_first
    test (count (commandline -opc)) -eq 1
end

# Whether it is the word of that number.
function __akin_at
    test (count (commandline -opc)) -eq (math $argv[1] - 1)
end

# Whether the command is that one.
function __akin_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Whether an option was given before, other than just now: then its argument is to be completed.
function __akin_given
    contains -- $argv[1] (string replace -r -- '=.*' '' (commandline -opc)[1..-2])
end

complete -c akin -n '__akin_first; or __akin_is help' -f
