// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Files of which only ranges are read, and the requests for them. Not exported.
package dev.fletch.remote.internal;
