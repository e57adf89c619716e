/** Lengths that people type, with their unit or without. */

export const MM_PER_INCH = 25.4;

/** Such as `30`, `8,5`, `30 mm`, `3 cm` and `2 in`. */
const LENGTH = /^(\d{1,4}(?:[.,]\d{1,3})?)\s*(mm|cm|in|inch|inches|"|”|″)?$/i;

const MM_PER_UNIT: Record<string, number> = { '': 1, mm: 1, cm: 10 };

/** A typed length in millimetres; 0 for another text. */
export function millimetres(text: string): number {
  const [, count = '', unit = ''] = LENGTH.exec(text.trim()) ?? [];
  return Number(count.replace(',', '.')) * (MM_PER_UNIT[unit.toLowerCase()] ?? MM_PER_INCH);
}
