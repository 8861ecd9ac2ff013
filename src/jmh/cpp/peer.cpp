// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// The peer in C++: the rows of the board, done by the code that flatc generates from format/*.fbs.
// It verifies what Fletch verifies, with the official verifier, each time. One process does one task on
// one file, which is mapped:
//
//   peer next-head FILE           the next batch of a stream, over and over: rows and body length;
//                                 also changing-shapes
//   peer first-batch FILE         the same of the first batch each time
//   peer next-numbers FILE        all its numbers
//   peer next-columns FILE        column by column, of texts, three buffers each
//   peer next-roles FILE          the same
//   peer next-three FILE          three columns: the second, the middle one, the last but one
//   peer step FILE                through a stream: each message's kind, sizes and rows
//   peer first-schema FILE        a schema message in its frame: verified, walked, its plan made
//   peer verify-schema FILE       the same, verified
//   peer walk-schema FILE         the same, walked
//   peer plan-schema FILE         the same, its plan made
//   peer same-schema FILE         the same, verified and walked
//   peer find-column FILE         in an Arrow file, the last column by its name, in a batch
//   peer place-column FILE        the same by a plan
//   peer plan-columns FILE        of an Arrow file, the plan
//   peer open FILE                maps an Arrow file, verifies its footer, walks its schema
//   peer open-column FILE         maps it, verifies its footer, then as find-column
//   peer small-file FILE          maps it, verifies its footer and batches, reads their rows
//   peer write-batch FILE         a record batch message again, from arrays; also write-template
//   peer write-schema FILE        a schema message again, from its columns' names
//
// Then, until the input ends, it is asked how often to do it. All numbers are little-endian:
//
//   standard input    u32 rounds
//   standard output   u64 the sum of what the rounds have returned, the same as the benchmark's in
//                     Java; of writing tasks a hash of what was written last;
//                     u64 nanoseconds that all rounds took
//
// A stream is read from its start for each question. Exit status: 0, or 2 if the arguments are wrong
// or the input is damaged.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
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

constexpr size_t PREFIX_BYTES = 8;

struct Bytes {
    const uint8_t *data;
    size_t size;
};

// ---- verifying

bool verified(const uint8_t *data, size_t size) {
    flatbuffers::Verifier verifier(data, size, MAX_DEPTH, TABLES_PER_BYTE * size);
    return verifier.VerifyBuffer<fb::Message>(nullptr);
}

// What a task returns of damaged input, which ends the process.
constexpr uint64_t DAMAGED = UINT64_MAX;

// ---- the next batch

struct Frame {
    const fb::Message *message;
    size_t length;
};

// The message at a place, verified; null if there is none, or if it is damaged.
Frame message_at(Bytes in, size_t at) {
    uint32_t prefix[2];
    if (in.size - at < PREFIX_BYTES) return {nullptr, 0};
    std::memcpy(prefix, in.data + at, sizeof prefix);
    const uint8_t *metadata = in.data + at + PREFIX_BYTES;
    const size_t length = prefix[1];
    if (prefix[0] != UINT32_MAX || length == 0 || length > in.size - at - PREFIX_BYTES ||
        !verified(metadata, length)) {
        return {nullptr, 0};
    }
    return {fb::GetMessage(metadata), length};
}

// Whether the mark that ends a stream is at a place.
bool ends(Bytes in, size_t at) {
    uint64_t prefix;
    if (in.size - at < PREFIX_BYTES) return true;
    std::memcpy(&prefix, in.data + at, sizeof prefix);
    return prefix == UINT32_MAX;
}

// Binds the next batch, and moves on: behind the last one to the start.
const fb::RecordBatch *next_batch(Bytes in, size_t &at, int64_t &body) {
    const Frame frame = message_at(in, at);
    if (frame.message == nullptr) return nullptr;
    const fb::RecordBatch *batch = frame.message->header_as_RecordBatch();
    body = frame.message->bodyLength();
    const size_t start = at + PREFIX_BYTES + frame.length;
    if (batch == nullptr || body < 0 || static_cast<size_t>(body) > in.size - start) return nullptr;
    at = start + body == in.size ? 0 : start + body;
    return batch;
}

uint64_t next_head(Bytes in, size_t &at) {
    int64_t body;
    const fb::RecordBatch *batch = next_batch(in, at, body);
    if (batch == nullptr) return DAMAGED;
    return body + batch->length();
}

uint64_t first_head(Bytes in) {
    size_t at = 0;
    return next_head(in, at);
}

uint64_t next_numbers(Bytes in, size_t &at) {
    int64_t body;
    const fb::RecordBatch *batch = next_batch(in, at, body);
    if (batch == nullptr) return DAMAGED;
    uint64_t sum = body + batch->length();
    for (const fb::FieldNode *node : *batch->nodes()) sum += node->length() + node->null_count();
    for (const fb::Buffer *buffer : *batch->buffers()) sum += buffer->offset() + buffer->length();
    return sum;
}

// Where the buffers of each column start; behind the last where they end.
using FirstBuffers = std::vector<uint32_t>;

using Nodes = flatbuffers::Vector<const fb::FieldNode *>;
using Buffers = flatbuffers::Vector<const fb::Buffer *>;

uint64_t column(const Nodes &nodes, const Buffers &buffers, const FirstBuffers &first, size_t i) {
    const fb::FieldNode *node = nodes.Get(i);
    uint64_t sum = node->length() + node->null_count();
    for (uint32_t b = first[i], end = first[i + 1]; b < end; b++) {
        const fb::Buffer *buffer = buffers.Get(b);
        sum += buffer->offset() + buffer->length();
    }
    return sum;
}

uint64_t next_columns(Bytes in, size_t &at, const FirstBuffers &first) {
    int64_t body;
    const fb::RecordBatch *batch = next_batch(in, at, body);
    if (batch == nullptr) return DAMAGED;
    const Nodes &nodes = *batch->nodes();
    const Buffers &buffers = *batch->buffers();
    uint64_t sum = batch->length();
    for (size_t i = 0, n = first.size() - 1; i < n; i++) sum += column(nodes, buffers, first, i);
    return sum;
}

uint64_t next_three(Bytes in, size_t &at, const FirstBuffers &first) {
    int64_t body;
    const fb::RecordBatch *batch = next_batch(in, at, body);
    if (batch == nullptr) return DAMAGED;
    const Nodes &nodes = *batch->nodes();
    const Buffers &buffers = *batch->buffers();
    const size_t n = first.size() - 1;
    return batch->length() + column(nodes, buffers, first, 1) +
           column(nodes, buffers, first, n / 2) + column(nodes, buffers, first, n - 2);
}

// Through the whole stream.
uint64_t step(Bytes in) {
    uint64_t sum = 0;
    size_t at = 0;
    while (!ends(in, at)) {
        const Frame frame = message_at(in, at);
        if (frame.message == nullptr) return DAMAGED;
        const uint64_t body = frame.message->bodyLength();
        sum += static_cast<uint64_t>(frame.message->header_type()) + frame.length + body;
        const fb::RecordBatch *batch = frame.message->header_as_RecordBatch();
        if (batch != nullptr) sum += batch->length();
        at += PREFIX_BYTES + frame.length;
        if (body > in.size - at) return DAMAGED;
        at += body;
    }
    return sum;
}

// ---- schemas

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

uint64_t walk(const fb::Schema *schema) {
    uint64_t sum = static_cast<uint64_t>(schema->endianness());
    sum += pairs(schema->custom_metadata());
    for (const fb::Field *field : *schema->fields()) sum += walk_field(field);
    return sum;
}

// Of the types that the benchmarks have.
uint32_t buffers_of(fb::Type type) {
    switch (type) {
        case fb::Type::Utf8:
            return 3;
        case fb::Type::Struct_:
            return 1;
        default:
            return 2;
    }
}

struct Place {
    uint32_t nodes;
    uint32_t buffers;
};

// What a column's nodes and buffers add to the place.
void pass(const fb::Field *field, Place &place) {
    place.nodes++;
    place.buffers += buffers_of(field->type_type());
    if (field->children() != nullptr) {
        for (const fb::Field *child : *field->children()) pass(child, place);
    }
}

// Where the nodes and buffers of each column start, and the columns by name.
struct Plan {
    std::unordered_map<std::string, uint32_t> columns;
    std::vector<Place> first;
};

Plan plan(const fb::Schema *schema) {
    Plan made;
    made.columns.reserve(schema->fields()->size());
    made.first.reserve(schema->fields()->size() + 1);
    Place place{0, 0};
    for (const fb::Field *field : *schema->fields()) {
        made.columns.emplace(field->name()->str(), made.first.size());
        made.first.push_back(place);
        pass(field, place);
    }
    made.first.push_back(place);
    return made;
}

uint64_t planned(const fb::Schema *schema) { return plan(schema).first.back().buffers; }

const fb::Schema *schema_of(Bytes in) {
    return fb::GetMessage(in.data + PREFIX_BYTES)->header_as_Schema();
}

uint64_t verify_schema(Bytes in) {
    return verified(in.data + PREFIX_BYTES, in.size - PREFIX_BYTES) ? 1 : DAMAGED;
}

uint64_t walk_schema(Bytes in) { return walk(schema_of(in)); }

uint64_t plan_schema(Bytes in) { return planned(schema_of(in)); }

uint64_t same_schema(Bytes in) {
    if (message_at(in, 0).message == nullptr) return DAMAGED;
    return walk(schema_of(in));
}

uint64_t first_schema(Bytes in) {
    const uint64_t sum = same_schema(in);
    return sum == DAMAGED ? DAMAGED : sum + planned(schema_of(in));
}

// ---- files

// Behind the footer: its length, and the magic.
constexpr size_t TAIL_BYTES = 10;
constexpr unsigned BATCH = 1;

const fb::Footer *footer_of(Bytes in, size_t &length) {
    uint32_t size;
    std::memcpy(&size, in.data + in.size - TAIL_BYTES, sizeof size);
    length = size;
    return fb::GetFooter(in.data + in.size - TAIL_BYTES - size);
}

const fb::Footer *footer_of(Bytes in) {
    size_t length;
    return footer_of(in, length);
}

uint64_t plan_file(Bytes in) { return planned(footer_of(in)->schema()); }

// A column's length and the places of its buffers in a batch, whose message is verified.
uint64_t column_of(Bytes in, Place first, uint32_t buffers) {
    const fb::Block *block = footer_of(in)->recordBatches()->Get(BATCH);
    const Frame frame = message_at(in, block->offset());
    if (frame.message == nullptr) return DAMAGED;
    const fb::RecordBatch *batch = frame.message->header_as_RecordBatch();
    uint64_t sum = batch->nodes()->Get(first.nodes)->length();
    for (uint32_t i = 0; i < buffers; i++) {
        const fb::Buffer *buffer = batch->buffers()->Get(first.buffers + i);
        sum += buffer->offset() + buffer->length();
    }
    return sum;
}

uint64_t column_scan(Bytes in, const std::string &name) {
    Place place{0, 0};
    for (const fb::Field *field : *footer_of(in)->schema()->fields()) {
        const flatbuffers::String *found = field->name();
        if (found->size() == name.size() &&
            std::memcmp(found->data(), name.data(), name.size()) == 0) {
            return column_of(in, place, buffers_of(field->type_type()));
        }
        pass(field, place);
    }
    return DAMAGED;
}

uint64_t column_plan(Bytes in, const Plan &of, const std::string &name) {
    const uint32_t column = of.columns.find(name)->second;
    const Place first = of.first[column];
    return column_of(in, first, of.first[column + 1].buffers - first.buffers);
}

Bytes map_file(const char *path) {
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return {nullptr, 0};
    const size_t size = status.st_size;
    void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return {nullptr, 0};
    return {static_cast<const uint8_t *>(mapped), size};
}

// The footer; null if it is damaged.
const fb::Footer *verified_footer(Bytes in) {
    size_t length;
    const fb::Footer *footer = footer_of(in, length);
    flatbuffers::Verifier verifier(in.data + in.size - TAIL_BYTES - length, length, MAX_DEPTH,
                                   TABLES_PER_BYTE * length);
    return verifier.VerifyBuffer<fb::Footer>(nullptr) ? footer : nullptr;
}

uint64_t open_file(const char *path) {
    const Bytes in = map_file(path);
    if (in.data == nullptr) return DAMAGED;
    const fb::Footer *footer = verified_footer(in);
    const uint64_t sum = footer == nullptr ? DAMAGED : walk(footer->schema());
    munmap(const_cast<uint8_t *>(in.data), in.size);
    return sum;
}

uint64_t open_column(const char *path, const std::string &name) {
    const Bytes in = map_file(path);
    if (in.data == nullptr) return DAMAGED;
    const uint64_t sum = verified_footer(in) == nullptr ? DAMAGED : column_scan(in, name);
    munmap(const_cast<uint8_t *>(in.data), in.size);
    return sum;
}

// Rows and body lengths of all batches.
uint64_t open_small(const char *path) {
    const Bytes in = map_file(path);
    if (in.data == nullptr) return DAMAGED;
    const fb::Footer *footer = verified_footer(in);
    bool damaged = footer == nullptr;
    uint64_t sum = 0;
    for (size_t i = 0; !damaged && i < footer->recordBatches()->size(); i++) {
        const Frame frame = message_at(in, footer->recordBatches()->Get(i)->offset());
        const fb::RecordBatch *batch =
            frame.message == nullptr ? nullptr : frame.message->header_as_RecordBatch();
        damaged = batch == nullptr;
        sum += damaged ? 0 : frame.message->bodyLength() + batch->length();
    }
    munmap(const_cast<uint8_t *>(in.data), in.size);
    return damaged ? DAMAGED : sum;
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

// Answers all questions: each is a task done so many times. `start` makes the task for a question,
// and `digest` what is answered of the sum, out of the measured time.
template <typename Start, typename Digest>
int answer(Bytes in, Start start, Digest digest) {
    uint32_t rounds;
    while (read_u32(rounds)) {
        auto task = start();
        uint64_t sum = 0;
        bool damaged = false;
        const auto begin = std::chrono::steady_clock::now();
        for (uint32_t i = 0; i < rounds; i++) {
            // The compiler must not take an answer for that of the next round.
            asm volatile("" : "+r"(in.data), "+r"(in.size) : : "memory");
            const uint64_t read = task(in);
            damaged |= read == DAMAGED;
            sum += read;
        }
        const auto time = std::chrono::steady_clock::now() - begin;
        const uint64_t nanoseconds =
            std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
        if (damaged) return 2;
        const uint64_t out[2] = {digest(sum), nanoseconds};
        if (std::fwrite(out, sizeof out, 1, stdout) != 1 || std::fflush(stdout) != 0) return 2;
    }
    return 0;
}

uint64_t itself(uint64_t sum) { return sum; }

// A task that keeps nothing from one round to the next.
template <typename Task>
int answer_each(Bytes in, Task task) {
    return answer(in, [&] { return task; }, itself);
}

// The same for a function, known when this is compiled, so that no pointer is followed.
template <uint64_t (*TASK)(Bytes)>
int answer_each(Bytes in) {
    return answer_each(in, [](Bytes bytes) { return TASK(bytes); });
}

// A task that reads the next batch of a stream.
template <typename Task>
int answer_next(Bytes in, Task task) {
    const auto start = [&] {
        return [task, at = size_t{0}](Bytes bytes) mutable { return task(bytes, at); };
    };
    return answer(in, start, itself);
}

template <uint64_t (*TASK)(Bytes, size_t &)>
int answer_next(Bytes in) {
    return answer_next(in, [](Bytes bytes, size_t &at) { return TASK(bytes, at); });
}

// A task that reads columns of the next batch.
template <uint64_t (*TASK)(Bytes, size_t &, const FirstBuffers &)>
int answer_columns(Bytes in) {
    const Frame frame = message_at(in, 0);
    if (frame.message == nullptr) return 2;
    FirstBuffers first(frame.message->header_as_RecordBatch()->nodes()->size() + 1);
    for (size_t i = 0; i < first.size(); i++) first[i] = i * TEXT_BUFFERS;
    return answer_next(in, [&](Bytes bytes, size_t &at) { return TASK(bytes, at, first); });
}

int write_tasks(const std::string &task, Bytes in) {
    FlatBufferBuilder builder(BUILDER_BYTES);
    const auto written = [&](uint64_t) { return hash(builder); };
    if (task == "write-batch" || task == "write-template") {
        const Batch batch = batch_of(in);
        const auto write = [&](Bytes) {
            write_batch(builder, batch);
            return builder.GetSize();
        };
        return answer(in, [&] { return write; }, written);
    }
    if (task == "write-schema") {
        const auto names = names_of(in);
        std::vector<Offset<fb::Field>> fields(names.size());
        const auto write = [&](Bytes) {
            write_schema(builder, names, fields);
            return builder.GetSize();
        };
        return answer(in, [&] { return write; }, written);
    }
    return 2;
}

int column_tasks(const std::string &task, const char *path, Bytes in) {
    const fb::Schema *schema = footer_of(in)->schema();
    const std::string last = schema->fields()->Get(schema->fields()->size() - 1)->name()->str();
    if (task == "find-column") {
        return answer_each(in, [&](Bytes bytes) { return column_scan(bytes, last); });
    }
    if (task == "open-column") {
        return answer_each(in, [&](Bytes) { return open_column(path, last); });
    }
    const Plan of = plan(schema);
    return answer_each(in, [&](Bytes bytes) { return column_plan(bytes, of, last); });
}

int run(const std::string &task, const char *path, Bytes in) {
    if (task == "next-head" || task == "changing-shapes") return answer_next<next_head>(in);
    if (task == "first-batch") return answer_each<first_head>(in);
    if (task == "next-numbers") return answer_next<next_numbers>(in);
    if (task == "next-columns") return answer_columns<next_columns>(in);
    if (task == "next-roles") return answer_columns<next_columns>(in);
    if (task == "next-three") return answer_columns<next_three>(in);
    if (task == "step") return answer_each<step>(in);
    if (task == "first-schema") return answer_each<first_schema>(in);
    if (task == "same-schema") return answer_each<same_schema>(in);
    if (task == "verify-schema") return answer_each<verify_schema>(in);
    if (task == "walk-schema") return answer_each<walk_schema>(in);
    if (task == "plan-schema") return answer_each<plan_schema>(in);
    if (task == "plan-columns") return answer_each<plan_file>(in);
    if (task == "open") return answer_each(in, [&](Bytes) { return open_file(path); });
    if (task == "small-file") return answer_each(in, [&](Bytes) { return open_small(path); });
    if (task == "find-column" || task == "place-column" || task == "open-column") {
        return column_tasks(task, path, in);
    }
    return write_tasks(task, in);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const Bytes in = map_file(argv[2]);
    if (in.data == nullptr) return 2;
    return run(argv[1], argv[2], in);
}
