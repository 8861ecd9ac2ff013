# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# What the launchers of a clone and of the distribution share: how they start the JVM.

# The AOT cache must be created and used with the same collector. This one starts fastest, and matches the
# others for small, short-lived objects.
collector=-XX:+UseSerialGC

# Java decodes file names by the locale. If the locale is ASCII only and a name is not, or that of the
# working folder or of $folder, uses a UTF-8 locale. With -r, names of files in folders may not be.
set_locale() {
    case " $*$folder$PWD" in *[![:print:]]* | *' -r'* | *' --rec'*)
        case $(locale charmap 2>/dev/null) in ANSI_X3.4-1968 | US-ASCII | 646)
            for candidate in $(locale -a 2>/dev/null | LC_ALL=C sed -n '/^C\.[Uu][Tt][Ff]-*8$/p; /^en_US\.[Uu][Tt][Ff]-*8$/p'); do
                LC_ALL=$candidate
                export LC_ALL
                break
            done ;;
        esac ;;
    esac
}

# Whether the cache $1 has the checksum in its name, which begins with $2: the JVM crashes if the cache is
# damaged. Its own check, -XX:+VerifySharedSpaces, takes much longer. An empty file beside the cache says
# that it was sound; a later change of the cache makes it newer than that file.
is_sound() {
    mark=${1%.aot}.sound
    [ "$mark" -nt "$1" ] && return
    sum=$(cksum <"$1") && [ "$1" = "$2${sum%% *}.aot" ] || return 1
    : >"$mark" || :
} 2>/dev/null

# Sets $compiler to the JVM's option for the first compiler alone where these arguments end sooner with it:
# headers of several files, and conversions that read no values. The second compiler's code pays off for
# values, and for streams of very many batches: only a file of 64 MiB can be such a stream.
set_compiler() {
    compiler=
    inputs=0
    case ${1:-} in
        convert) ;;
        count | ls | schema | columns | verify) inputs=1 ;;
        *) return ;;
    esac
    shift
    for each; do
        shift
        case $each in
            --values* | --unused | --column | --column=*) return ;;
            --salvage | --clear-unused | --sound-columns) return ;;
            -r | --recursive) inputs=2 ;;
            -* | *://*) ;;
            *) [ ! -e "$each" ] || set -- "$@" "$each" ;;
        esac
    done
    if [ $inputs -gt 0 ]; then
        [ $inputs -gt 1 ] || [ $# -gt 1 ] || return
        [ $# -gt 0 ] && [ -z "$(find -L "$@" -type f -size +131071 -print -quit 2>/dev/null)" ] || return
    fi
    compiler=-XX:TieredStopAtLevel=1
}

# Runs the command with the JDK in $1, the jar $2 and the AOT cache $3, which may be empty, and the
# arguments behind them. Does not return.
start() {
    jdk=$1
    jar=$2
    cache=$3
    shift 3
    # The JVM does not start in a folder that was deleted. "pwd" starts a process.
    [ . -ef "${PWD:-}" ] || [ -n "$(pwd -P 2>/dev/null)" ] || fail "the working folder was deleted"
    set_locale "$@"
    set_compiler "$@"

    # Java itself does not read TMPDIR.
    temporary=
    [ -n "${TMPDIR:-}" ] && [ -d "$TMPDIR" ] && temporary=-Djava.io.tmpdir=$TMPDIR

    # If standard input is closed, the JVM would open one of its own files under that descriptor, and the
    # command would read it. A descriptor open only for writing fails to read, as a closed one should. The
    # same for standard output.
    true 2>/dev/null 3<&0 || exec 0>/dev/null
    true 2>/dev/null 3>&1 || exec 1</dev/null
    true 3>&2 || exec 2>/dev/null

    if [ -n "$cache" ]; then
        set -- -XX:AOTCache="$cache" -Xlog:disable --enable-native-access=ALL-UNNAMED -cp "$jar" dev.fletch.command.Main "$@"
    else
        set -- -jar "$jar" "$@"
    fi
    exec "$jdk/bin/java" $collector ${compiler:+"$compiler"} ${temporary:+"$temporary"} "$@"
}
