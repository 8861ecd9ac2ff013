// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the CreateX that flatc generates for C++ from `format/*.fbs`, with arguments that it is sent.
// EncodersAgreeWithCppTest.java has flatc generate the headers, compiles this, and says what a call
// looks like.
//
// Standard input and output are frames: a word of 32 bits with the length, then that many bytes. Each
// frame in is a call, each frame out the buffer whose root is the table that was created. All numbers
// are little-endian, as this machine is taken to be.
//
// A call: one byte that is 1 where defaults are forced; the table's name, ended by a NUL; then, in the
// order of the parameters, 64 bits for each number, offset, and member of a struct.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "File_generated.h"
#include "Message_generated.h"

namespace {

namespace arrow = org::apache::arrow::flatbuf;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

class Arguments {
 public:
  explicit Arguments(const uint8_t *at, const uint8_t *end) : at_(at), end_(end) {}

  int64_t Number() {
    int64_t number;
    if (end_ - at_ < static_cast<ptrdiff_t>(sizeof(number))) std::abort();
    std::memcpy(&number, at_, sizeof(number));
    at_ += sizeof(number);
    return number;
  }

  void CheckUsed() const {
    if (at_ != end_) std::abort();
  }

  template <typename T>
  void Read(T &value) {
    value = static_cast<T>(Number());
  }

  template <typename T>
  void Read(Offset<T> &value) {
    value = Offset<T>(static_cast<flatbuffers::uoffset_t>(Number()));
  }

  void Read(const arrow::Buffer *&value) {
    const int64_t offset = Number();
    const int64_t length = Number();
    buffers_.emplace_back(offset, length);
    value = &buffers_.back();
  }

 private:
  const uint8_t *at_;
  const uint8_t *end_;
  std::deque<arrow::Buffer> buffers_;
};

template <typename Table, typename... Parameters>
Offset<void> Call(Offset<Table> (*create)(FlatBufferBuilder &, Parameters...),
                  FlatBufferBuilder &builder, Arguments &arguments) {
  std::tuple<Parameters...> values;
  std::apply([&](auto &...each) { (arguments.Read(each), ...); }, values);
  arguments.CheckUsed();
  return std::apply([&](auto &...each) { return create(builder, each...); }, values).Union();
}

using Creating = std::function<Offset<void>(FlatBufferBuilder &, Arguments &)>;

#define TABLE(name)                                                  \
  {                                                                  \
#name, [](FlatBufferBuilder &builder, Arguments &arguments) {    \
      return Call(arrow::Create##name, builder, arguments);          \
    }                                                                \
  }

const std::map<std::string, Creating> kTables = {
    TABLE(FixedSizeList),
    TABLE(Map),
    TABLE(Union),
    TABLE(Int),
    TABLE(FloatingPoint),
    TABLE(FixedSizeBinary),
    TABLE(Decimal),
    TABLE(Date),
    TABLE(Time),
    TABLE(Timestamp),
    TABLE(Interval),
    TABLE(Duration),
    TABLE(KeyValue),
    TABLE(DictionaryEncoding),
    TABLE(Field),
    TABLE(Schema),
    TABLE(BodyCompression),
    TABLE(RecordBatch),
    TABLE(DictionaryBatch),
    TABLE(Message),
    TABLE(Footer),
    TABLE(TensorDim),
    TABLE(Tensor),
    TABLE(SparseTensorIndexCOO),
    TABLE(SparseMatrixIndexCSX),
    TABLE(SparseTensorIndexCSF),
    TABLE(SparseTensor),
};

}  // namespace

int main() {
  FlatBufferBuilder builder;
  std::vector<uint8_t> call;
  uint32_t length;
  while (std::fread(&length, sizeof(length), 1, stdin) == 1) {
    call.resize(length);
    if (std::fread(call.data(), 1, length, stdin) != length) return 1;
    const std::string name(reinterpret_cast<const char *>(call.data()) + 1);
    Arguments arguments(call.data() + 1 + name.size() + 1, call.data() + length);
    builder.Clear();
    builder.ForceDefaults(call[0] != 0);
    // Something to point at; the caller has written the same.
    for (const char *text : {"a", "bcd", "", "efghij"}) builder.CreateString(text);
    builder.Finish(kTables.at(name)(builder, arguments));
    length = builder.GetSize();
    std::fwrite(&length, sizeof(length), 1, stdout);
    std::fwrite(builder.GetBufferPointer(), 1, length, stdout);
    std::fflush(stdout);
  }
  return 0;
}
