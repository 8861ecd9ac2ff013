# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# The command in a process of its own. Each statement of golden/processes/*.txt is run behind these lines, in a
# folder of its section.

cd "$W/home"
[ ! -e "$W/env" ] || . "$W/env"

fletch() {
    eval "$FLETCH" '"$@"'
}

# Copies samples.
sample() {
    for each; do cp "$REPOSITORY/src/test/resources/samples/$each" "$each"; done
}

# Sets a variable for all statements that follow.
with() {
    printf "export %s='%s'\n" "$1" "$2" >>"$W/env"
}

# Prints what a command writes to standard error, its status, and which samples are not what they were.
kept() {
    "$@" 2>"$W/said"
    status=$?
    {
        cat "$W/said"
        echo "$status"
        for each in *.arrow *.stream *.json; do
            [ ! -e "$each" ] || cmp "$each" "$REPOSITORY/src/test/resources/samples/$each"
        done
    } >&2
}

# A name that is not UTF-8, and one that has what Java shows of it.
bad=$(printf '\376.arrow') shown=$(printf '\357\277\275.arrow')

# Prints what bash would offer for the last words of lines.
offered() {
    for line; do
        bash -c '
            source ./script
            compopt() { :; } # what only completion at a prompt may call
            COMP_LINE=$1
            COMP_POINT=${#COMP_LINE}
            COMP_WORDS=($1)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            $(complete -p fletch | sed "s/.*-F \([^ ]*\) .*/\1/")
            echo "$1:" $(printf "%s\n" "${COMPREPLY[@]}" | sort -u)' bash "$line"
    done
}

# Types lines behind `fletch` at a prompt, and prints the arguments of these calls.
prompt() {
    {
        echo 'source ./script; fletch() { echo "[$*]"; }'
        for line; do printf "fletch $line\n"; done
        echo exit
    } | TERM=dumb INPUTRC=/dev/null script -qec 'bash --norc --noprofile -i' /dev/null | tr -d '\r' | grep '^\['
}
