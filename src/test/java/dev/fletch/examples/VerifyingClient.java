// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.ipc.ReadOptions;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

import java.io.InputStream;
import java.util.Set;

/// Verifies what a Flight client receives, before Flight's own code sees it.
public class VerifyingClient implements ClientInterceptor {
    private static final Set<String> RECEIVING = Set.of("DoGet", "DoExchange");
    private final ReadOptions options;

    public VerifyingClient(ReadOptions options) {
        this.options = options;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
            MethodDescriptor<Q, R> method, CallOptions callOptions, Channel next) {
        if (!RECEIVING.contains(method.getBareMethodName())) {
            return next.newCall(method, callOptions);
        }
        var verifier = new FlightVerifier(options);
        var flight = method.getResponseMarshaller();
        var verifying =
                new MethodDescriptor.Marshaller<R>() {
                    @Override
                    public InputStream stream(R message) {
                        return flight.stream(message);
                    }

                    @Override
                    public R parse(InputStream message) {
                        return flight.parse(verifier.verified(message));
                    }
                };
        var verified = method.toBuilder(method.getRequestMarshaller(), verifying).build();
        return new SimpleForwardingClientCall<>(next.newCall(verified, callOptions)) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                var named =
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                super.onClose(verifier.status(status), trailers);
                            }
                        };
                super.start(named, headers);
            }
        };
    }
}
