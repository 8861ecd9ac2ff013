// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

// ---- rows: parts of the input, objects, regions, notes and faults, in the order of their bytes

const PART = 0, NODE = 1, REGION = 2, NOTE = 3, FAULT = 4;
const rows = data.rows, count = rows.length;
const types = new Uint8Array(count), levels = new Uint8Array(count), parents = new Int32Array(count).fill(-1);
const from = new Float64Array(count), to = new Float64Array(count), expanded = new Uint8Array(count).fill(1);
const bufferAt = new Float64Array(count).fill(-1);
const regions = [], faultRows = [];
{
  let at = 0, part = -1, node = -1, region = -1, buffer = -1;
  rows.forEach((row, i) => {
    types[i] = row[0];
    if (row[0] === PART) {
      [part, node, buffer] = [i, -1, row[2]];
    } else if (row[0] === NODE) {
      node = i;
      parents[i] = part;
      levels[i] = 1;
    } else if (row[0] === REGION) {
      if (!row[3]) node = -1;
      region = i;
      parents[i] = node >= 0 ? node : part;
      regions.push(i);
    } else {
      parents[i] = region >= 0 ? region : part;
      if (row[0] === FAULT) faultRows.push(i);
    }
    bufferAt[i] = buffer;
    if (row[0] !== PART && parents[i] >= 0) levels[i] = levels[parents[i]] + 1;
    from[i] = at;
    if (row[0] === REGION) at += row[1];
    to[i] = at;
    if (row[0] >= NOTE && region >= 0) from[i] = from[region];
    for (let up = parents[i]; row[0] === REGION && up >= 0; up = parents[up]) to[up] = at;
  });
}
const shown = regions.length ? to[regions[regions.length - 1]] : 0;
const faulty = new Set(faultRows.map(i => parents[i]));

const GROUPS = { 'vtable-size': 'vtable', 'table-size': 'vtable', slot: 'vtable', 'vtable-offset': 'table', field: 'table',
  'unknown-field': 'loose', text: 'string', terminator: 'string', element: 'vector', padding: 'padding',
  unreferenced: 'loose', 'not-annotated': 'loose', body: 'padding' };
const LEGEND = [['framing', 'frames and offsets to roots'], ['vtable', 'vtables'], ['table', 'tables'], ['string', 'strings'],
  ['vector', 'vectors and lengths'], ['padding', 'padding and bodies'], ['loose', 'unreferenced or unknown']];
const groupOf = row => GROUPS[data.kinds[rows[row][2]]] ?? (data.kinds[rows[row][2]] === 'length' ? 'vector' : 'framing');

/** The region that a byte belongs to: its place in regions. */
function regionAt(byte) {
  let low = 0, high = regions.length - 1;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if (from[regions[middle]] <= byte) low = middle; else high = middle - 1;
  }
  return low;
}

// ---- bytes: lines of 16, but for what is not shown

const PER_LINE = 16, LINE = 20;
const spans = data.bytes.map(([at, text]) => {
  const raw = atob(text);
  return { at, bytes: Uint8Array.from(raw, c => c.charCodeAt(0)), length: raw.length };
});
{
  const gaps = [];
  let at = 0;
  for (const span of spans) {
    if (span.at > at) gaps.push({ at, bytes: null, length: span.at - at });
    at = span.at + span.length;
  }
  if (shown > at) gaps.push({ at, bytes: null, length: shown - at });
  spans.push(...gaps);
  spans.sort((a, b) => a.at - b.at);
}
let lineCount = 0;
for (const span of spans) {
  span.line = lineCount;
  span.lines = span.bytes ? Math.ceil(span.length / PER_LINE) : 1;
  lineCount += span.lines;
}

function last(list, isBefore) {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if (isBefore(list[middle])) low = middle; else high = middle - 1;
  }
  return list[low];
}

const spanOfByte = byte => last(spans, span => span.at <= byte);
const spanOfLine = line => last(spans, span => span.line <= line);

function lineOf(byte) {
  const span = spanOfByte(byte);
  return span.line + (span.bytes ? Math.floor((byte - span.at) / PER_LINE) : 0);
}

