/** JSON that parsers disagree about, or break on. */

import { type Attack, type Body, harmless, JSON_TYPE, job } from './attack.js';

const ITEM = '{"data":"1"}';
const INVALID = '400 invalid_input';

/** A body, and the place and code of what is wrong with it. */
const refused = (name: string, body: Body, issue: string): Attack =>
  job(name, [JSON_TYPE], body, `${INVALID}: ${issue}`);
const accepted = (name: string, body: Body): Attack => harmless(name, [JSON_TYPE], body);

/** A job of one item with `members` beside its data. */
const item = (members: string) => `{"items":[{"data":"1",${members}}]}`;
/** A job with `members` beside its items. */
const meta = (members: string) => `{"items":[${ITEM}],${members}}`;
/** A job whose one item's data is `bytes`. */
const data = (...bytes: number[]) =>
  Buffer.concat([Buffer.from('{"items":[{"data":"a'), Buffer.from(bytes), Buffer.from('b"}]}')]);

const DEPTH = 100_000;
const nested = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH);

export const JSON_BODIES: readonly Attack[] = [
  // Prototype pollution, and members that nobody may set.
  refused('__proto__ of an item', item('"__proto__":{"admin":true}'), '/items/0/__proto__ unknown_member'),
  refused('__proto__ in disguise', item('"\\u005f_proto__":{"admin":true}'), '/items/0/__proto__ unknown_member'),
  refused('constructor of an item', item('"constructor":{"prototype":{}}'), '/items/0/constructor unknown_member'),
  refused('__proto__ of the job', meta('"__proto__":{"format":"svg"}'), '/__proto__ unknown_member'),
  refused('prototype of the job', meta('"prototype":1'), '/prototype unknown_member'),
  refused('toString of the style', meta('"style":{"toString":1}'), '/style/toString unknown_member'),
  refused('hasOwnProperty of the style', meta('"style":{"hasOwnProperty":1}'), '/style/hasOwnProperty unknown_member'),
  refused('a price', meta('"creditsCharged":0'), '/creditsCharged unknown_member'),
  refused('a total', meta('"total":1'), '/total unknown_member'),
  refused('a state', meta('"status":"complete"'), '/status unknown_member'),
  refused('another organisation', meta('"organisationId":"other"'), '/organisationId unknown_member'),
  refused('an id', item('"id":"1"'), '/items/0/id unknown_member'),
  refused('a member without a name', item('"":1'), '/items/0/ unknown_member'),
  refused('a name that is a pointer', item('"a/b~c":1'), '/items/0/a~1b~0c unknown_member'),
  refused('a name of a megabyte', () => item(`"${'x'.repeat(1_000_000)}":1`), '/items/0 unknown_member'),
  refused('a name of a megabyte in the job', () => meta(`"${'~'.repeat(1_000_000)}":1`), ' unknown_member'),
  refused(
    'a name of a megabyte in the style',
    () => meta(`"style":{"${'x'.repeat(1_000_000)}":1}`),
    '/style unknown_member',
  ),

  // Depth.
  refused('100,000 arrays in each other', nested('[', ']'), ' invalid_json'),
  refused('100,000 arrays that do not end', '['.repeat(DEPTH), ' invalid_json'),
  refused('100,000 objects in each other', nested('{"a":', '}').replace(':}', ':1}'), ' invalid_json'),
  refused('100,000 arrays as data', `{"items":[{"data":${nested('[', ']')}}]}`, ' invalid_json'),
  refused('100,000 arrays in the style', meta(`"style":${nested('[', ']')}`), ' invalid_json'),
  refused('100,000 arrays in an unknown member', item(`"x":${nested('[', ']')}`), ' invalid_json'),
  refused('25 million brackets', () => '['.repeat(24_999_999), ' invalid_json'),

  // Numbers.
  refused('1e400', meta('"style":{"scale":1e400}'), '/style/scale too_large'),
  refused('-1e400', meta('"style":{"margin":-1e400}'), '/style/margin too_small'),
  refused('1e-400', meta('"style":{"scale":1e-400}'), '/style/scale too_small'),
  refused(
    'a number of a million digits',
    () => meta(`"style":{"scale":${'9'.repeat(1_000_000)}}`),
    '/style/scale too_large',
  ),
  refused('2^53 + 1', meta('"style":{"scale":9007199254740993}'), '/style/scale too_large'),
  refused('2^32 + 10', meta('"style":{"scale":4294967306}'), '/style/scale too_large'),
  refused('half a module', meta('"style":{"margin":0.5}'), '/style/margin wrong_type'),
  refused('NaN', meta('"style":{"scale":NaN}'), ' invalid_json'),
  refused('Infinity', meta('"style":{"scale":-Infinity}'), ' invalid_json'),
  refused('a hexadecimal number', meta('"style":{"scale":0x10}'), ' invalid_json'),
  refused('an octal number', meta('"style":{"scale":010}'), ' invalid_json'),
  refused('a number with a plus', meta('"style":{"scale":+10}'), ' invalid_json'),
  refused('a number that begins with its point', meta('"style":{"scale":.5}'), ' invalid_json'),
  refused('a number that ends with its point', meta('"style":{"scale":10.}'), ' invalid_json'),
  refused('an exponent without digits', meta('"style":{"scale":1e}'), ' invalid_json'),
  refused('a number as text', meta('"style":{"scale":"10"}'), '/style/scale wrong_type'),
  refused('1e400 as text', meta('"style":{"scale":"1e400"}'), '/style/scale wrong_type'),
  refused('Infinity as text', meta('"style":{"scale":"Infinity"}'), '/style/scale wrong_type'),
  refused('1e400 in an array', meta('"style":{"scale":[1e400]}'), '/style/scale wrong_type'),
  refused(
    'an object that is no text as a number',
    meta('"style":{"scale":{"toString":null}}'),
    '/style/scale wrong_type',
  ),
  accepted('1e1', meta('"style":{"scale":1e1}')),
  accepted('10.0', meta('"style":{"scale":10.0}')),
  accepted('-0', meta('"style":{"margin":-0}')),

  // Members twice.
  refused('data twice', '{"items":[{"data":"1","data":"2"}]}', '/items/0/data duplicate_member'),
  refused(
    'data twice, once in disguise',
    '{"items":[{"data":"1","d\\u0061ta":"2"}]}',
    '/items/0/data duplicate_member',
  ),
  refused('items twice', `{"items":[${ITEM}],"items":[${ITEM},${ITEM}]}`, '/items duplicate_member'),
  refused('format twice', meta('"format":"png","format":"svg"'), '/format duplicate_member'),
  refused('a scale twice', meta('"style":{"scale":1,"scale":2}'), '/style/scale duplicate_member'),
  refused('a style twice', meta('"style":{},"style":{}'), '/style duplicate_member'),

  // Bytes that are no UTF-8, or no text.
  refused('UTF-16, little endian', Buffer.from(`\ufeff${meta('"format":"png"')}`, 'utf16le'), ' invalid_unicode'),
  refused('UTF-16, big endian', Buffer.from(meta('"format":"png"'), 'utf16le').swap16(), ' invalid_json'),
  refused(
    'UTF-32',
    Buffer.from([...meta('"format":"png"')].flatMap((each) => [each.charCodeAt(0), 0, 0, 0])),
    ' invalid_json',
  ),
  refused('a byte order mark alone', '\ufeff', ' invalid_json'),
  refused('two byte order marks', `\ufeff\ufeff${meta('"format":"png"')}`, ' invalid_json'),
  refused('a byte order mark behind', `${meta('"format":"png"')}\ufeff`, ' invalid_json'),
  refused('a slash in two bytes', data(0xc0, 0xaf), ' invalid_unicode'),
  refused('a slash in three bytes', data(0xe0, 0x80, 0xaf), ' invalid_unicode'),
  refused('a NUL in two bytes', data(0xc0, 0x80), ' invalid_unicode'),
  refused('a quotation mark in two bytes', data(0xc0, 0xa2), ' invalid_unicode'),
  refused('a surrogate in three bytes', data(0xed, 0xa0, 0x80), ' invalid_unicode'),
  refused('a pair of surrogates in six bytes', data(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), ' invalid_unicode'),
  refused('a continuation alone', data(0x80), ' invalid_unicode'),
  refused('a sequence cut short', data(0xf0, 0x9f, 0x98), ' invalid_unicode'),
  refused('beyond U+10FFFF', data(0xf4, 0x90, 0x80, 0x80), ' invalid_unicode'),
  refused('five bytes', data(0xf8, 0x88, 0x80, 0x80, 0x80), ' invalid_unicode'),
  refused('0xFF', data(0xff), ' invalid_unicode'),
  refused('Latin-1', data(0xe9), ' invalid_unicode'),
  refused('a name that is a surrogate', '{"items":[{"data":"x"}],"\\ud800":1}', '/\ufffd invalid_unicode'),
  refused('a high surrogate alone', '{"items":[{"data":"\\ud800"}]}', '/items/0/data invalid_unicode'),
  refused('a low surrogate alone', '{"items":[{"data":"\\udc00x"}]}', '/items/0/data invalid_unicode'),
  refused('surrogates the wrong way round', '{"items":[{"data":"\\udc00\\ud800"}]}', '/items/0/data invalid_unicode'),
  refused(
    'a surrogate in the caption of all',
    `{"style":{"caption":{"text":"\\ud83d"}},"items":[${ITEM}]}`,
    '/style/caption/text invalid_unicode',
  ),
  refused('a surrogate in a filename', item('"filename":"\\ud83d"'), '/items/0/filename invalid_unicode'),
  refused(
    'an item whose number, as a place in the text, is within a character',
    `{"items":[{"data":"é"},${`${ITEM},`.repeat(9)}{"data":""}]}`,
    '/items/10/data too_short',
  ),
  refused('a NUL as it is', data(0x00), ' invalid_json'),
  refused('a line feed as it is', data(0x0a), ' invalid_json'),
  refused('an escape as it is', data(0x1b), ' invalid_json'),
  accepted('a NUL in its escape', '{"items":[{"data":"\\u0000"}]}'),
  accepted('a delete character and controls of C1', '{"items":[{"data":"\u007f\u0080\u009f"}]}'),
  accepted('bidi overrides', '{"items":[{"data":"\u202egpj.exe\u2066","filename":"\u202egpj.exe"}]}'),
  accepted('noncharacters', '{"items":[{"data":"\ufffe\uffff\u{10ffff}"}]}'),
  accepted('a thousand combining marks', `{"items":[{"data":"e${'\u0301'.repeat(1_000)}"}]}`),

  // Text that looks like JSON.
  refused('two values', '{"items":[{"data":"1"}]}{}', ' invalid_json'),
  refused('something behind', '{"items":[{"data":"1"}]}x', ' invalid_json'),
  refused('a NUL behind', '{"items":[{"data":"1"}]}\0', ' invalid_json'),
  refused('a comma too many', '{"items":[{"data":"1"},]}', ' invalid_json'),
  refused('a comma too many in an object', '{"items":[{"data":"1",}]}', ' invalid_json'),
  refused('a comment', '{"items":[{"data":"1"}]/**/}', ' invalid_json'),
  refused('single quotes', "{'items':[{'data':'1'}]}", ' invalid_json'),
  refused('names without quotes', '{items:[{data:"1"}]}', ' invalid_json'),
  refused('an escape that is none', '{"items":[{"data":"\\x41"}]}', ' invalid_json'),
  refused('half of an escape', '{"items":[{"data":"\\u12"}]}', ' invalid_json'),
  refused('a no-break space between', '{"items":\u00a0[{"data":"1"}]}', ' invalid_json'),
  refused('a line separator between', '{"items":\u2028[{"data":"1"}]}', ' invalid_json'),
  refused('a vertical tab between', '{"items":\x0b[{"data":"1"}]}', ' invalid_json'),
  refused('a call', `callback(${meta('"format":"png"')})`, ' invalid_json'),
  refused('a guard against scripts', `)]}',\n${meta('"format":"png"')}`, ' invalid_json'),
  refused('True', meta('"sendEmail":True'), ' invalid_json'),
  refused(
    'XML with an entity of a file',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    ' invalid_json',
  ),
  refused('YAML', 'items:\n- data: "1"\n', ' invalid_json'),
  refused('null', 'null', ' wrong_type'),
  refused('a string', '"items"', ' wrong_type'),
  refused('a number', '1', ' wrong_type'),

  // The wrong kind.
  refused('items that only look like an array', '{"items":{"0":{"data":"1"},"length":1}}', '/items wrong_type'),
  refused('items as text', '{"items":"1"}', '/items wrong_type'),
  refused('an array in the array', '{"items":[[{"data":"1"}]]}', '/items/0 wrong_type'),
  refused('null among the items', `{"items":[${ITEM},null]}`, '/items/1 wrong_type'),
  refused('data as an array', '{"items":[{"data":["1"]}]}', '/items/0/data wrong_type'),
  refused('data as an object of a query', '{"items":[{"data":{"$ne":""}}]}', '/items/0/data wrong_type'),
  refused('data as true', '{"items":[{"data":true}]}', '/items/0/data wrong_type'),
  refused('a filename as an array', item('"filename":["../a"]'), '/items/0/filename wrong_type'),
  refused('a format as an array', meta('"format":["png"]'), '/format wrong_type'),
  refused('sendEmail as 1', meta('"sendEmail":1'), '/sendEmail wrong_type'),
  refused('sendEmail as an address', meta('"sendEmail":"other@example.org"'), '/sendEmail wrong_type'),
  refused('a style as null', meta('"style":null'), '/style wrong_type'),

  // Values that a careless service would write into a picture, fetch or open.
  refused(
    'a script as a colour',
    meta('"style":{"foreground":"#000000\\"/><script>"}'),
    '/style/foreground invalid_value',
  ),
  refused(
    'an address as a colour',
    meta('"style":{"background":"url(http://169.254.169.254/)"}'),
    '/style/background invalid_value',
  ),
  refused(
    'full-width digits as a colour',
    meta('"style":{"foreground":"#００００００"}'),
    '/style/foreground invalid_value',
  ),
  refused('a line end behind a colour', meta('"style":{"foreground":"#000000\\n"}'), '/style/foreground invalid_value'),
  refused(
    'metadata of a cloud as a logo',
    logo('http://169.254.169.254/latest/meta-data/'),
    '/style/logo/dataUrl invalid_logo',
  ),
  refused('a file as a logo', logo('file:///etc/passwd'), '/style/logo/dataUrl invalid_logo'),
  refused('an SVG as a logo', logo('data:image/svg+xml;base64,PHN2Zy8+'), '/style/logo/dataUrl invalid_logo'),
  refused('HTML as a logo', logo('data:text/html;base64,PGI+'), '/style/logo/dataUrl invalid_logo'),
  refused('no base64 as a logo', logo('data:image/png;base64,%%%%'), '/style/logo/dataUrl invalid_logo'),
  refused(
    'a surrogate in a logo',
    meta(String.raw`"style":{"logo":{"dataUrl":"data:image/png;base64,\ud83d"}}`),
    '/style/logo/dataUrl invalid_unicode',
  ),
  refused('half of a PNG as a logo', logo('data:image/png;base64,iVBORw0KGgo='), '/style/logo/dataUrl invalid_logo'),
  refused('a PNG of 65,535 squared as a logo', logo(pngHeader(65_535)), '/style/logo/dataUrl invalid_logo'),

  // Masses.
  accepted(
    '20,000 equal names',
    () => `{"items":[${Array<string>(20_000).fill('{"data":"1","filename":"a"}').join()}]}`,
  ),
  refused('20,001 items', () => `{"items":[${Array<string>(20_001).fill(ITEM).join()}]}`, '/items too_long'),
  refused('a string of 24 MB', () => `{"items":[{"data":"${'x'.repeat(24_000_000)}"}]}`, '/items/0/data too_long'),
  refused('24 MB of spaces', () => `${' '.repeat(24_000_000)}{}`, '/items required'),
  refused(
    'a million unknown members',
    () => item(Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join()),
    '/items/0/0 unknown_member',
  ),
  refused(
    '20,000 items that are wrong',
    () => `{"items":[${Array<string>(20_000).fill('{}').join()}]}`,
    '/items/0/data required',
  ),
];

function logo(dataUrl: string): string {
  return meta(`"style":{"logo":{"dataUrl":${JSON.stringify(dataUrl)}}}`);
}

/** A data URL of a PNG that says it is so many pixels wide and high, and has none. */
function pngHeader(side: number): string {
  const header = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(side, 16);
  header.writeUInt32BE(side, 20);
  Buffer.from('0806000000', 'hex').copy(header, 24);
  return `data:image/png;base64,${header.toString('base64')}`;
}
