// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tensors and sparse tensors with Arrow C++ into a folder: see README.md.
#include <arrow/api.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <arrow/sparse_tensor.h>
#include <arrow/tensor.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

namespace {

std::string folder;

void Check(const arrow::Status& status) {
  if (!status.ok()) {
    std::cerr << status.ToString() << "\n";
    std::exit(1);
  }
}

void Write(const std::string& name,
           const std::function<arrow::Status(arrow::io::OutputStream*)>& content) {
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  Check(content(sink.get()));
  auto bytes = sink->Finish().ValueOrDie();
  std::ofstream(folder + "/" + name + ".stream", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

void Dense(const std::string& name, const arrow::Tensor& tensor) {
  Write(name, [&](arrow::io::OutputStream* out) {
    int32_t metadata_length;
    int64_t body_length;
    return arrow::ipc::WriteTensor(tensor, out, &metadata_length, &body_length);
  });
}

void Sparse(const std::string& name, const arrow::SparseTensor& tensor) {
  Write(name, [&](arrow::io::OutputStream* out) {
    int32_t metadata_length;
    int64_t body_length;
    return arrow::ipc::WriteSparseTensor(tensor, out, &metadata_length, &body_length);
  });
}

}  // namespace

int main(int argc, char** argv) {
  folder = argc > 1 ? argv[1] : ".";
  static int64_t longs[] = {1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4, 5};
  static float floats[] = {1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 4, 5};
  auto a = arrow::Buffer::Wrap(longs, 12);
  auto b = arrow::Buffer::Wrap(floats, 12);
  arrow::Tensor named(arrow::int64(), a, {3, 4}, {}, {"rows", "columns"});
  arrow::Tensor cube(arrow::float32(), b, {2, 3, 2});
  arrow::Tensor matrix(arrow::float32(), b, {3, 4});
  Dense("tensor_named", named);
  Dense("tensor_cube", cube);
  Dense("tensor_column_major", arrow::Tensor(arrow::int64(), a, {3, 4}, {8, 24}, {"a", ""}));
  Dense("tensor_scalar", arrow::Tensor(arrow::int64(), a, {}));
  Sparse("coo_named", *arrow::SparseCOOTensor::Make(named).ValueOrDie());
  Sparse("coo_cube", *arrow::SparseCOOTensor::Make(cube, arrow::int32()).ValueOrDie());
  Sparse("csr", *arrow::SparseCSRMatrix::Make(named, arrow::int32()).ValueOrDie());
  Sparse("csc", *arrow::SparseCSCMatrix::Make(matrix).ValueOrDie());
  Sparse("csf_named", *arrow::SparseCSFTensor::Make(named, arrow::int16()).ValueOrDie());
  Sparse("csf_cube", *arrow::SparseCSFTensor::Make(cube, arrow::int64()).ValueOrDie());
  return 0;
}
