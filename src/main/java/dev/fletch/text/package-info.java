// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
/// How texts of others are shown, and what an optional library's are worth. Not exported.
///
/// **Belongs here**: what several packages need to quote a name or a value in a message: shortened,
/// and harmless on a terminal; and what to say for Jackson.
///
/// **Does not**: messages themselves, and anything of Arrow.
///
/// **Threads.** Its methods are static and may be used by any number of threads.
package dev.fletch.text;
