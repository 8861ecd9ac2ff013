// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

/// How much metadata is verified when it is opened. No level reads outside the input: faults in
/// unverified metadata throw later, when a flyweight reads them.
public enum Verification {
    /// Verifies each message and a file's footer completely when it is opened. The default.
    FULL,

    /// Verifies messages as [#FULL] does. Of a file's footer it verifies the footer table, the
    /// schema table and the blocks, so that opening takes the same time for any number of columns.
    /// [ArrowFile#verified] verifies one column (`Field`) or `KeyValue` with its descendants.
    TOUCHED,

    /// Requires nothing to be valid. Batch messages may be verified nevertheless, without effect on
    /// the result.
    NONE
}
