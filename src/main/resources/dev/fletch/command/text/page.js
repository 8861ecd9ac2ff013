// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

'use strict';
// Text from the input is inserted as textContent, never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const number = n => n.toLocaleString('en');

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Escapes control characters, line breaks and marks of writing direction. */
function printable(text) {
  if (text === '') return '""';
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, c => c === '\u200c' || c === '\u200d' ? c
    : '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));
}

/** The largest index from 0 to end for which isBefore is true, or 0: it is true up to some index. */
function lastIndex(end, isBefore) {
  let low = 0, high = end;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if (isBefore(middle)) low = middle; else high = middle - 1;
  }
  return low;
}

/** Shows the input's name and what it is at the top of the page. */
function showTitle(command, summary) {
  const name = printable(data.file);
  document.title = `fletch ${command}: ${name}`;
  byId('file').textContent = name;
  byId('summary').textContent = summary;
}

/** Shows details at the end of the page: pairs of a name and a value. */
function show(pairs) {
  byId('details').replaceChildren(...pairs.flatMap(([name, value]) => {
    const span = element('span');
    span.append(...name ? [element('b', name), ' '] : [], value);
    return [span, ' '];
  }));
}

