#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the JSON documents of this folder with flatc: see README.md.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
declarations=../../../../format

compile() {
    local folder=$1 file=$2 root=$3 json
    for json in "$folder"/*.json; do
        flatc -b --root-type "org.apache.arrow.flatbuf.$root" -o "$folder" \
            "$declarations/$file" "$json"
        mv "${json%.json}.bin" "${json%.json}.plain"
        flatc -b --force-defaults --root-type "org.apache.arrow.flatbuf.$root" -o "$folder" \
            "$declarations/$file" "$json"
        mv "${json%.json}.bin" "${json%.json}.forced"
    done
}

flatc --version
compile schema Schema.fbs Schema
compile message Message.fbs Message
compile footer File.fbs Footer
compile tensor Tensor.fbs Tensor
compile sparse_tensor SparseTensor.fbs SparseTensor
