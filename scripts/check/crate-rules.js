/**
 * Checks which crates use which: native → batch, labels and spreadsheet; labels → batch, image, logo, symbol and text; batch → image →
 * symbol, logo and text; batch → zip, json, gs1 and readback; spreadsheet → kinds → gs1; symbol → simd. The crates simd, logo,
 * text, zip, json, readback and gs1 stand alone. Tests may use testkit.
 */

import { crates } from './crates.js';

/** The crates that each crate of the workspace may use. */
const MAY_USE = {
  'qrpress-simd': [],
  'qrpress-symbol': ['qrpress-simd'],
  'qrpress-text': [],
  'qrpress-zip': [],
  'qrpress-logo': [],
  'qrpress-gs1': [],
  'qrpress-kinds': ['qrpress-gs1'],
  'qrpress-spreadsheet': ['qrpress-kinds'],
  'qrpress-json': [],
  'qrpress-readback': [],
  'qrpress-image': ['qrpress-logo', 'qrpress-simd', 'qrpress-symbol', 'qrpress-text'],
  'qrpress-batch': [
    'qrpress-gs1',
    'qrpress-image',
    'qrpress-json',
    'qrpress-logo',
    'qrpress-readback',
    'qrpress-simd',
    'qrpress-symbol',
    'qrpress-text',
    'qrpress-zip',
  ],
  'qrpress-labels': ['qrpress-batch', 'qrpress-image', 'qrpress-logo', 'qrpress-symbol', 'qrpress-text'],
  'qrpress-testkit': ['qrpress-text'],
  'qrpress-fuzz-targets': [
    'qrpress-batch',
    'qrpress-image',
    'qrpress-logo',
    'qrpress-readback',
    'qrpress-simd',
    'qrpress-spreadsheet',
    'qrpress-symbol',
    'qrpress-testkit',
    'qrpress-text',
    'qrpress-zip',
  ],
  'qrpress-native': ['qrpress-batch', 'qrpress-labels', 'qrpress-spreadsheet'],
  'qrpress-bench': [
    'qrpress-batch',
    'qrpress-image',
    'qrpress-logo',
    'qrpress-readback',
    'qrpress-simd',
    'qrpress-symbol',
    'qrpress-testkit',
    'qrpress-text',
    'qrpress-zip',
  ],
  'qrpress-sweep': ['qrpress-image', 'qrpress-logo', 'qrpress-symbol'],
};

/** Breaches of the rule, one per line. */
export function crateRules() {
  return crates()
    .filter(({ isMember }) => isMember)
    .flatMap(({ name, uses }) => {
      if (!(name in MAY_USE)) return [`${name} is in no rule of scripts/check/crate-rules.js`];
      const strangers = uses.filter((used) => used.startsWith('qrpress-') && !MAY_USE[name].includes(used));
      const addon = name === 'qrpress-native' ? [] : uses.filter((used) => used.startsWith('napi'));
      return [...strangers, ...addon].map((used) => `${name} may not use ${used}`);
    })
    .join('\n');
}
