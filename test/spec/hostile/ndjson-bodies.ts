/** NDJSON whose lines are not what they seem. */

import { type Attack, type Body, harmless, job, NDJSON_TYPE } from './attack.js';

const ITEM = '{"data":"1"}';

const refused = (name: string, body: Body, outcome: string): Attack => job(name, [NDJSON_TYPE], body, `400 ${outcome}`);
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

export const NDJSON_BODIES: readonly Attack[] = [
  refused('nothing', '', 'invalid_meta_line'),
  refused('an item first', ITEM, 'invalid_meta_line: 1 /data unknown_member'),
  refused('an array first', `[]\n${ITEM}`, 'invalid_meta_line: 1  wrong_type'),
  refused('__proto__ in the first line', `{"__proto__":{}}\n${ITEM}`, 'invalid_meta_line: 1 /__proto__ unknown_member'),
  refused(
    'a member twice in the first line',
    `{"format":"png","format":"svg"}\n${ITEM}`,
    'invalid_meta_line: 1 /format duplicate_member',
  ),
  refused('no UTF-8 in the first line', bytes('{"format":"', [0xc0, 0xaf], `"}\n${ITEM}`), 'invalid_meta_line'),
  refused('a surrogate in the first line', `{"format":"\\ud800"}\n${ITEM}`, 'invalid_meta_line'),
  refused(
    'a surrogate in the caption of all',
    `{"style":{"caption":{"text":"\\ud83d"}}}\n${ITEM}`,
    'invalid_meta_line: 1 /style/caption/text invalid_unicode',
  ),
  refused(
    'a surrogate in the logo of all',
    `{"style":{"logo":{"dataUrl":"data:image/png;base64,\\udc00"}}}\n${ITEM}`,
    'invalid_meta_line: 1 /style/logo/dataUrl invalid_unicode',
  ),
  refused('100,000 arrays in the first line', `{"style":${'['.repeat(100_000)}}\n${ITEM}`, 'invalid_meta_line'),
  refused('a first line of 50 MB', () => `{"format":"${'x'.repeat(50_000_000)}"}\n${ITEM}`, 'invalid_meta_line'),
  refused(
    '10 million empty lines and no item',
    () => `{}${'\n'.repeat(10_000_000)}`,
    'invalid_input: /items too_short',
  ),
  refused('an empty line first', `\n{}\n${ITEM}`, 'invalid_meta_line'),
  refused('lines that end in carriage returns', `{}\r${ITEM}\r${ITEM}`, 'invalid_meta_line'),
  refused('lines that end in line separators', `{}\u2028${ITEM}`, 'invalid_meta_line'),
  refused('UTF-16', Buffer.from(`{}\n${ITEM}`, 'utf16le'), 'invalid_meta_line'),
  refused('a JSON body', `{"items":[${ITEM}]}`, 'invalid_meta_line: 1 /items unknown_member'),
  refused('a JSON array over several lines', `{}\n[\n${ITEM}\n]`, 'invalid_json_line'),
  refused('an item over two lines', '{}\n{"data":\n"1"}', 'invalid_json_line'),
  refused('two items on a line', `{}\n${ITEM}${ITEM}`, 'invalid_json_line'),
  refused('items between commas', `{}\n${ITEM},\n${ITEM}`, 'invalid_json_line'),
  refused('NaN', '{}\n{"data":NaN}', 'invalid_json_line'),
  refused('no UTF-8', bytes('{}\n{"data":"', [0xff], '"}'), 'invalid_json_line'),
  refused('a slash in two bytes', bytes('{}\n{"filename":"', [0xc0, 0xaf], '","data":"1"}'), 'invalid_json_line'),
  refused('a surrogate alone', '{}\n{"data":"\\udfff"}', 'invalid_json_line: 2 /data invalid_unicode'),
  refused('data twice', '{}\n{"data":"1","data":"2"}', 'invalid_json_line: 2 /data duplicate_member'),
  refused('a NUL between lines', `{}\n${ITEM}\n\0\n${ITEM}`, 'invalid_json_line'),
  refused('100,000 arrays', `{}\n${'['.repeat(100_000)}`, 'invalid_json_line'),
  refused('a byte order mark on the second line', `{}\n\ufeff${ITEM}`, 'invalid_json_line'),
  refused('a line of 99 MB that does not end', () => `{}\n{"data":"${'x'.repeat(99_000_000)}`, 'invalid_json_line'),
  refused('an item of 99 MB', () => `{}\n{"data":"${'x'.repeat(99_000_000)}"}`, 'invalid_json_line: 2  too_long'),
  refused('an item of 900 kB', () => `{}\n{"data":"${'x'.repeat(900_000)}"}`, 'invalid_input: 2 /data too_long'),
  refused('__proto__', '{}\n{"data":"1","__proto__":1}', 'invalid_input: 2 /__proto__ unknown_member'),
  refused('null for an item', '{}\nnull', 'invalid_input: 2  wrong_type'),
  refused('an item wrong, the next no JSON', '{}\n{"data":""}\n{', 'invalid_json_line'),
  harmless('a colour that ends the first line of an SVG', [NDJSON_TYPE], `{"style":{"foreground":"#aBcDeF"}}\n${ITEM}`),
];
