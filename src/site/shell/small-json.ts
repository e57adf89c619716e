/** JSON of strangers, which is parsed on the thread of the event loop. */

/** Brackets and commas, those in texts too. The parser takes a quarter of a second for a million of them. */
const MAX_JSON_PARTS = 20_000;

/** Code units. */
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/**
 * The value of a text of up to some megabytes. @throws SyntaxError also for one of too many parts
 */
export function parseSmallJson(text: string): unknown {
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    parts += unit === COMMA || unit === BRACKET || unit === BRACE ? 1 : 0;
  }
  if (parts > MAX_JSON_PARTS) {
    throw new SyntaxError(`The JSON has more than ${MAX_JSON_PARTS} parts`);
  }
  return JSON.parse(text) as unknown;
}
