// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets the official verifier decide, on headers that flatc generates from format/*.fbs. Reads
// batches of cases from standard input and writes a byte per case to standard output, until the
// input ends between two batches. All numbers are little-endian:
//
//   batch     u32 number of cases, then the cases
//   case      u8  root (the order of ROOTS)
//             u8  1 to check alignment, 0 not to
//             u16 0
//             u32 max_depth
//             u32 max_tables
//             u32 number of bytes, then the bytes
//   decision  u8  1 accepted, 0 refused; one per case, sent when the batch is done
//
// Exit status: 0, or 2 if the input is not of this form.

#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "File_generated.h"
#include "Message_generated.h"
#include "Schema_generated.h"
#include "SparseTensor_generated.h"
#include "Tensor_generated.h"

namespace {

namespace fb = org::apache::arrow::flatbuf;

using Decide = bool (*)(flatbuffers::Verifier &);

template <typename Root>
bool decide(flatbuffers::Verifier &verifier) {
    return verifier.VerifyBuffer<Root>(nullptr);
}

// In the order of the enum Verifier.Root.
constexpr Decide ROOTS[] = {
    decide<fb::Message>, decide<fb::Footer>,       decide<fb::Schema>,
    decide<fb::Tensor>,  decide<fb::SparseTensor>,
};
constexpr size_t ROOT_COUNT = sizeof(ROOTS) / sizeof(ROOTS[0]);

// More than any case has; a size beyond it means that the two sides are out of step.
constexpr uint32_t LARGEST_CASE = 1U << 30;

// The verifier calls itself for every level, and a test goes a million levels deep.
constexpr size_t STACK_BYTES = size_t{2} << 30;

// malloc aligns to 16, and what is allocated ends where the case ends, so that tools which watch
// the heap see a read behind it.
constexpr size_t ALIGNMENT = 16;

struct Case {
    uint8_t root;
    uint8_t check_alignment;
    uint16_t reserved;
    uint32_t max_depth;
    uint32_t max_tables;
    uint32_t size;
};
static_assert(sizeof(Case) == 16, "the header of a case is 16 bytes");

struct Free {
    void operator()(uint8_t *memory) const { std::free(memory); }
};

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "verify_cases: %s\n", what);
    std::exit(2);
}

// False where the input ends before the first byte.
bool read(void *into, size_t size) {
    const size_t got = std::fread(into, 1, size, stdin);
    if (got != size && got != 0) fail("input ends within a case");
    return got == size;
}

uint8_t run_case() {
    Case header;
    if (!read(&header, sizeof header)) fail("input ends within a batch");
    if (header.root >= ROOT_COUNT) fail("unknown root");
    if (header.size > LARGEST_CASE) fail("case too large");
    void *memory = nullptr;
    if (posix_memalign(&memory, ALIGNMENT, header.size) != 0) fail("out of memory");
    std::unique_ptr<uint8_t, Free> bytes(static_cast<uint8_t *>(memory));
    if (header.size > 0 && !read(bytes.get(), header.size)) fail("input ends within a batch");
    flatbuffers::Verifier verifier(bytes.get(), header.size, header.max_depth, header.max_tables,
                                   header.check_alignment != 0);
    return ROOTS[header.root](verifier) ? 1 : 0;
}

void *run(void *) {
    uint32_t count;
    while (read(&count, sizeof count)) {
        std::vector<uint8_t> decisions;
        for (uint32_t i = 0; i < count; i++) decisions.push_back(run_case());
        std::fwrite(decisions.data(), 1, decisions.size(), stdout);
        if (std::fflush(stdout) != 0) fail("nobody reads the decisions");
    }
    return nullptr;
}

}  // namespace

int main() {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, STACK_BYTES) != 0 ||
        pthread_create(&thread, &attributes, run, nullptr) != 0) {
        fail("no thread with a large stack");
    }
    pthread_join(thread, nullptr);
    return 0;
}
