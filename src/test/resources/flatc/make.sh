#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the JSON documents of this folder and the declarations with flatc into compiled.txt: see README.md.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
declarations=../../../../format

compile() {
    local folder=$1 file=$2 root=$3 json
    for json in "$folder"/*.json; do
        run "$json plain" -b
        run "$json forced" -b --force-defaults
    done
}

# Adds a line to the output: a name, and in base 64 what flatc makes with these options.
run() {
    local name=$1
    shift
    quietly flatc "$@" --root-type "org.apache.arrow.flatbuf.$root" -o "$scratch" \
        "$declarations/$file" "$json"
    echo "$name $(base64 -w 0 "$scratch"/*.bin)"
    rm "$scratch"/*.bin
}

# Prints what a command prints only if it fails: flatc warns of the names of the declarations.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; return 1; }
}

flatc --version
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
exec >compiled.txt
compile schema Schema.fbs Schema
compile message Message.fbs Message
compile footer File.fbs Footer
compile tensor Tensor.fbs Tensor
compile sparse_tensor SparseTensor.fbs SparseTensor

# For each file: its name, its SHA-256, and flatc's reflection data in base 64.
for name in Schema Message File Tensor SparseTensor; do
    file=$declarations/$name.fbs
    quietly flatc -b --schema -o "$scratch" "$file"
    echo "$name.fbs $(sha256sum <"$file" | cut -d ' ' -f 1) $(base64 -w 0 "$scratch/$name.bfbs")"
done
