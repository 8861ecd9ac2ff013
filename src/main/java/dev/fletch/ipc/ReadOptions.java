// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.VerifierOptions;

import java.util.Objects;

/// What metadata must pass when it is opened: by an [EncapsulatedMessage] that wraps memory,
/// by a [MessageReader], and by an [ArrowFile], for its footer and for all messages that it opens.
///
/// Immutable; any number of threads may share one.
///
/// @param verification how much is verified
/// @param verifierOptions limits and rules of the verifier
/// @param refusesForeignEndianness whether a schema is refused whose bodies are not little-endian:
///     that of a file's footer when the file is opened, and that of each schema message
/// @param knownSchemas schemas that need not be verified again, shared by readers; null if there are
///     none. It changes no verdict
public record ReadOptions(
        Verification verification,
        VerifierOptions verifierOptions,
        boolean refusesForeignEndianness,
        KnownSchemas knownSchemas) {

    /// Verifies everything by the rules and limits of Arrow C++, and accepts bodies of any byte order.
    public static final ReadOptions DEFAULT =
            new ReadOptions(Verification.FULL, VerifierOptions.ARROW_CPP, false, null);

    /// Makes options.
    ///
    /// @throws NullPointerException if `verification` or `verifierOptions` is null
    public ReadOptions {
        Objects.requireNonNull(verification, "verification");
        Objects.requireNonNull(verifierOptions, "verifierOptions");
    }

    /// {@return a copy with another [#verification]}
    ///
    /// @param how how much is verified
    public ReadOptions withVerification(Verification how) {
        return new ReadOptions(how, verifierOptions, refusesForeignEndianness, knownSchemas);
    }

    /// {@return a copy with other [#verifierOptions]}
    ///
    /// @param rules such as [VerifierOptions#STRICT]
    public ReadOptions withVerifierOptions(VerifierOptions rules) {
        return new ReadOptions(verification, rules, refusesForeignEndianness, knownSchemas);
    }

    /// {@return a copy with another [#refusesForeignEndianness]}
    ///
    /// @param refuse whether to refuse a schema whose bodies are not little-endian
    public ReadOptions withRefusesForeignEndianness(boolean refuse) {
        return new ReadOptions(verification, verifierOptions, refuse, knownSchemas);
    }

    /// {@return a copy with other [#knownSchemas]}
    ///
    /// @param known a set that any number of readers may share; null for none
    public ReadOptions withKnownSchemas(KnownSchemas known) {
        return new ReadOptions(verification, verifierOptions, refusesForeignEndianness, known);
    }
}
