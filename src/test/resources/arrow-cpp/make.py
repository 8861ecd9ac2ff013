# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
"""Writes streams and files with Arrow C++ into this folder: see README.md."""
import io
import pyarrow as pa


def write(name, schema, batches=(), metadata=None, batch_metadata=None, **options):
    sink = io.BytesIO()
    opened = {"options": pa.ipc.IpcWriteOptions(**options)}
    if name.endswith(".arrow"):
        writer = pa.ipc.new_file(sink, schema, metadata=metadata, **opened)
    else:
        writer = pa.ipc.new_stream(sink, schema, **opened)
    with writer:
        for batch in batches:
            writer.write_batch(batch, custom_metadata=batch_metadata)
    with open(name, "wb") as out:
        out.write(sink.getvalue())


def both(name, *arguments, **options):
    write(name + ".arrow", *arguments, **options)
    options.pop("metadata", None)
    write(name + ".stream", *arguments, **options)


def batch(schema, *columns):
    return pa.RecordBatch.from_arrays(
        [pa.array(c, f.type) if isinstance(c, list) else c for c, f in zip(columns, schema)],
        schema=schema,
    )


UNIONS = [pa.field("x", pa.int32()), pa.field("y", pa.string(), nullable=False)]
TYPES = [
    pa.null(), pa.bool_(), pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(),
    pa.uint32(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.large_string(), pa.large_binary(), pa.string_view(),
    pa.binary_view(), pa.decimal32(5, 1), pa.decimal64(12, 3), pa.decimal128(20, -2),
    pa.decimal256(60, 5), pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"),
    pa.time64("us"), pa.time64("ns"), pa.timestamp("s"), pa.timestamp("ms", "UTC"),
    pa.timestamp("us", "Europe/Paris"), pa.timestamp("ns"), pa.duration("s"),
    pa.duration("ms"), pa.duration("us"), pa.duration("ns"), pa.month_day_nano_interval(),
    pa.binary(7), pa.list_(pa.int32()), pa.large_list(pa.string()), pa.list_(pa.int32(), 3),
    pa.list_view(pa.int8()), pa.large_list_view(pa.int8()),
    pa.struct([("a", pa.int32()), pa.field("b", pa.string(), nullable=False)]),
    pa.map_(pa.string(), pa.int32()), pa.map_(pa.string(), pa.int32(), keys_sorted=True),
    pa.run_end_encoded(pa.int16(), pa.string()), pa.sparse_union(UNIONS),
    pa.dense_union(UNIONS, [5, 9]), pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint16(), pa.list_(pa.int64()), ordered=True),
]
both("types", pa.schema([pa.field("f%d" % i, t) for i, t in enumerate(TYPES)]))
both(
    "metadata",
    pa.schema(
        [
            pa.field(
                "" if i == 1 else "feld_é_%d" % i,
                t,
                nullable=i % 3 == 0,
                metadata={"k": "v%d" % i, "": "", "ключ": "🙂"} if i % 4 == 0 else None,
            )
            for i, t in enumerate(TYPES)
        ],
        metadata={"schema": "meta", "é": "ü", "long": "x" * 300},
    ),
    metadata={"foot": "note", "": ""},
)
both("empty_metadata", pa.schema([pa.field("a", pa.int8(), metadata={})], metadata={}),
     metadata={})
nested = pa.string()
for level in range(30):
    nested = pa.list_(nested) if level % 2 else pa.struct([("s", nested), ("t", pa.uuid())])
both("nested", pa.schema([("deep", nested), ("flat", pa.opaque(pa.int32(), "t", "v"))]))
both("no_columns", pa.schema([]), [pa.RecordBatch.from_arrays([], schema=pa.schema([]))])
both("wide", pa.schema([("c%d" % i, pa.int64() if i % 2 else pa.string()) for i in range(200)]))

data = pa.schema([
    ("v", pa.string_view()), ("d", pa.dictionary(pa.int8(), pa.string())), ("i", pa.int32()),
    ("e", pa.dictionary(pa.int32(), pa.float64(), ordered=True)), ("b", pa.binary_view()),
    ("l", pa.list_(pa.string())),
])
first = batch(data, ["abc", "a long string that is not inlined at all"],
              pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), ["x", "y"]), [1, 2],
              pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int32()),
                                             pa.array([1.5]), ordered=True),
              [b"x", None], [["a", "b"], None])
more = batch(data, [None], pa.DictionaryArray.from_arrays(pa.array([2], pa.int8()),
                                                          ["x", "y", "z"]), [3],
             pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), pa.array([1.5]),
                                            ordered=True), [b"y" * 40], [[]])
none = first.slice(0, 0)
both("data", data, [first, first, none])
both("batch_metadata", data, [first], batch_metadata={"batch": "meta", "empty": ""})
both("lz4", data, [first, none], compression="lz4")
both("zstd", data, [first], compression="zstd")
both("v4", data, [first], metadata_version=pa.ipc.MetadataVersion.V4)
write("deltas.stream", data, [first, more], emit_dictionary_deltas=True)
write("replaced.stream", data, [more, first])
