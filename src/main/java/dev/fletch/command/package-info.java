// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// The `fletch` command. Not exported: its interface is the command line, its output and its exit
/// statuses.
///
/// **Belongs here**: options, and output for people and programs (tables, JSON, HTML pages, one
/// line on standard error per failure).
///
/// **Does not**: knowledge of the format, and work on inputs. A command calls a lower layer for
/// that: [dev.fletch.verify], [dev.fletch.convert], [dev.fletch.input] or the exported packages.
///
/// **Threads.** A command with several inputs processes them on several threads: see
/// `OrderedOutput` in [dev.fletch.command.io]. [Progress][dev.fletch.command.io.Progress] has a
/// thread of its own.
///
/// `FlatbufferWalk`, the parser of `fletch annotate`, is here and not in `format`. It uses the
/// rules of [ArrowRules][dev.fletch.format.internal.tables.ArrowRules], but allocates an object per
/// region and guesses after damage. No lower layer needs that.
package dev.fletch.command;
