// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// The peer in C++: what the benchmarks do, done by the code that flatc generates from format/*.fbs.
// One process does one task on the bytes of one file:
//
//   peer read-batch FILE          of a record batch message every node and buffer
//   peer cursor FILE              the same column by column, of texts, three buffers each
//   peer walk-schema FILE         of a schema message all fields: names, types, metadata, children
//   peer find FILE                in a schema message, the last column by its name
//   peer locate FILE              in an Arrow file, the last column by its name, and how many nodes
//                                 and buffers there are before it
//   peer verify FILE              the official verifier on a message
//   peer write-batch FILE         such a message again, from arrays
//   peer write-schema FILE        a schema message again, from its columns' names
//   peer step FILE                through a stream, mapped: each message's kind, sizes and rows
//   peer step-verified FILE       the same, each message verified
//
// Then, until the input ends, it is asked how often to do it. All numbers are little-endian:
//
//   standard input    u32 rounds
//   standard output   u64 checksum of what was read or written, the same as the benchmark's in Java;
//                     u64 nanoseconds that all rounds took
//
// Exit status: 0, or 2 if the arguments or the input are not of this form, or the rounds differ.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "File_generated.h"
#include "Message_generated.h"

namespace {

namespace fb = org::apache::arrow::flatbuf;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

// As Arrow C++ calls it.
constexpr size_t MAX_DEPTH = 128;
constexpr size_t TABLES_PER_BYTE = 8;
constexpr size_t BUILDER_BYTES = 1 << 20;

// Validity, offsets and data.
constexpr size_t TEXT_BUFFERS = 3;

struct Bytes {
    const uint8_t *data;
    size_t size;
};

// ---- reading

uint64_t read_batch(Bytes in) {
    const fb::Message *message = fb::GetMessage(in.data);
    const fb::RecordBatch *batch = message->header_as_RecordBatch();
    const auto *nodes = batch->nodes();
    const auto *buffers = batch->buffers();
    uint64_t sum = static_cast<uint64_t>(message->version()) + message->bodyLength() +
                   batch->length() + nodes->size() + buffers->size();
    for (const fb::FieldNode *node : *nodes) sum += node->length() + node->null_count();
    for (const fb::Buffer *buffer : *buffers) sum += buffer->offset() + buffer->length();
    return sum;
}

// The same column by column, where each one's buffers are those up to the next one's first.
uint64_t by_column(Bytes in, const std::vector<uint32_t> &first) {
    const fb::RecordBatch *batch = fb::GetMessage(in.data)->header_as_RecordBatch();
    const auto *nodes = batch->nodes();
    const auto *buffers = batch->buffers();
    uint64_t sum = batch->length();
    for (size_t i = 0; i + 1 < first.size(); i++) {
        const fb::FieldNode *node = nodes->Get(i);
        sum += node->length() + node->null_count();
        for (uint32_t b = first[i]; b < first[i + 1]; b++) {
            const fb::Buffer *buffer = buffers->Get(b);
            sum += buffer->offset() + buffer->length();
        }
    }
    return sum;
}

// Length, first and last byte.
uint64_t ends(const flatbuffers::String *text) {
    if (text == nullptr || text->size() == 0) return 0;
    const char *bytes = text->c_str();
    const auto size = text->size();
    return size + static_cast<int64_t>(bytes[0]) + static_cast<int64_t>(bytes[size - 1]);
}

uint64_t pairs(const flatbuffers::Vector<Offset<fb::KeyValue>> *all) {
    uint64_t sum = 0;
    if (all != nullptr) {
        for (const fb::KeyValue *pair : *all) sum += ends(pair->key()) + ends(pair->value());
    }
    return sum;
}

uint64_t type_of(const fb::Field *field) {
    uint64_t sum = static_cast<uint64_t>(field->type_type());
    switch (field->type_type()) {
        case fb::Type::Int:
            return sum + field->type_as_Int()->bitWidth() + field->type_as_Int()->is_signed();
        case fb::Type::FloatingPoint:
            return sum + static_cast<uint64_t>(field->type_as_FloatingPoint()->precision());
        case fb::Type::Decimal: {
            const fb::Decimal *decimal = field->type_as_Decimal();
            return sum + decimal->precision() + decimal->scale() + decimal->bitWidth();
        }
        case fb::Type::Date:
            return sum + static_cast<uint64_t>(field->type_as_Date()->unit());
        case fb::Type::Timestamp: {
            const fb::Timestamp *timestamp = field->type_as_Timestamp();
            return sum + static_cast<uint64_t>(timestamp->unit()) + ends(timestamp->timezone());
        }
        default:
            return sum;
    }
}

uint64_t walk_field(const fb::Field *field) {
    uint64_t sum = ends(field->name()) + field->nullable() + type_of(field);
    sum += pairs(field->custom_metadata());
    if (field->children() != nullptr) {
        for (const fb::Field *child : *field->children()) sum += walk_field(child);
    }
    return sum;
}

uint64_t walk_schema(Bytes in) {
    const fb::Message *message = fb::GetMessage(in.data);
    const fb::Schema *schema = message->header_as_Schema();
    uint64_t sum =
        static_cast<uint64_t>(message->version()) + static_cast<uint64_t>(schema->endianness());
    sum += pairs(schema->custom_metadata());
    for (const fb::Field *field : *schema->fields()) sum += walk_field(field);
    return sum;
}

uint64_t find(Bytes in, const std::string &name) {
    const auto *fields = fb::GetMessage(in.data)->header_as_Schema()->fields();
    for (flatbuffers::uoffset_t i = 0; i < fields->size(); i++) {
        const flatbuffers::String *found = fields->Get(i)->name();
        if (found->size() == name.size() &&
            std::memcmp(found->data(), name.data(), name.size()) == 0) {
            return i;
        }
    }
    return UINT64_MAX;
}

// ---- locating

// Behind the footer: its length, and the magic.
constexpr size_t TAIL_BYTES = 10;

const fb::Footer *footer_of(Bytes in) {
    uint32_t length;
    std::memcpy(&length, in.data + in.size - TAIL_BYTES, sizeof length);
    return fb::GetFooter(in.data + in.size - TAIL_BYTES - length);
}

// Of the types that the benchmark WideFile has.
uint64_t buffers_of(fb::Type type) {
    switch (type) {
        case fb::Type::Utf8:
            return 3;
        case fb::Type::Int:
        case fb::Type::FloatingPoint:
        case fb::Type::Bool:
        case fb::Type::List:
            return 2;
        default:
            return UINT32_MAX;
    }
}

void weigh(const fb::Field *field, uint64_t &nodes, uint64_t &buffers) {
    nodes++;
    buffers += buffers_of(field->type_type());
    if (field->children() != nullptr) {
        for (const fb::Field *child : *field->children()) weigh(child, nodes, buffers);
    }
}

// Nodes in the upper half of the sum, buffers in the lower one.
uint64_t locate(Bytes in, const std::string &name) {
    const auto *fields = footer_of(in)->schema()->fields();
    uint64_t nodes = 0;
    uint64_t buffers = 0;
    for (flatbuffers::uoffset_t i = 0; i < fields->size(); i++) {
        const fb::Field *field = fields->Get(i);
        const flatbuffers::String *found = field->name();
        if (found->size() == name.size() &&
            std::memcmp(found->data(), name.data(), name.size()) == 0) {
            return (nodes << 32) + buffers;
        }
        weigh(field, nodes, buffers);
    }
    return UINT64_MAX;
}

// ---- verifying

bool verified(const uint8_t *data, size_t size) {
    flatbuffers::Verifier verifier(data, size, MAX_DEPTH, TABLES_PER_BYTE * size);
    return verifier.VerifyBuffer<fb::Message>(nullptr);
}

// ---- stepping

constexpr size_t PREFIX_BYTES = 8;

// A frame that does not fit ends it, and shows in the sum.
template <bool VERIFIES>
uint64_t step(Bytes in) {
    uint64_t sum = 0;
    size_t at = 0;
    while (in.size - at >= PREFIX_BYTES) {
        uint32_t prefix[2];
        std::memcpy(prefix, in.data + at, sizeof prefix);
        const size_t size = prefix[1];
        if (prefix[0] != UINT32_MAX || size == 0) break;
        at += PREFIX_BYTES;
        if (size > in.size - at || (VERIFIES && !verified(in.data + at, size))) return 0;
        const fb::Message *message = fb::GetMessage(in.data + at);
        const uint64_t body = message->bodyLength();
        sum += static_cast<uint64_t>(message->header_type()) + size + body;
        const fb::RecordBatch *batch = message->header_as_RecordBatch();
        if (batch != nullptr) sum += batch->length();
        at += size;
        if (body > in.size - at) return 0;
        at += body;
    }
    return sum;
}

// ---- writing

struct Batch {
    int64_t rows;
    int64_t body;
    std::vector<fb::FieldNode> nodes;
    std::vector<fb::Buffer> buffers;
};

Batch batch_of(Bytes in) {
    const fb::Message *message = fb::GetMessage(in.data);
    const fb::RecordBatch *batch = message->header_as_RecordBatch();
    Batch taken{batch->length(), message->bodyLength(), {}, {}};
    for (const fb::FieldNode *node : *batch->nodes()) taken.nodes.push_back(*node);
    for (const fb::Buffer *buffer : *batch->buffers()) taken.buffers.push_back(*buffer);
    return taken;
}

void write_batch(FlatBufferBuilder &builder, const Batch &batch) {
    builder.Clear();
    const auto buffers = builder.CreateVectorOfStructs(batch.buffers.data(), batch.buffers.size());
    const auto nodes = builder.CreateVectorOfStructs(batch.nodes.data(), batch.nodes.size());
    const auto header = fb::CreateRecordBatch(builder, batch.rows, nodes, buffers);
    builder.Finish(fb::CreateMessage(builder, fb::MetadataVersion::V5,
                                     fb::MessageHeader::RecordBatch, header.Union(), batch.body));
}

std::vector<std::string> names_of(Bytes in) {
    std::vector<std::string> names;
    for (const fb::Field *field : *fb::GetMessage(in.data)->header_as_Schema()->fields()) {
        names.push_back(field->name()->str());
    }
    return names;
}

// As the benchmark WriteSchema has it: three types in turn, a pair of metadata for every eighth.
Offset<fb::Field> write_field(FlatBufferBuilder &builder, const std::string &text, size_t i) {
    const auto name = builder.CreateString(text);
    fb::Type tag = fb::Type::Utf8;
    Offset<void> type;
    if (i % 3 == 0) {
        tag = fb::Type::Int;
        type = fb::CreateInt(builder, 64, true).Union();
    } else if (i % 3 == 1) {
        tag = fb::Type::Timestamp;
        const auto zone = builder.CreateString("UTC");
        type = fb::CreateTimestamp(builder, fb::TimeUnit::NANOSECOND, zone).Union();
    } else {
        type = fb::CreateUtf8(builder).Union();
    }
    Offset<flatbuffers::Vector<Offset<fb::KeyValue>>> metadata = 0;
    if (i % 8 == 0) {
        const auto key = builder.CreateString("key");
        const auto pair = fb::CreateKeyValue(builder, key, builder.CreateString("value"));
        metadata = builder.CreateVector(&pair, 1);
    }
    return fb::CreateField(builder, name, true, tag, type, 0, 0, metadata);
}

void write_schema(FlatBufferBuilder &builder, const std::vector<std::string> &names,
                  std::vector<Offset<fb::Field>> &fields) {
    builder.Clear();
    for (size_t i = 0; i < names.size(); i++) fields[i] = write_field(builder, names[i], i);
    const auto vector = builder.CreateVector(fields.data(), fields.size());
    const auto schema = fb::CreateSchema(builder, fb::Endianness::Little, vector);
    builder.Finish(fb::CreateMessage(builder, fb::MetadataVersion::V5, fb::MessageHeader::Schema,
                                     schema.Union(), 0));
}

// FNV-1a of what a builder has.
uint64_t hash(const FlatBufferBuilder &builder) {
    uint64_t found = 0xcbf29ce484222325;
    for (size_t i = 0; i < builder.GetSize(); i++) {
        found = (found ^ builder.GetBufferPointer()[i]) * 0x100000001b3;
    }
    return found;
}

// ---- answering

bool read_u32(uint32_t &into) { return std::fread(&into, sizeof into, 1, stdin) == 1; }

// Answers all questions: each is `task` done so many times. `digest` makes the checksum of what the
// last one returned, out of the measured time.
template <typename Task, typename Digest>
int answer(Bytes in, Task task, Digest digest) {
    uint32_t rounds;
    while (read_u32(rounds)) {
        uint64_t last = 0;
        bool same = true;
        const auto start = std::chrono::steady_clock::now();
        for (uint32_t i = 0; i < rounds; i++) {
            // The compiler must not take an answer for that of the next round.
            asm volatile("" : "+r"(in.data), "+r"(in.size) : : "memory");
            const uint64_t now = task(in);
            same &= i == 0 || now == last;
            last = now;
        }
        const auto time = std::chrono::steady_clock::now() - start;
        const uint64_t nanoseconds =
            std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
        const uint64_t out[2] = {digest(last), nanoseconds};
        if (!same || std::fwrite(out, sizeof out, 1, stdout) != 1) return 2;
        if (std::fflush(stdout) != 0) return 2;
    }
    return 0;
}

int run(const std::string &task, Bytes in) {
    const auto itself = [](uint64_t sum) { return sum; };
    if (task == "read-batch") return answer(in, read_batch, itself);
    if (task == "cursor") {
        const auto *nodes = fb::GetMessage(in.data)->header_as_RecordBatch()->nodes();
        std::vector<uint32_t> first(nodes->size() + 1);
        for (size_t i = 0; i < first.size(); i++) first[i] = i * TEXT_BUFFERS;
        return answer(in, [&](Bytes bytes) { return by_column(bytes, first); }, itself);
    }
    if (task == "walk-schema") return answer(in, walk_schema, itself);
    if (task == "step") return answer(in, step<false>, itself);
    if (task == "step-verified") return answer(in, step<true>, itself);
    if (task == "verify") {
        return answer(in, [](Bytes bytes) { return verified(bytes.data, bytes.size); }, itself);
    }
    if (task == "find") {
        const std::string last = names_of(in).back();
        return answer(in, [&](Bytes bytes) { return find(bytes, last); }, itself);
    }
    if (task == "locate") {
        const auto *fields = footer_of(in)->schema()->fields();
        const std::string last = fields->Get(fields->size() - 1)->name()->str();
        return answer(in, [&](Bytes bytes) { return locate(bytes, last); }, itself);
    }
    FlatBufferBuilder builder(BUILDER_BYTES);
    const auto written = [&](uint64_t) { return hash(builder); };
    if (task == "write-batch") {
        const Batch batch = batch_of(in);
        const auto write = [&](Bytes) {
            write_batch(builder, batch);
            return builder.GetSize();
        };
        return answer(in, write, written);
    }
    if (task == "write-schema") {
        const auto names = names_of(in);
        std::vector<Offset<fb::Field>> fields(names.size());
        const auto write = [&](Bytes) {
            write_schema(builder, names, fields);
            return builder.GetSize();
        };
        return answer(in, write, written);
    }
    return 2;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const int file = open(argv[2], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return 2;
    const size_t size = status.st_size;
    void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) return 2;
    return run(argv[1], {static_cast<const uint8_t *>(mapped), size});
}
