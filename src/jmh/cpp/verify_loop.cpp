// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// The official verifier in a loop, on headers that flatc generates from format/*.fbs, for the
// benchmark VerifyCpp, which measures how long an answer takes. All numbers are little-endian:
//
//   standard input    u32 number of bytes, then the bytes of a Message; then, until the input ends,
//                     u32 how often to verify it
//   standard output   u8 for each of these: 1 if it was accepted every time, else 0
//
// Exit status: 0, or 2 if the input is not of this form.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Message_generated.h"

namespace {

namespace fb = org::apache::arrow::flatbuf;

// As Arrow C++ calls it.
constexpr size_t MAX_DEPTH = 128;
constexpr size_t TABLES_PER_BYTE = 8;

// The compiler must not take an answer for that of the next round.
__attribute__((noinline)) bool verify(const uint8_t *bytes, size_t size) {
    asm volatile("" : : "r"(bytes) : "memory");
    flatbuffers::Verifier verifier(bytes, size, MAX_DEPTH, TABLES_PER_BYTE * size);
    return verifier.VerifyBuffer<fb::Message>(nullptr);
}

bool read_u32(uint32_t &into) { return std::fread(&into, sizeof into, 1, stdin) == 1; }

}  // namespace

int main() {
    uint32_t size;
    if (!read_u32(size)) return 2;
    // 8-aligned, as new is.
    std::vector<uint8_t> bytes(size);
    if (std::fread(bytes.data(), 1, size, stdin) != size) return 2;
    uint32_t rounds;
    while (read_u32(rounds)) {
        bool accepted = true;
        for (uint32_t i = 0; i < rounds; i++) accepted &= verify(bytes.data(), size);
        std::fputc(accepted ? 1 : 0, stdout);
        if (std::fflush(stdout) != 0) return 2;
    }
    return 0;
}
