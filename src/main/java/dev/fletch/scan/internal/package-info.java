// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// What each byte of an input is for, and the bytes, rows and nulls of its fields. Not exported.
///
/// **Belongs here**: numbers from headers. Bodies are not read.
///
/// **Does not**: output.
package dev.fletch.scan.internal;
