// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Events of the JDK's Flight Recorder. Classes call [dev.fletch.events.Events], which needs no
/// module but `java.base`. The events themselves need `jdk.jfr`, which may be absent.
package dev.fletch.events;
