// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.VerifierOptions;

import java.util.Objects;

/// What metadata must pass when it is opened: by an [EncapsulatedMessage] that wraps memory,
/// by a [MessageReader], and by an [ArrowFile], for its footer and for all messages opened by it.
///
/// Immutable; any number of threads may share one.
///
/// @param verification how much is verified
/// @param verifierOptions limits and rules of the verifier
/// @param refusesForeignEndianness whether a schema is refused whose bodies are not little-endian:
///     of a file that in the footer and that in front, both when the file is opened.
///     Without it they are opened, and [ArrowFile#endianness] or [MessageReader#endianness] tells
/// @param knownSchemas schemas that need not be verified again, shared by readers; null if there are
///     none. It changes no verdict
public record ReadOptions(
        Verification verification,
        VerifierOptions verifierOptions,
        boolean refusesForeignEndianness,
        KnownSchemas knownSchemas) {

    /// Verifies everything by the rules and limits of Arrow C++, and takes bodies of any byte
    /// order.
    public static final ReadOptions DEFAULT =
            new ReadOptions(Verification.FULL, VerifierOptions.ARROW_CPP, false);

    /// Makes options.
    ///
    /// @throws NullPointerException if `verification` or `verifierOptions` is null
    public ReadOptions {
        Objects.requireNonNull(verification, "verification");
        Objects.requireNonNull(verifierOptions, "verifierOptions");
    }

    /// Makes options without known schemas.
    ///
    /// @param verification how much is verified
    /// @param verifierOptions limits and rules of the verifier
    /// @param refusesForeignEndianness whether a schema is refused whose bodies are not little-endian
    /// @throws NullPointerException if an argument is null
    public ReadOptions(
            Verification verification,
            VerifierOptions verifierOptions,
            boolean refusesForeignEndianness) {
        this(verification, verifierOptions, refusesForeignEndianness, null);
    }

    /// Returns options that differ in how much is verified.
    ///
    /// @param how how much
    /// @return a copy
    public ReadOptions withVerification(Verification how) {
        return new ReadOptions(how, verifierOptions, refusesForeignEndianness, knownSchemas);
    }

    /// Returns options that differ in the verifier's limits and rules.
    ///
    /// @param rules such as [VerifierOptions#STRICT]
    /// @return a copy
    public ReadOptions withVerifierOptions(VerifierOptions rules) {
        return new ReadOptions(verification, rules, refusesForeignEndianness, knownSchemas);
    }

    /// Returns options that differ in what becomes of bodies in a foreign byte order.
    ///
    /// @param refuse whether to refuse a schema that announces them
    /// @return a copy
    public ReadOptions withRefusesForeignEndianness(boolean refuse) {
        return new ReadOptions(verification, verifierOptions, refuse, knownSchemas);
    }

    /// Returns options that differ in the schemas that need not be verified again.
    ///
    /// @param known a set that any number of readers may share; null for none
    /// @return a copy
    public ReadOptions withKnownSchemas(KnownSchemas known) {
        return new ReadOptions(verification, verifierOptions, refusesForeignEndianness, known);
    }
}
