# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# A small world for the launcher: a clone with a copy of it, JDKs and a Maven that are shell scripts, and
# nothing of this machine but the tools that the launcher calls. Each statement of golden/launcher/*.txt is
# run behind these lines, in the folder home of $W.

bin=$W/bin clone="$W/a clone" home=$W/home system=$W/system
target=$clone/target jar=$clone/target/fletch-9-cli.jar jvms=$system/usr/lib/jvm
export CALLS="$W/calls" JAR="$W/good.jar"
[ ! -e "$W/env" ] || . "$W/env"
cd "$home"

# Writes a program.
executable() {
    mkdir -p "${1%/*}"
    cat >"$1"
    chmod +x "$1"
}

# Sets a variable for all statements that follow.
with() {
    printf "export %s='%s'\n" "$1" "$2" >>"$W/env"
}

# A JDK that has to be asked for its version. It prints its name and the arguments of the command.
asked_jdk() {
    executable "$1/bin/java" <<END
#!/bin/sh
echo "java \$1" >>"\$CALLS"
case \$1 in
    -version) echo 'openjdk version "$2" 2025-09-16' >&2; exit 0 ;;
    -XshowSettings:properties) echo '    java.home = $1' >&2; exit 0 ;;
    -XX:AOTCacheOutput=*)
        echo noise
        echo noise >&2
        [ -z "\${STUB_NO_CACHE:-}" ] || exit 1
        printf cache >"\${1#*=}"
        exit 0 ;;
esac
echo "LC_ALL=\${LC_ALL:-}" >'$W/locale'
: >'$W/options'
printf 'jdk=${1##*/}'
last=
for argument in "\$@"; do
    case \$last in
        command) printf ' [%s]' "\$argument" ;;
        -jar) last=command ;;
        *) printf '[%s]\n' "\$argument" >>'$W/options'; last=\$argument ;;
    esac
    case \$argument in dev.fletch.*) last=command ;; esac
done
echo
if [ -n "\${STUB_READS:-}" ]; then
    true 2>/dev/null 3<&0 || echo "input closed"
    cat 2>/dev/null || echo "input failed"
fi
true 2>/dev/null 3>&1 || echo "output closed" >&2
exit "\${STUB_STATUS:-0}"
END
    executable "$1/bin/javac" </dev/null
}

# A JDK whose release file names its version.
jdk() {
    asked_jdk "$1" "$2"
    printf 'IMPLEMENTOR="Stub"\nJAVA_VERSION="%s"\nOS_NAME="Any"\n' "$2" >"$1/release"
}

# Puts a link to the `java` of a JDK on the PATH, as Debian's alternatives do.
on_path() {
    ln -s "$1/bin/java" "$home/alternative"
    ln -s "$home/alternative" "$bin/java"
}

# Builds a jar where it is told to, or a class path, or fails, after having printed something.
maven() {
    executable "$bin/mvn" <<'END'
#!/bin/sh
echo "mvn $JAVA_HOME" >>"$CALLS"
echo "maven speaks"
for argument in "$@"; do
    case $argument in
        -Dbuild.folder=*) out=${argument#-Dbuild.folder=} ;;
        -Dmdep.outputFile=*) libraries=${argument#-Dmdep.outputFile=} ;;
    esac
done
mkdir -p "$out"
if [ -n "${libraries:-}" ]; then
    [ -z "${STUB_BROKEN:-}" ] || exit 1
    printf '/a library.jar:/b.jar' >"$libraries"
    exit 0
fi
printf PK >"$out/fletch-9-cli.jar"
sleep "${STUB_SECONDS:-0}"
[ -z "${STUB_BROKEN:-}" ] || exit 1
cp "$JAR" "$out/fletch-9-cli.jar"
END
}

# A command that is built and newer than every source.
built() {
    mkdir "$target"
    cp "$JAR" "$jar"
    touch -t 202601010100 "$jar"
    find "$clone/src" "$clone/pom.xml" -exec touch -t 202601010000 {} +
}

# The system says which characters a locale has, and which locales there are.
locales() {
    executable "$bin/locale" <<'END'
#!/bin/sh
echo locale >>"$CALLS"
case $1 in
    charmap) echo "${STUB_CHARMAP}" ;;
    -a) printf '%s\n' $STUB_LOCALES ;;
esac
END
}

# Runs the command, and prints the locale of the JVM.
locale_of() {
    fletch "$@" >"$W/out"
    cat "$W/locale"
}

# The sample that the AOT cache is made with; without it the launcher makes none.
sample() {
    mkdir -p "$clone/src/test/resources/samples"
    echo sample >"$clone/src/test/resources/samples/trades.arrow"
}

# Writes a line for each checksum that is computed.
sums() {
    printf '#!/bin/sh\necho >>"%s"\nexec %s\n' "$W/sums" "$(command -v cksum)" |
        executable "$bin/cksum"
}

# While the first checksum is computed, a parallel start moves its own cache into place.
parallel_start() {
    sum=$(printf other | cksum)
    printf '#!/bin/sh\n[ -e "%s" ] || printf other >"%s%s.aot"\necho >>"%s"\nexec %s\n' \
        "$W/sums" "${jar%.jar}.25_" "${sum%% *}" "$W/sums" "$(command -v cksum)" |
        executable "$bin/cksum"
}

# A real JDK, and a command that prints its arguments in the place of the real one.
real_jvm() {
    with JAVA_HOME "$JDK"
    cat >Main.java <<'END'
package dev.fletch.command;
class Main {
    public static void main(String[] arguments) {
        System.out.println(java.util.Arrays.toString(arguments));
    }
}
class Training {
    public static void main(String[] files) {
        Main.main(files);
    }
}
END
    "$JDK/bin/javac" -d classes Main.java
    "$JDK/bin/jar" --create --file="$jar" --main-class=dev.fletch.command.Main -C classes .
    touch -t 202601010100 "$jar"
}

# Changes 30 bytes of each cache.
damage_caches() {
    for each in "$target"/*.aot; do
        size=$(wc -c <"$each")
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
            printf '\125' |
                dd of="$each" bs=1 seek=$((i * 7927 * 7919 % size)) conv=notrunc 2>"$W/dd"
        done
    done
}

# Runs a program with the tools of the world alone.
start() { (
    PATH=$bin
    exec "$@"
); }

fletch() {
    start "$clone/fletch" "$@"
}

# Prints how many calls of Maven there were.
builds() {
    grep -c '^mvn ' "$CALLS" || :
}

# Prints how many caches were made, and their names with their sizes.
caches() {
    grep -c 'java -XX:AOTCacheOutput=' "$CALLS" || :
    find "$target" -name '*.aot' -exec wc -c {} ';' | sed 's/^ *//; s|/[^ ]*/|/|; s/-[^ ]*/-….aot/'
}

# Prints whether the JVM was started with an option that matches.
option() {
    grep -c -- "$1" "$W/options" || :
}

# Prints the arguments if the launcher chooses the first compiler alone for them.
first_alone() { (
    . "$clone/src/dist/lib/start.sh"
    set_compiler "$@"
    [ -z "$compiler" ] || echo "$*"
); }

if [ ! -e "$bin" ]; then
    mkdir -p "$bin" "$system" "$clone/src/main/java" "$clone/src/dist/lib"
    # Scripts, no links: "sums" replaces one, and would write to the file of the system.
    for tool in sh cat cksum cp find mkdir mktemp mv readlink rm sed sleep tail touch tr; do
        printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v $tool)" >"$bin/$tool"
    done
    chmod +x "$bin"/*
    # The copy differs in one line: the system's folders are the world's own.
    sed "s|^system=\$|system='$system'|" "$REPOSITORY/fletch" | executable "$clone/fletch"
    cp "$REPOSITORY/src/dist/lib/start.sh" "$clone/src/dist/lib"
    echo '<project/>' >"$clone/pom.xml"
    echo 'class A {}' >"$clone/src/main/java/A.java"
    { printf 'PK\005\006'; head -c 18 /dev/zero; } >"$JAR"
fi
