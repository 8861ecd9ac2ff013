// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
/// The declarations of `format/*.fbs` as records, read from what flatc made of them. Tests compare
/// hand-written code with these.
package dev.fletch.fbs;
