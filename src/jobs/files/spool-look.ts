/**
 * Reads the look of a job's pictures from the header of its spool (layout: `crates/batch/src/spool/header.rs`), as the
 * settings of a request.
 */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';

/** Magic number, layout version, and length of the settings. */
const PREFIX_BYTES = 16;
const MAGIC = 'QRPSPOOL';
const LAYOUT_VERSION = 3;

const FORMATS = ['png', 'svg', 'both'] as const;
const LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** @throws Error when this is not a header of this layout */
export function lookOfSpool(header: Buffer): JobMeta {
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC || header.readUInt32LE(MAGIC.length) !== LAYOUT_VERSION) {
    throw new Error('this is not a spool with the layout of this version');
  }
  const settings = new Settings(header.subarray(PREFIX_BYTES));
  const format = settings.oneOf(FORMATS);
  const ecLevel = settings.oneOf(LEVELS);
  const [scale, margin] = [settings.number(1), settings.number(1)];
  const [foreground, background] = [settings.colour(), settings.colour()];
  const dpi = settings.number(2);
  const captionColour = settings.rgb();
  const fontSizePx = settings.number(2);
  const text = settings.text(settings.number(2));
  const ratioMillionths = settings.number(4);
  const dataUrl = settings.text(settings.number(4));
  return {
    format,
    style: {
      ecLevel,
      scale,
      margin,
      foreground,
      background,
      ...(dpi > 0 && { dpi }),
      caption: {
        ...(text !== '' && { text }),
        ...(captionColour !== (foreground === 'transparent' ? '#000000' : foreground) && { colour: captionColour }),
        fontSize: Math.round((fontSizePx * LIMITS.scale.default) / scale),
      },
      ...(dataUrl !== '' && { logo: { dataUrl, sizeRatio: ratioMillionths / 1_000_000 } }),
    },
  };
}

/** Reads settings field by field. Numbers are little-endian. */
class Settings {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  number(bytes: 1 | 2 | 4): number {
    this.#at += bytes;
    return this.#bytes.readUIntLE(this.#at - bytes, bytes);
  }

  oneOf<const T extends string>(values: readonly T[]): T {
    const value = values[this.number(1)];
    if (value === undefined) {
      throw new Error('the header of the spool is damaged');
    }
    return value;
  }

  rgb(): string {
    return `#${[this.number(1), this.number(1), this.number(1)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }

  colour(): string {
    const isOpaque = this.number(1) === 1;
    const rgb = this.rgb();
    return isOpaque ? rgb : 'transparent';
  }

  text(bytes: number): string {
    this.#at += bytes;
    return this.#bytes.toString('utf8', this.#at - bytes, this.#at);
  }
}
