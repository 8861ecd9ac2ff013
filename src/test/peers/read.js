// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Reads sound inputs and broken ones with readers that run in Node. Each line of standard input has, with tabs between
// them: a reader, the path of the sound input, that of the broken one. Prints the same lines as the Java program
// PeerReader, which says what they mean.

const fs = require('node:fs');
const readline = require('node:readline');
const arrow = require('apache-arrow');

// So many rows of a batch are compared: a broken input may claim 2^60.
const ROWS = 1000;

const READERS = {
    // Files and streams.
    'arrow-js': async bytes => arrow.tableFromIPC(bytes),

    // LanceDB reads a file with arrow-rs, copies the batches and returns them as another file.
    'arrow-rs-file': async bytes => {
        const { Connection } = require('@lancedb/lancedb-linux-x64-gnu');
        const connection = await Connection.new('memory://', {});
        const table = await connection.createTable('t', Buffer.from(bytes.buffer), 'create');
        const batches = await table.query().execute();
        const tables = [];
        for (let each = await batches.next(); each !== null; each = await batches.next()) {
            tables.push(arrow.tableFromIPC(each));
        }
        return { batches: tables.flatMap(each => each.batches) };
    },

    'arrow-rs-stream': async bytes => {
        const { Table } = require('parquet-wasm');
        return arrow.tableFromIPC(Table.fromIPCStream(bytes).intoIPCStream());
    },
};

/** The values of all batches, column by column. */
function textOf(table) {
    let rows = 0;
    const columns = [];
    for (const batch of table.batches) {
        rows += batch.numRows;
        for (let column = 0; column < batch.numCols; column++) {
            const values = batch.getChildAt(column);
            columns[column] ??= [];
            for (let row = 0; row < Math.min(batch.numRows, ROWS); row++) {
                columns[column].push(text(values.get(row)));
            }
        }
    }
    return rows + '\n' + columns.map(each => each.join(' ')).join('\n');
}

function text(value) {
    if (value === null || value === undefined) {
        return 'null';
    }
    if (typeof value === 'string') {
        return JSON.stringify(value);
    }
    if (value instanceof Date) {
        return String(value.getTime());
    }
    if (typeof value[Symbol.iterator] === 'function') {
        return '[' + Array.from(value, text).join() + ']'; // lists, bytes, and entries of structs
    }
    return String(value);
}

function outcomeOf(error) {
    const message = String(error?.message ?? error);
    if (/allocation failed|out of memory|memory allocation of/i.test(message)) {
        return 'too much memory';
    }
    const crashed =
        error instanceof WebAssembly.RuntimeError || /panic|call stack size exceeded/i.test(message);
    return crashed ? 'crash' : 'refused';
}

/** The bytes of a file in an array of their own: a Buffer may share it with earlier files. */
function bytesOf(path) {
    return new Uint8Array(fs.readFileSync(path));
}

async function compare(read, sound, broken) {
    let expected;
    try {
        expected = textOf(await read(bytesOf(sound)));
    } catch (error) {
        console.log('unsupported\t' + line(error));
        return;
    }
    console.log('sound');
    try {
        const found = textOf(await read(bytesOf(broken)));
        console.log(found === expected ? 'read' : 'wrong values\t' + line(found));
    } catch (error) {
        console.log(outcomeOf(error) + '\t' + line(error));
    }
}

function line(of) {
    return String(of?.message ?? of).replace(/\s+/g, ' ').slice(0, 300);
}

async function main() {
    for await (const each of readline.createInterface({ input: process.stdin })) {
        const [reader, sound, broken] = each.split('\t');
        await compare(READERS[reader], sound, broken);
    }
    process.exit(0); // LanceDB's threads would wait
}

main();
