/** Lines of text that the engine's process writes to its standard error, where a process that was taken over may write anything. */

const MOST_CHARACTERS = 500;

/** Lines of one process that are passed on: those of some panics. */
const MOST_LINES = 200;

/** Control characters, and those that change the order of the text around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Cuts a stream into lines, and passes on those that a log can have. Memory is bounded. */
export class ErrorLines {
  readonly #onLine: (line: string) => void;
  #held = '';
  #count = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const [first = '', ...others] = chunk.toString('latin1').split('\n');
    this.#add(first);
    for (const text of others) {
      this.#end();
      this.#add(text);
    }
  }

  #add(text: string): void {
    this.#held += text.slice(0, MOST_CHARACTERS - this.#held.length);
  }

  #end(): void {
    const line = Buffer.from(this.#held, 'latin1').toString().replaceAll(UNPRINTABLE, ' ').trim();
    this.#held = '';
    this.#count += 1;
    if (line !== '' && this.#count <= MOST_LINES) {
      this.#onLine(line);
    }
  }
}
