// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays scripts of calls on the C++ library's FlatBufferBuilder. WriterCppOracle.java compiles it,
// and says what a script looks like: it has the same cases in the same order.
//
// Standard input and output are frames: a word of 32 bits with the length, then that many bytes. Each
// frame in is a script, each frame out the buffer that it builds. All numbers are little-endian, as
// this machine is taken to be.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "flatbuffers/flatbuffers.h"

namespace {

using flatbuffers::FieldIndexToOffset;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;
using Object = Offset<void>;

class Script {
 public:
  explicit Script(const std::vector<uint8_t> &bytes) : bytes_(bytes) {}

  template <typename T>
  T Next() {
    T value;
    std::memcpy(&value, Raw(sizeof(T)), sizeof(T));
    return value;
  }

  const uint8_t *Raw(size_t size) {
    if (size > bytes_.size() - at_) {
      std::fprintf(stderr, "script ends too early\n");
      std::exit(1);
    }
    at_ += size;
    return bytes_.data() + at_ - size;
  }

 private:
  const std::vector<uint8_t> &bytes_;
  size_t at_ = 0;
};

class Replay {
 public:
  Replay(Script &script, FlatBufferBuilder &builder) : script_(script), builder_(builder) {}

  void Run() {
    const bool forced = script_.Next<uint8_t>() != 0;
    const auto root = script_.Next<int32_t>();
    builder_.ForceDefaults(forced);
    for (auto steps = script_.Next<int32_t>(); steps > 0; steps--) Step();
    if (tables_.empty()) tables_.push_back(Object(builder_.EndTable(builder_.StartTable())));
    const Object table = tables_[root % tables_.size()];
    builder_.Finish(table);
  }

 private:
  void Step() {
    switch (script_.Next<uint8_t>()) {
      case 0: return Text();
      case 1: return Numbers();
      case 2: return Structs();
      case 3: return Offsets();
      case 4: return builder_.Align(script_.Next<int32_t>());
      case 5: return Table();
      default: std::abort();
    }
  }

  void Text() {
    const auto length = script_.Next<int32_t>();
    const auto *text = reinterpret_cast<const char *>(script_.Raw(length));
    objects_.push_back(builder_.CreateString(text, length).Union());
  }

  void Numbers() {
    switch (script_.Next<uint8_t>()) {
      case 1: return NumbersOf<int8_t>();
      case 2: return NumbersOf<int16_t>();
      case 4: return NumbersOf<int32_t>();
      case 8: return NumbersOf<int64_t>();
      default: std::abort();
    }
  }

  template <typename T>
  void NumbersOf() {
    std::vector<T> numbers(script_.Next<int32_t>());
    for (T &each : numbers) each = static_cast<T>(script_.Next<int64_t>());
    objects_.push_back(builder_.CreateVector(numbers).Union());
  }

  void Structs() {
    const auto alignment = script_.Next<int32_t>();
    const auto size = script_.Next<int32_t>();
    const auto count = script_.Next<int32_t>();
    builder_.StartVector(static_cast<size_t>(count) * size / alignment, alignment);
    builder_.PushBytes(script_.Raw(static_cast<size_t>(count) * size),
                       static_cast<size_t>(count) * size);
    objects_.push_back(Object(builder_.EndVector(count)));
  }

  void Offsets() {
    std::vector<Object> offsets;
    for (auto count = script_.Next<int32_t>(); count > 0; count--) {
      const auto reference = script_.Next<int32_t>();
      if (!objects_.empty()) offsets.push_back(Resolve(reference));
    }
    objects_.push_back(builder_.CreateVector(offsets).Union());
  }

  Object Resolve(int32_t reference) { return objects_[reference % objects_.size()]; }

  void Table() {
    const uoffset_t start = builder_.StartTable();
    for (auto fields = script_.Next<int32_t>(); fields > 0; fields--) Field();
    const Object table(builder_.EndTable(start));
    objects_.push_back(table);
    tables_.push_back(table);
  }

  void Field() {
    const auto kind = script_.Next<uint8_t>();
    const voffset_t slot = FieldIndexToOffset(static_cast<voffset_t>(script_.Next<int32_t>()));
    switch (kind) {
      case 0: return Scalar(slot, true);
      case 1: return Scalar(slot, false);
      case 2: {
        const auto reference = script_.Next<int32_t>();
        if (!objects_.empty()) builder_.AddOffset(slot, Resolve(reference));
        return;
      }
      case 3: return builder_.AddOffset(slot, Object());
      case 4: {
        const auto alignment = script_.Next<int32_t>();
        const auto size = script_.Next<int32_t>();
        builder_.Align(alignment);
        builder_.PushBytes(script_.Raw(size), size);
        return builder_.AddStructOffset(slot, builder_.GetSize());
      }
      default: std::abort();
    }
  }

  void Scalar(voffset_t slot, bool with_default) {
    switch (script_.Next<uint8_t>()) {
      case 1: return ScalarOf<int8_t>(slot, with_default);
      case 2: return ScalarOf<int16_t>(slot, with_default);
      case 4: return ScalarOf<int32_t>(slot, with_default);
      case 8: return ScalarOf<int64_t>(slot, with_default);
      default: std::abort();
    }
  }

  template <typename T>
  void ScalarOf(voffset_t slot, bool with_default) {
    const T value = static_cast<T>(script_.Next<int64_t>());
    if (with_default) {
      builder_.AddElement<T>(slot, value, static_cast<T>(script_.Next<int64_t>()));
    } else {
      builder_.AddElement<T>(slot, value);
    }
  }

  Script &script_;
  FlatBufferBuilder &builder_;
  std::vector<Object> objects_;
  std::vector<Object> tables_;
};

}  // namespace

int main() {
  FlatBufferBuilder builder;
  std::vector<uint8_t> script;
  uint32_t length;
  while (std::fread(&length, sizeof(length), 1, stdin) == 1) {
    script.resize(length);
    if (std::fread(script.data(), 1, length, stdin) != length) return 1;
    builder.Clear();
    Script cursor(script);
    Replay(cursor, builder).Run();
    length = builder.GetSize();
    std::fwrite(&length, sizeof(length), 1, stdout);
    std::fwrite(builder.GetBufferPointer(), 1, length, stdout);
    std::fflush(stdout);
  }
  return 0;
}
