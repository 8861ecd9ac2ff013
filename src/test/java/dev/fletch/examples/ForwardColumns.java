// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// Sends two columns of a file or stream to a socket. Arguments: file, host and port.
public class ForwardColumns {
    public static void main(String[] args) throws Exception {
        var server = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        try (var in = Arrow.open(Path.of(args[0]));
                var out = Arrow.forward(in, SocketChannel.open(server), "symbol", "price")) {
            while (in.nextHeader()) {
                out.write();
            }
            out.finish();
        }
    }
}
