// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import com.google.protobuf.UnsafeByteOperations;

import dev.fletch.FletchException;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReceiver;
import dev.fletch.ipc.ReadOptions;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.apache.arrow.flight.impl.Flight.FlightData;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Verifies the messages of one call of Arrow Flight: header and body of each `FlightData`.
public class FlightVerifier {
    private final BatchReceiver receiver;
    private StatusRuntimeException refusal;

    public FlightVerifier(ReadOptions options) {
        receiver = Arrow.receive(options);
    }

    /// Returns the same bytes, if they are sound.
    public InputStream verified(InputStream message) {
        if (refusal != null) {
            throw refusal;
        }
        try {
            byte[] bytes = message.readAllBytes();
            var input = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
            input.enableAliasing(true); // header and body are not copied
            var data = FlightData.parseFrom(input);
            input.checkLastTagWas(0);
            if (!data.getUnknownFields().asMap().isEmpty()) {
                throw new IOException("unknown field"); // Flight reads its bytes as fields
            }
            var header = data.getDataHeader().asReadOnlyByteBuffer();
            var body = data.getDataBody().asReadOnlyByteBuffer();
            if (header.hasRemaining()) {
                receiver.receive(header, body);
            } else if (body.hasRemaining()) {
                throw new IOException("body without header");
            }
            return new ByteArrayInputStream(bytes);
        } catch (FletchException | IOException e) {
            var status = Status.INVALID_ARGUMENT.withDescription(e.getMessage()).withCause(e);
            throw refusal = status.asRuntimeException();
        }
    }

    /// Returns why a message was refused; if none was, the call's own end.
    public Status status(Status ofCall) {
        return refusal == null ? ofCall : refusal.getStatus();
    }
}
