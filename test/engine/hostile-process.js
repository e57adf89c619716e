/**
 * Stands in for an engine's process that was taken over. A check whose path is a key of `ATTACKS` gets those bytes instead of a
 * reply; every other is answered.
 */

import { writeSync } from 'node:fs';
import { CHANNEL } from '../../dist/engine/engine-channel.js';
import { standIn } from './stand-in.js';

/** A frame with that JSON, and those byte arrays. */
function frame(json, bytes = '') {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(Buffer.byteLength(json), 0);
  prefix.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([prefix, Buffer.from(json), Buffer.from(bytes)]);
}

const REFUSAL = { code: 'invalid_input', message: '', issues: [], issueCount: 0 };
const reply = (id, value) => frame(JSON.stringify({ id, value }));

const ATTACKS = {
  null: () => frame('null'),
  list: () => frame('[null]'),
  number: () => frame('7'),
  'no JSON': () => frame('{"alive":tru'),
  'no text': () => Buffer.concat([frame('"xx"').subarray(0, 9), Buffer.from([0xff, 0xff, 0x22])]),
  'a huge length': () => Buffer.alloc(8, 0xff),
  'huge byte arrays': () => Buffer.concat([Buffer.from([2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), Buffer.from('{}')]),
  depth: () => frame('['.repeat(50_000) + ']'.repeat(50_000)),
  'a message of V8': () => Buffer.from('ff0f6f220269644902220576616c75656e7b02', 'hex'),
  'no value': (id) => frame(JSON.stringify({ id })),
  'another value': (id) => reply(id, { total: 'many' }),
  'a value of another task': (id) => reply(id, 7),
  'two reports in one': (id) => reply(id, { refusal: REFUSAL, total: 1 }),
  'a code that is none': (id) => reply(id, { refusal: { ...REFUSAL, code: 'constructor' } }),
  'a sign of life with a value': (id) => frame(JSON.stringify({ alive: true, id, value: null })),
  'a value and an error': (id) => frame(JSON.stringify({ id, value: { refusal: REFUSAL }, error: null })),
  'byte arrays that are not there': (id) => reply(id, checked({ $bytes: 9 })),
  'byte arrays that nobody asked for': () => frame('{"alive":true}', 'x'),
  'an id that is no number': () => frame('{"id":"1","value":null}'),
  'a task that was never sent': () => reply(999_999, { refusal: REFUSAL }),
  'a late task that was never sent': () => frame('{"overdue":999999}'),
  'two starts': () => frame('{"ready":true}'),
  'too many signs of life': () => Buffer.concat(Array.from({ length: 5_000 }, () => frame('{"alive":true}'))),
};

/** The report of a drawn job whose byte arrays are `bytes`. */
function checked(bytes) {
  const drawn = { segmentBytes: 0, indexBytes: 0, entries: 0, headerBytes: 0 };
  Object.assign(drawn, { spool: bytes, segment: bytes, index: bytes, archiveEnd: bytes });
  return { sendEmail: false, format: 'png', total: 1, lines: [], warnings: [], spoolBytes: 1, chunks: [], drawn };
}

standIn((_, { bodyPath }, id) => {
  const [subject, ...rest] = bodyPath.split(': ');
  if (subject === 'error line') {
    writeSync(2, `${rest.join()}\u001b[2J\u202e${'x'.repeat(100_000)}\n\u0007second\n`);
    return 'done';
  }
  if (!(bodyPath in ATTACKS)) return bodyPath;
  writeSync(CHANNEL, ATTACKS[bodyPath](id));
  return undefined;
});
