// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// A module that needs nothing but the library.
module consumer {
    requires dev.fletch;
}
