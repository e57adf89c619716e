/**
 * The first sheet of a file of labels as an SVG picture. The picture is made of the file's own operators, so that it shows what
 * is printed.
 */

import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { LabelLayout, Sheet } from '../../contract/label-request.js';
import type { EventLoopTurns } from '../../platform/concurrency.js';

/** The most codes of a picture: browsers draw it at every choice of a person. No sheet with a name has more labels. */
export const MOST_DRAWN = 300;

/** The most characters of operators that a picture is made of. More than the codes have that can be read on a page. */
const MOST_CHARACTERS = 4_000_000;

/** Operators that are drawn in one turn of the event loop. */
const IN_A_TURN = 5_000;

const POINTS_PER_UM = 72 / 25_400;

/** A coordinate system: [a b c d e f] of ISO 32000-1, clause 8.3.3. */
type Matrix = readonly [number, number, number, number, number, number];

/** The items of a layout that are on its first sheet, as many as a picture has. */
export function firstLabels(layout: LabelLayout): LabelLayout {
  const { sheet, used } = layout;
  let left = Math.min(MOST_DRAWN, sheet.columns * sheet.rows - used);
  const items = layout.items.flatMap(({ firstItem, endItem }) => {
    const end = Math.min(endItem, firstItem + left);
    left -= end - firstItem;
    return end > firstItem ? [{ firstItem, endItem: end }] : [];
  });
  return { ...layout, items };
}

interface SheetPicture {
  sheet: Sheet;
  /** A data URL. The file has the same logo in another form. */
  logo: string | undefined;
  turns: EventLoopTurns;
}

/** @param pdf a file of one page */
export async function sheetPicture(pdf: Buffer, { sheet, logo, turns }: SheetPicture): Promise<string> {
  const streams = streamsOf(pdf);
  const page = await contentOf(streams.at(-1));
  // The form with the cut marks stands before the page.
  const marks = page.includes('/M Do') ? await contentOf(streams.at(-2)) : '';
  const [width, height] = [sheet.pageWidthUm * POINTS_PER_UM, sheet.pageHeightUm * POINTS_PER_UM];
  const picture = new Picture(marks, turns);
  await picture.draw(page, [1, 0, 0, -1, 0, height]);
  const image = logo && `<image id="L" width="1" height="1" preserveAspectRatio="none" href="${logo}"/>`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}">`;
  return `${head}<defs>${image ?? ''}</defs>${picture.parts.join('')}</svg>`;
}

/** The file's streams as they are stored, in their order. */
function streamsOf(pdf: Buffer): Buffer[] {
  const text = pdf.toString('latin1');
  const streams: Buffer[] = [];
  const head = /<<[^]*?>>\s*stream\r?\n/g;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const length = Number(/\/Length (\d+)/.exec(found[0])?.[1]);
    streams.push(pdf.subarray(head.lastIndex, head.lastIndex + length));
    head.lastIndex += length;
  }
  return streams;
}

async function contentOf(stream: Buffer | undefined): Promise<string> {
  return stream === undefined ? '' : (await promisify(inflate)(stream)).toString('latin1');
}

/** The state of drawing that `q` saves and `Q` restores. */
interface State {
  matrix: Matrix;
  colour: string;
  width: number;
  clip: string;
}

/** The operators of `crates/labels` as elements. */
class Picture {
  readonly parts: string[] = [];
  readonly #marks: string;
  readonly #turns: EventLoopTurns;
  #clips = 0;
  #operators = 0;

  constructor(marks: string, turns: EventLoopTurns) {
    this.#marks = marks;
    this.#turns = turns;
  }

  async draw(content: string, from: Matrix): Promise<void> {
    let state: State = { matrix: from, colour: '#000', width: 1, clip: '' };
    const saved: State[] = [];
    let path = '';
    for (const { 0: line, index } of content.matchAll(/.+/g)) {
      this.#operators += 1;
      if (this.#operators % IN_A_TURN === 0) {
        await this.#turns.take();
      }
      // Between two labels.
      if (index > MOST_CHARACTERS && saved.length === 0) {
        return;
      }
      const operator = line.slice(line.lastIndexOf(' ') + 1);
      const numbers = line.split(' ').slice(0, -1).map(Number);
      const [a, b, c, d] = numbers;
      const { matrix } = state;
      const transform = () => `transform="matrix(${matrix.map(round).join(' ')})"`;
      switch (operator) {
        case 'q':
          saved.push(state);
          break;
        case 'Q':
          state = saved.pop() ?? state;
          break;
        case 're':
          // Filling closes it.
          path += `M${a} ${b}h${c}v${d}H${a}`;
          break;
        case 'm':
        case 'l':
        case 'c':
          path += operator.toUpperCase() + numbers.join(' ');
          break;
        case 'f':
          this.parts.push(`<path ${transform()} fill="${state.colour}" d="${path}"/>`);
          path = '';
          break;
        case 'S':
          this.parts.push(
            `<path ${transform()} fill="none" stroke="${state.colour}" stroke-width="${state.width}" d="${path}"/>`,
          );
          path = '';
          break;
        case 'n':
          this.#clips += 1;
          state = { ...state, clip: `c${this.#clips}` };
          this.parts.push(`<clipPath id="${state.clip}"><path ${transform()} d="${path}"/></clipPath>`);
          path = '';
          break;
        case 'Do':
          await this.#drawObject(line, state);
          break;
        default:
          state = stateAfter(operator, numbers, state);
      }
    }
  }

  /** Draws the marks that lines are cut by, or the logo. */
  async #drawObject(line: string, { matrix, clip }: State): Promise<void> {
    if (line.startsWith('/M')) {
      await this.draw(this.#marks, matrix);
      return;
    }
    // The rows of an image of a file go upwards from the bottom of a unit square.
    const upright = product([1, 0, 0, -1, 0, 1], matrix).map(round).join(' ');
    this.parts.push(`<g clip-path="url(#${clip})"><use href="#L" transform="matrix(${upright})"/></g>`);
  }
}

function stateAfter(operator: string, numbers: number[], state: State): State {
  switch (operator) {
    case 'cm':
      return { ...state, matrix: product(numbers as unknown as Matrix, state.matrix) };
    case 'k':
    case 'K':
      return { ...state, colour: '#000' };
    case 'rg':
      return { ...state, colour: `rgb(${numbers.map((each) => Math.round(each * 255)).join(' ')})` };
    case 'w':
      return { ...state, width: numbers[0] ?? 0 };
    default:
      return state;
  }
}

/** The matrix that does what the first does, and then what the second does. */
function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** A ten-thousandth of a point is not seen; as a factor of modules it is a tenth of a point across a page. */
function round(length: number): number {
  return Number(length.toFixed(6));
}
