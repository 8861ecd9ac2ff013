// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// For each table and struct of schemas, messages and files: all accessors that allocate nothing.
/// Beside [TensorVisits].
final class TableVisits {
    private TableVisits() {}

    static void message(FullWalk w, Message t) {
        w.present(t);
        w.add(t.version());
        if (w.mayWrite(t, Message.VERSION_SLOT)) {
            t.setVersion(t.version());
        }
        w.add(t.headerType());
        w.child(t, w.flyweights().schema, Message::header, TableVisits::schema);
        w.child(t, w.flyweights().dictionaryBatch, Message::header, TableVisits::dictionaryBatch);
        w.child(t, w.flyweights().recordBatch, Message::header, TableVisits::recordBatch);
        w.child(t, w.flyweights().tensor, Message::header, TensorVisits::tensor);
        w.child(t, w.flyweights().sparseTensor, Message::header, TensorVisits::sparseTensor);
        w.add(t.bodyLength());
        if (w.mayWrite(t, Message.BODY_LENGTH_SLOT)) {
            t.setBodyLength(t.bodyLength());
        }
        w.elements(
                t,
                t.customMetadataCount(),
                w.flyweights().keyValue,
                Message::customMetadata,
                TableVisits::keyValue);
    }

    static void footer(FullWalk w, Footer t) {
        w.present(t);
        w.add(t.version());
        if (w.mayWrite(t, Footer.VERSION_SLOT)) {
            t.setVersion(t.version());
        }
        w.child(t, w.flyweights().schema, Footer::schema, TableVisits::schema);
        w.elements(
                t,
                t.dictionariesCount(),
                w.flyweights().block,
                Footer::dictionaries,
                TableVisits::block);
        w.copy(t, t.dictionariesCount(), 3, Footer::copyDictionaries);
        w.elements(
                t,
                t.recordBatchesCount(),
                w.flyweights().block,
                Footer::recordBatches,
                TableVisits::block);
        w.copy(t, t.recordBatchesCount(), 3, Footer::copyRecordBatches);
        w.elements(
                t,
                t.customMetadataCount(),
                w.flyweights().keyValue,
                Footer::customMetadata,
                TableVisits::keyValue);
    }

    static void schema(FullWalk w, Schema t) {
        w.present(t);
        w.add(t.endianness());
        if (w.mayWrite(t, Schema.ENDIANNESS_SLOT)) {
            t.setEndianness(t.endianness());
        }
        w.elements(t, t.fieldsCount(), w.nextField(), Schema::fields, TableVisits::field);
        w.elements(
                t,
                t.customMetadataCount(),
                w.flyweights().keyValue,
                Schema::customMetadata,
                TableVisits::keyValue);
        w.numbers(t, t.featuresCount(), Schema::features);
        w.copy(t, t.featuresCount(), 1, Schema::copyFeatures);
        for (int i = 0; w.writes() && i < t.featuresCount(); i++) {
            t.setFeatures(i, t.features(i));
        }
    }

    static void field(FullWalk w, Field t) {
        w.present(t);
        w.text(t, t.nameLength(), Field::name, Field::nameEquals);
        w.add(t.nullable());
        if (w.mayWrite(t, Field.NULLABLE_SLOT)) {
            t.setNullable(t.nullable());
        }
        w.add(t.typeType());
        w.child(t, w.flyweights().int_, Field::type, TableVisits::int_);
        w.child(t, w.flyweights().floatingPoint, Field::type, TableVisits::floatingPoint);
        w.child(t, w.flyweights().decimal, Field::type, TableVisits::decimal);
        w.child(t, w.flyweights().date, Field::type, TableVisits::date);
        w.child(t, w.flyweights().time, Field::type, TableVisits::time);
        w.child(t, w.flyweights().timestamp, Field::type, TableVisits::timestamp);
        w.child(t, w.flyweights().interval, Field::type, TableVisits::interval);
        w.child(t, w.flyweights().union, Field::type, TableVisits::union);
        w.child(t, w.flyweights().fixedSizeBinary, Field::type, TableVisits::fixedSizeBinary);
        w.child(t, w.flyweights().fixedSizeList, Field::type, TableVisits::fixedSizeList);
        w.child(t, w.flyweights().map, Field::type, TableVisits::map);
        w.child(t, w.flyweights().duration, Field::type, TableVisits::duration);
        w.child(
                t,
                w.flyweights().dictionaryEncoding,
                Field::dictionary,
                TableVisits::dictionaryEncoding);
        w.elements(t, t.childrenCount(), w.nextField(), Field::children, TableVisits::field);
        w.elements(
                t,
                t.customMetadataCount(),
                w.flyweights().keyValue,
                Field::customMetadata,
                TableVisits::keyValue);
    }

    static void keyValue(FullWalk w, KeyValue t) {
        w.present(t);
        w.text(t, t.keyLength(), KeyValue::key, KeyValue::keyEquals);
        w.text(t, t.valueLength(), KeyValue::value, KeyValue::valueEquals);
    }

    static void dictionaryEncoding(FullWalk w, DictionaryEncoding t) {
        w.present(t);
        w.add(t.id());
        if (w.mayWrite(t, DictionaryEncoding.ID_SLOT)) {
            t.setId(t.id());
        }
        w.child(t, w.flyweights().int_, DictionaryEncoding::indexType, TableVisits::int_);
        w.add(t.isOrdered());
        if (w.mayWrite(t, DictionaryEncoding.IS_ORDERED_SLOT)) {
            t.setIsOrdered(t.isOrdered());
        }
        w.add(t.dictionaryKind());
        if (w.mayWrite(t, DictionaryEncoding.DICTIONARY_KIND_SLOT)) {
            t.setDictionaryKind(t.dictionaryKind());
        }
    }

    static void dictionaryBatch(FullWalk w, DictionaryBatch t) {
        w.present(t);
        w.add(t.id());
        if (w.mayWrite(t, DictionaryBatch.ID_SLOT)) {
            t.setId(t.id());
        }
        w.child(t, w.flyweights().recordBatch, DictionaryBatch::data, TableVisits::recordBatch);
        w.add(t.isDelta());
        if (w.mayWrite(t, DictionaryBatch.IS_DELTA_SLOT)) {
            t.setIsDelta(t.isDelta());
        }
    }

    static void recordBatch(FullWalk w, RecordBatch t) {
        w.present(t);
        w.add(t.length());
        if (w.mayWrite(t, RecordBatch.LENGTH_SLOT)) {
            t.setLength(t.length());
        }
        w.elements(
                t,
                t.nodesCount(),
                w.flyweights().fieldNode,
                RecordBatch::nodes,
                TableVisits::fieldNode);
        w.copy(t, t.nodesCount(), 2, RecordBatch::copyNodes);
        w.copy(t, t.nodesCount(), 2, (b, to, at) -> b.copyNodes(0, b.nodesCount(), to, at));
        w.numbers(t, t.nodesCount(), RecordBatch::nodesLength);
        w.numbers(t, t.nodesCount(), RecordBatch::nodesNullCount);
        w.elements(
                t,
                t.buffersCount(),
                w.flyweights().buffer,
                RecordBatch::buffers,
                TableVisits::buffer);
        w.copy(t, t.buffersCount(), 2, RecordBatch::copyBuffers);
        w.copy(t, t.buffersCount(), 2, (b, to, at) -> b.copyBuffers(0, b.buffersCount(), to, at));
        w.numbers(t, t.buffersCount(), RecordBatch::buffersOffset);
        w.numbers(t, t.buffersCount(), RecordBatch::buffersLength);
        w.child(
                t,
                w.flyweights().bodyCompression,
                RecordBatch::compression,
                TableVisits::bodyCompression);
        w.numbers(t, t.variadicBufferCountsCount(), RecordBatch::variadicBufferCounts);
        w.copy(t, t.variadicBufferCountsCount(), 1, RecordBatch::copyVariadicBufferCounts);
        for (int i = 0; w.writes() && i < t.variadicBufferCountsCount(); i++) {
            t.setVariadicBufferCounts(i, t.variadicBufferCounts(i));
        }
    }

    static void bodyCompression(FullWalk w, BodyCompression t) {
        w.present(t);
        w.add(t.codec());
        if (w.mayWrite(t, BodyCompression.CODEC_SLOT)) {
            t.setCodec(t.codec());
        }
        w.add(t.method());
        if (w.mayWrite(t, BodyCompression.METHOD_SLOT)) {
            t.setMethod(t.method());
        }
    }

    static void int_(FullWalk w, Int t) {
        w.present(t);
        w.add(t.bitWidth());
        if (w.mayWrite(t, Int.BIT_WIDTH_SLOT)) {
            t.setBitWidth(t.bitWidth());
        }
        w.add(t.isSigned());
        if (w.mayWrite(t, Int.IS_SIGNED_SLOT)) {
            t.setIsSigned(t.isSigned());
        }
    }

    static void floatingPoint(FullWalk w, FloatingPoint t) {
        w.present(t);
        w.add(t.precision());
        if (w.mayWrite(t, FloatingPoint.PRECISION_SLOT)) {
            t.setPrecision(t.precision());
        }
    }

    static void decimal(FullWalk w, Decimal t) {
        w.present(t);
        w.add(t.precision());
        if (w.mayWrite(t, Decimal.PRECISION_SLOT)) {
            t.setPrecision(t.precision());
        }
        w.add(t.scale());
        if (w.mayWrite(t, Decimal.SCALE_SLOT)) {
            t.setScale(t.scale());
        }
        w.add(t.bitWidth());
        if (w.mayWrite(t, Decimal.BIT_WIDTH_SLOT)) {
            t.setBitWidth(t.bitWidth());
        }
    }

    static void date(FullWalk w, Date t) {
        w.present(t);
        w.add(t.unit());
        if (w.mayWrite(t, Date.UNIT_SLOT)) {
            t.setUnit(t.unit());
        }
    }

    static void time(FullWalk w, Time t) {
        w.present(t);
        w.add(t.unit());
        if (w.mayWrite(t, Time.UNIT_SLOT)) {
            t.setUnit(t.unit());
        }
        w.add(t.bitWidth());
        if (w.mayWrite(t, Time.BIT_WIDTH_SLOT)) {
            t.setBitWidth(t.bitWidth());
        }
    }

    static void timestamp(FullWalk w, Timestamp t) {
        w.present(t);
        w.add(t.unit());
        if (w.mayWrite(t, Timestamp.UNIT_SLOT)) {
            t.setUnit(t.unit());
        }
        w.text(t, t.timezoneLength(), Timestamp::timezone, Timestamp::timezoneEquals);
    }

    static void interval(FullWalk w, Interval t) {
        w.present(t);
        w.add(t.unit());
        if (w.mayWrite(t, Interval.UNIT_SLOT)) {
            t.setUnit(t.unit());
        }
    }

    static void union(FullWalk w, Union t) {
        w.present(t);
        w.add(t.mode());
        if (w.mayWrite(t, Union.MODE_SLOT)) {
            t.setMode(t.mode());
        }
        w.numbers(t, t.typeIdsCount(), Union::typeIds);
        for (int i = 0; w.writes() && i < t.typeIdsCount(); i++) {
            t.setTypeIds(i, t.typeIds(i));
        }
    }

    static void fixedSizeBinary(FullWalk w, FixedSizeBinary t) {
        w.present(t);
        w.add(t.byteWidth());
        if (w.mayWrite(t, FixedSizeBinary.BYTE_WIDTH_SLOT)) {
            t.setByteWidth(t.byteWidth());
        }
    }

    static void fixedSizeList(FullWalk w, FixedSizeList t) {
        w.present(t);
        w.add(t.listSize());
        if (w.mayWrite(t, FixedSizeList.LIST_SIZE_SLOT)) {
            t.setListSize(t.listSize());
        }
    }

    static void map(FullWalk w, Map t) {
        w.present(t);
        w.add(t.keysSorted());
        if (w.mayWrite(t, Map.KEYS_SORTED_SLOT)) {
            t.setKeysSorted(t.keysSorted());
        }
    }

    static void duration(FullWalk w, Duration t) {
        w.present(t);
        w.add(t.unit());
        if (w.mayWrite(t, Duration.UNIT_SLOT)) {
            t.setUnit(t.unit());
        }
    }

    static void buffer(FullWalk w, Buffer s) {
        w.add(s.position());
        w.add(s.offset());
        w.add(s.length());
        if (w.writes()) {
            s.set(s.offset(), s.length());
        }
    }

    static void fieldNode(FullWalk w, FieldNode s) {
        w.add(s.position());
        w.add(s.length());
        w.add(s.nullCount());
        if (w.writes()) {
            s.set(s.length(), s.nullCount());
        }
    }

    static void block(FullWalk w, Block s) {
        w.add(s.position());
        w.add(s.offset());
        w.add(s.metaDataLength());
        w.add(s.bodyLength());
        if (w.writes()) {
            s.set(s.offset(), s.metaDataLength(), s.bodyLength());
        }
    }
}
