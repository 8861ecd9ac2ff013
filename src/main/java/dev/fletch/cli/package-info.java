// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The `fletch` command. Not exported: its interface is the command line.
///
/// What takes a flatbuffer apart for `fletch annotate` ([BufferWalk][dev.fletch.cli.BufferWalk]) is
/// here and not in `format`: it goes by the rules that `format` has, [as data][dev.fletch.format.ArrowRules],
/// but allocates an object per region, guesses behind damage, and speaks to a person. Nothing below
/// needs that.
package dev.fletch.cli;
