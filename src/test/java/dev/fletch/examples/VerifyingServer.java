// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.ipc.ReadOptions;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;

/// Verifies what a Flight server receives, before Flight's own code sees it. The messages of the
/// service must be input streams.
public class VerifyingServer implements ServerInterceptor {
    private static final Set<String> RECEIVING = Set.of("DoPut", "DoExchange");
    private final ReadOptions options;

    public VerifyingServer(ReadOptions options) {
        this.options = options;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> flight) {
        if (!RECEIVING.contains(call.getMethodDescriptor().getBareMethodName())) {
            return flight.startCall(call, headers);
        }
        var verifier = new FlightVerifier(options);
        var answers = new Answers<>(call);
        return new ForwardingServerCallListener<>() {
            private ServerCall.Listener<Q> receiver = flight.startCall(answers, headers);

            @Override
            protected ServerCall.Listener<Q> delegate() {
                return receiver;
            }

            @Override
            @SuppressWarnings("unchecked") // it is an input stream, too
            public void onMessage(Q message) {
                Q verified;
                try {
                    verified = (Q) verifier.verified((InputStream) message);
                } catch (StatusRuntimeException e) {
                    answers.close(e.getStatus(), new Metadata());
                    receiver.onCancel();
                    receiver = new ServerCall.Listener<>() {}; // Flight sees no more of this call
                    return;
                }
                receiver.onMessage(verified);
            }
        };
    }

    /// Ends once: Flight answers from another thread, and does not know of a refusal yet.
    private static class Answers<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private boolean isClosed;

        Answers(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!isClosed) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(R message) {
            if (!isClosed) {
                super.sendMessage(message);
                return;
            }
            try {
                ((InputStream) message).close(); // frees its buffers
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (!isClosed) {
                isClosed = true;
                super.close(status, trailers);
            }
        }

        @Override
        public synchronized boolean isCancelled() {
            return isClosed || super.isCancelled();
        }
    }
}
