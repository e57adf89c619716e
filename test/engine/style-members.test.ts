/** The engine reads every member of the contract's style, and fills in the contract's defaults. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { FORMATS, type JobMeta, PATTERN, StyleSchema } from '../../src/contract/request-schema.js';
import { native } from '../../src/engine/addon.js';
import { checkBody } from '../../src/engine/check-body.js';
import { settingsOfSpool } from '../../src/engine/in-process.js';

native.openFonts([fileURLToPath(new URL('../../fonts', import.meta.url))]);
const folder = mkdtempSync(join(tmpdir(), 'qrpress-style-members-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Texts for each pattern. */
const TEXTS: Record<string, string> = {
  [PATTERN.hexColour]: '#a0b0c0',
  [PATTERN.hexColourOrTransparent]: '#0a0b0c',
  [PATTERN.pngDataUrl]: `data:image/png;base64,${PIXEL}`,
};

interface Member {
  type: string;
  properties?: Record<string, Member>;
  enum?: unknown[];
  pattern?: string;
  maximum?: number;
  anyOf?: Member[];
  default?: unknown;
}

const STYLE = StyleSchema as unknown as Member;

/** A value that is not the default, for every member below. */
function sample({ type, properties, enum: words, pattern = '', maximum, anyOf, default: fallback }: Member): unknown {
  if (anyOf?.[0] !== undefined) return sample(anyOf[0]);
  return properties !== undefined
    ? Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sample(member)]))
    : type === 'boolean'
      ? fallback !== true
      : (words?.at(-1) ?? maximum ?? TEXTS[pattern] ?? 'text');
}

/** The settings in the spool of a job. */
function kept(settings: JobMeta): JobMeta {
  const [bodyPath, spoolPath] = [join(folder, 'body'), join(folder, 'spool')];
  // The largest scale and font leave room for small symbols alone.
  writeFileSync(bodyPath, JSON.stringify({ ...settings, items: [{ data: 'A', caption: '' }] }));
  const report = checkBody({ bodyPath, form: 'json', chunkItems: 1, spoolPath });
  if ('refusal' in report) {
    throw new Error(JSON.stringify(report.refusal));
  }
  return settingsOfSpool(readFileSync(spoolPath).subarray(0, report.chunks[0]?.spoolOffset));
}

it('keeps every member of the style in the spool', () => {
  const style = sample(STYLE) as NonNullable<JobMeta['style']>;
  expect(kept({ format: 'both', style })).toEqual({ format: 'both', style });
});

it.each(FORMATS)('keeps the format %s', (format) => {
  expect(kept({ format }).format).toBe(format);
});

it('fills in the defaults of the contract', { tags: ['requests/defaults'] }, () => {
  const defaultsOf = (member: Member | undefined) =>
    Object.fromEntries(
      Object.entries(member?.properties ?? {}).flatMap(([name, { default: value }]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
  const logo = { dataUrl: TEXTS[PATTERN.pngDataUrl] ?? '' };
  const { caption, logo: placed } = STYLE.properties ?? {};
  expect(kept({ style: { logo } })).toEqual({
    format: 'png',
    style: { ...defaultsOf(STYLE), caption: defaultsOf(caption), logo: { ...logo, ...defaultsOf(placed) } },
  });
});
