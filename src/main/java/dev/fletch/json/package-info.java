// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Schemas in Arrow's integration JSON, both ways. `jackson-core` is needed here, and may be absent
/// where this package is not used.
package dev.fletch.json;
