// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReceiver;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.Corpus;
import dev.fletch.corpus.CorpusCase;
import dev.fletch.examples.Snippets;
import dev.fletch.examples.VerifyingServer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;

import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.flight.impl.Flight;
import org.apache.arrow.flight.impl.Flight.FlightData;
import org.apache.arrow.flight.impl.FlightServiceGrpc;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// The interceptors of the page about Flight, in front of Flight's own server and client. Peers
/// that send what Flight's writers do not are gRPC's plain stubs.
@SuppressWarnings({"deprecation", "try"}) // Flight's handler; its streams may be interrupted
class FlightExampleTest {
    private static final int MOST_BYTES = 16 << 20;
    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED
                    .withLimits(Limits.DEFAULT.withBodyBytes(MOST_BYTES))
                    .withDecompressedBytes(MOST_BYTES);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final RootAllocator allocator = new RootAllocator();
    // For exchanges that are cancelled, whose memory Flight frees while the producer uses it.
    private final RootAllocator unchecked = new RootAllocator();
    private final Producer producer = new Producer();
    private final List<Server> servers = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    // ---- Flight's servers and clients

    /// Reads what is put, by its descriptor, and sends back what is exchanged.
    private static final class Producer extends NoOpFlightProducer {
        final Map<String, String> puts = new ConcurrentHashMap<>();

        @Override
        public Runnable acceptPut(
                CallContext context, FlightStream stream, StreamListener<PutResult> answers) {
            return () -> {
                stream.getRoot(); // throws if there is none; the descriptor would be waited for
                puts.put(stream.getDescriptor().getPath().getFirst(), text(stream));
                answers.onCompleted();
            };
        }

        @Override
        public void doExchange(
                CallContext context, FlightStream stream, ServerStreamListener writer) {
            while (stream.next()) {
                if (!stream.hasRoot()) {
                    continue;
                }
                writer.start(stream.getRoot(), stream.getDictionaryProvider());
                do {
                    writer.putNext();
                } while (stream.next());
            }
            writer.completed();
        }
    }

    /// All that Flight has read of a stream.
    private static String text(FlightStream stream) {
        StringBuilder text = new StringBuilder();
        while (stream.next()) {
            ArrowBuf metadata = stream.getLatestMetadata();
            text.append(metadata == null ? null : metadata.nioBuffer().remaining()).append(' ');
            if (stream.hasRoot()) {
                text.append(stream.getRoot().getSchema()).append(stream.getRoot().getRowCount());
                stream.getRoot().getFieldVectors().forEach(each -> append(each, text));
                DictionaryProvider dictionaries = stream.getDictionaryProvider();
                dictionaries.getDictionaryIds().stream()
                        .sorted()
                        .forEach(id -> append(dictionaries.lookup(id).getVector(), text));
            }
        }
        return text.toString();
    }

    private static void append(FieldVector vector, StringBuilder text) {
        text.append('\n').append(vector.getName()).append(": ");
        for (int row = 0; row < vector.getValueCount(); row++) {
            Object value = vector.getObject(row);
            text.append(value instanceof byte[] b ? Arrays.toString(b) : value).append(' ');
        }
    }

    private ServerServiceDefinition service() {
        return FlightGrpcUtils.createFlightService(
                        allocator, producer, ServerAuthHandler.NO_OP, executor)
                .bindService();
    }

    private int start(ServerServiceDefinition service) throws IOException {
        var builder = NettyServerBuilder.forPort(0).executor(executor).addService(service);
        Server server = builder.maxInboundMessageSize(64 << 20).build().start();
        servers.add(server);
        return server.getPort();
    }

    private int startVerifying() throws IOException {
        return startVerifying(allocator);
    }

    private int startVerifying(RootAllocator memory) throws IOException {
        Server server = Snippets.flightServer(memory, producer, executor, 0, OPTIONS).start();
        servers.add(server);
        return server.getPort();
    }

    private ManagedChannel channel(int port) {
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("localhost", port)
                        .usePlaintext()
                        .maxInboundMessageSize(64 << 20)
                        .build();
        open.add(channel::shutdownNow);
        return channel;
    }

    private FlightClient client(int port) {
        FlightClient client = Snippets.flightClient(allocator, port, OPTIONS);
        open.add(client);
        return client;
    }

    /// A server that answers each call with the same messages.
    private int startSending(List<FlightData> messages) throws IOException {
        return start(
                new FlightServiceGrpc.FlightServiceImplBase() {
                    @Override
                    public void doGet(Flight.Ticket ticket, StreamObserver<FlightData> answers) {
                        messages.forEach(answers::onNext);
                        answers.onCompleted();
                    }

                    @Override
                    public StreamObserver<FlightData> doExchange(
                            StreamObserver<FlightData> answers) {
                        messages.forEach(answers::onNext);
                        answers.onCompleted();
                        return ignoring(new CompletableFuture<>());
                    }
                }.bindService());
    }

    /// Flight has freed all memory, also that of calls that were refused.
    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        for (Server each : servers) {
            each.shutdown();
            assertTrue(each.awaitTermination(60, TimeUnit.SECONDS));
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
        allocator.close();
    }

    // ---- messages

    /// The messages of a stream, the first one with a descriptor, each batch with metadata.
    private static List<FlightData> messages(String name, byte[] stream) {
        List<FlightData> messages = new ArrayList<>();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        MemorySegment memory = MemorySegment.ofArray(stream);
        for (long at = 0; frame.wrap(memory, at, message) == FrameKind.MESSAGE; ) {
            at = frame.nextOffset();
            FlightData.Builder data = FlightData.newBuilder();
            if (messages.isEmpty()) {
                data.setFlightDescriptor(
                        Flight.FlightDescriptor.newBuilder()
                                .setType(Flight.FlightDescriptor.DescriptorType.PATH)
                                .addPath(name));
            }
            if (message.headerType() == MessageHeader.RECORD_BATCH) {
                data.setAppMetadata(ByteString.copyFrom(new byte[messages.size()]));
            }
            int metadata = (int) frame.metadataOffset();
            int body = (int) frame.bodyOffset();
            messages.add(
                    data.setDataHeader(ByteString.copyFrom(stream, metadata, body - metadata))
                            .setDataBody(ByteString.copyFrom(stream, body, (int) at - body))
                            .build());
        }
        return messages;
    }

    /// Whether arrow-java reads the first messages of a stream.
    private static boolean isReadByArrowJava(byte[] stream, int messages) {
        try {
            if (messages > 0) {
                ArrowVectorReading.read(OracleListing.only(stream, i -> i.index() < messages));
            }
            return true;
        } catch (RuntimeException | AssertionError _) {
            return false;
        }
    }

    /// The status with which verifying messages ends without gRPC; null if they are sound.
    private static String refusal(List<FlightData> messages) {
        BatchReceiver receiver = Arrow.receive(OPTIONS);
        try {
            for (FlightData each : messages) {
                receiver.receive(
                        each.getDataHeader().asReadOnlyByteBuffer(),
                        each.getDataBody().asReadOnlyByteBuffer());
            }
            return null;
        } catch (FletchException e) {
            return e.getMessage();
        }
    }

    private static <T> StreamObserver<T> ignoring(CompletableFuture<Status> end) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T value) {}

            @Override
            public void onError(Throwable e) {
                end.complete(Status.fromThrowable(e));
            }

            @Override
            public void onCompleted() {
                end.complete(Status.OK);
            }
        };
    }

    /// Sends messages by a plain stub.
    private static Status put(ManagedChannel channel, List<FlightData> messages) throws Exception {
        return sent(messages, FlightServiceGrpc.newStub(channel)::doPut);
    }

    private static Status exchange(ManagedChannel channel, List<FlightData> messages)
            throws Exception {
        return sent(messages, FlightServiceGrpc.newStub(channel)::doExchange);
    }

    private static <T> Status sent(
            List<FlightData> messages, Function<StreamObserver<T>, StreamObserver<FlightData>> call)
            throws Exception {
        CompletableFuture<Status> end = new CompletableFuture<>();
        StreamObserver<FlightData> out = call.apply(ignoring(end));
        for (FlightData each : messages) {
            out.onNext(each);
        }
        out.onCompleted();
        return end.get(60, TimeUnit.SECONDS);
    }

    /// A stream with a batch of one text, whose bytes the offsets leave.
    private static byte[] text(String value, int end) {
        return CaseFile.input(
                "stream <u:Utf8> | batch 1 [1] [- i32(0 %d) \"%s\"]".formatted(end, value));
    }

    // ---- sound streams

    /// What Flight reads without interceptors, it reads behind them: values, dictionaries,
    /// descriptor and application metadata.
    @Test
    void soundStreamsAreReadAsWithoutInterceptors() throws Exception {
        ManagedChannel plain = channel(start(service()));
        ManagedChannel verifying = channel(startVerifying());
        int compared = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            List<FlightData> messages = messages(each.name(), each.stream());
            if (!isReadByArrowJava(each.stream(), messages.size())) {
                continue; // a type without vectors, or compressed, which Flight does not support
            }
            assertTrue(put(plain, messages).isOk(), each.name());
            String expected = producer.puts.remove(each.name());
            Status found = put(verifying, messages);
            assertTrue(found.isOk(), () -> each.name() + ": " + found);
            assertEquals(expected, producer.puts.remove(each.name()), each.name());
            assertEquals(expected, got(startSending(messages), each.name()));
            compared++;
        }
        CaseCount.report("Flight: %d sound streams", compared);
        assertTrue(compared > 30, "" + compared);
    }

    /// What a client that verifies gets.
    private String got(int port, String name) throws Exception {
        FlightClient client = client(port);
        open.remove(client);
        try (client;
                FlightStream stream = client.getStream(new Ticket(name.getBytes(UTF_8)))) {
            return text(stream);
        }
    }

    /// By Flight's own client and server, with dictionaries, in both directions.
    @Test
    void dictionariesAreExchanged() throws Exception {
        FlightClient client = client(startVerifying());
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(TradesSample.stream()), allocator)) {
            FlightDescriptor trades = FlightDescriptor.path("trades");
            try (FlightClient.ExchangeReaderWriter exchange = client.doExchange(trades)) {
                FlightClient.ClientStreamListener out = exchange.getWriter();
                reader.loadNextBatch();
                out.start(reader.getVectorSchemaRoot(), reader);
                do {
                    out.putNext();
                } while (reader.loadNextBatch());
                out.completed();
                List<FlightData> messages = messages("trades", TradesSample.stream());
                messages.replaceAll(each -> each.toBuilder().clearAppMetadata().build());
                assertEquals(got(startSending(messages), "trades"), text(exchange.getReader()));
            }
            AsyncPutListener answers = new AsyncPutListener();
            FlightClient.ClientStreamListener out =
                    client.startPut(trades, reader.getVectorSchemaRoot(), reader, answers);
            out.putNext();
            out.completed();
            answers.getResult();
        }
        assertTrue(producer.puts.get("trades").contains("ALDER"), producer.puts.toString());
    }

    // ---- invalid streams

    private static Map<String, byte[]> invalid() {
        String index =
                """
                let i8 = Int(bitWidth=8 is_signed=1)
                stream <d:Utf8{dictionary=DictionaryEncoding(id=1 indexType=i8)}>
                 | dictionary 1 1 [1] [- i32(0 1) "a"] | batch 1 [1] [- i8(9)]
                """;
        String bomb =
                "stream <u:Utf8> | batch zstd 1 [1] [- i32(0 %d) zeros(%<d)]"
                        .formatted(2 * MOST_BYTES);
        return Map.of(
                "offsets", text("abc", 4),
                "index", CaseFile.input(index),
                "bomb", CaseFile.input(bomb));
    }

    @Test
    void invalidBatchesAreRefusedByTheServer() throws Exception {
        ManagedChannel puts = channel(startVerifying());
        ManagedChannel exchanges = channel(startVerifying(unchecked));
        for (var each : invalid().entrySet()) {
            List<FlightData> messages = messages(each.getKey(), each.getValue());
            for (Status found : List.of(put(puts, messages), exchange(exchanges, messages))) {
                assertEquals(Status.Code.INVALID_ARGUMENT, found.getCode(), found::toString);
                assertEquals(refusal(messages), found.getDescription());
            }
        }
        assertEquals(Map.of(), producer.puts);
    }

    @Test
    void invalidBatchesAreRefusedByTheClient() throws Exception {
        for (var each : invalid().entrySet()) {
            List<FlightData> messages = messages(each.getKey(), each.getValue());
            FlightClient client = client(startSending(messages));
            try (FlightStream got = client.getStream(new Ticket(new byte[1]))) {
                assertRefused(messages, got);
            }
            try (var exchange = client.doExchange(FlightDescriptor.path("x"))) {
                assertRefused(messages, exchange.getReader());
            }
        }
    }

    private static void assertRefused(List<FlightData> messages, FlightStream stream) {
        var e = assertThrows(FlightRuntimeException.class, () -> text(stream));
        assertEquals(FlightStatusCode.INVALID_ARGUMENT, e.status().code());
        assertEquals(refusal(messages), e.status().description());
    }

    /// Flight's own code skips the number of an unknown field, not its bytes: these would be read
    /// instead of what was verified.
    @Test
    void bytesOfUnknownFieldsDoNotReachFlight() throws Exception {
        List<FlightData> messages = messages("hidden", text("abc", 3));
        FlightData sound = messages.getLast();
        byte[] other = sound.getDataBody().toByteArray();
        other[8] = 'x'; // behind the offsets
        ByteString hidden =
                FlightData.newBuilder()
                        .setDataBody(ByteString.copyFrom(other))
                        .build()
                        .toByteString();
        UnknownFieldSet unknown =
                UnknownFieldSet.newBuilder()
                        .addField(
                                15,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(hidden)
                                        .build())
                        .build();
        messages.set(messages.size() - 1, sound.toBuilder().setUnknownFields(unknown).build());

        assertTrue(put(channel(start(service())), messages).isOk());
        assertTrue(producer.puts.remove("hidden").contains("xbc"), "Flight reads the other bytes");
        Status found = put(channel(startVerifying()), messages);
        assertEquals(Status.Code.INVALID_ARGUMENT, found.getCode());
        assertEquals(Map.of(), producer.puts);
    }

    @Test
    void malformedMessagesAreRefused() throws Exception {
        List<FlightData> messages = messages("bare", text("abc", 3));
        FlightData bare = messages.getLast().toBuilder().clearDataHeader().build();
        messages.set(messages.size() - 1, bare);
        Status found = put(channel(startVerifying()), messages);
        assertEquals(Status.Code.INVALID_ARGUMENT, found.getCode());
        assertEquals("body without header", found.getDescription());
    }

    /// Counts the messages that reach Flight.
    private static final class Counting implements ServerInterceptor {
        final AtomicInteger messages = new AtomicInteger();

        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
                @Override
                public void onMessage(Q message) {
                    messages.incrementAndGet();
                    super.onMessage(message);
                }
            };
        }
    }

    /// All streams of the corpus whose frames lead from message to message: exactly the messages
    /// before the first fault reach Flight.
    @Test
    void nothingInvalidOfTheCorpusReachesFlight() throws Exception {
        Counting behind = new Counting();
        ServerServiceDefinition streams = ServerInterceptors.useInputStreamMessages(service());
        ManagedChannel channel =
                channel(
                        start(
                                ServerInterceptors.intercept(
                                        ServerInterceptors.intercept(streams, behind),
                                        new VerifyingServer(OPTIONS))));
        int refused = 0;
        for (CorpusCase each : Corpus.cases()) {
            List<FlightData> messages = messagesOf(each);
            String expected = refusal(messages);
            if (expected == null) {
                continue;
            }
            int sound = messages.size();
            while (refusal(messages.subList(0, sound)) != null) {
                sound--;
            }
            if (!isReadByArrowJava(each.broken(), sound)) {
                continue; // Flight fails before
            }
            refused++;
            behind.messages.set(0);
            Status found = put(channel, messages);
            assertEquals(Status.Code.INVALID_ARGUMENT, found.getCode(), each.file());
            assertEquals(expected, found.getDescription(), each.file());
            assertEquals(sound, behind.messages.get(), each.file());
        }
        CaseCount.report("Flight: %d invalid streams of the corpus refused", refused);
        assertTrue(refused > 300, "" + refused);
    }

    private static List<FlightData> messagesOf(CorpusCase of) {
        try {
            return of.container() == CorpusCase.Container.STREAM
                    ? messages(of.file(), of.broken())
                    : List.of();
        } catch (FletchException _) {
            return List.of(); // the frame or the metadata is invalid
        }
    }
}
