#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the streams and files of this folder anew, with the Arrow C++ library that a release of
# pyarrow brings along. Needs python3 with venv and pip, and g++ with C++20.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

version=25.0.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q "pyarrow==$version"
"$scratch/venv/bin/python" make.py

pyarrow=$("$scratch/venv/bin/python" -c 'import pyarrow; print(pyarrow.get_include() + "/..")')
ln -sf "$(basename "$pyarrow"/libarrow.so.*)" "$pyarrow/libarrow.so"
g++ -std=c++20 tensors.cc -I"$pyarrow/include" -L"$pyarrow" -larrow \
    -Wl,-rpath,"$pyarrow" -o "$scratch/tensors"
"$scratch/tensors" .
