/** Who may use whom among the crates: native → batch → image → symbol and text, and batch → zip; text and zip stand alone. */

import { crates } from './crates.js';

/** What a crate of the workspace may use of the others. */
const MAY_USE = {
  'qrpress-symbol': [],
  'qrpress-text': [],
  'qrpress-zip': [],
  'qrpress-image': ['qrpress-symbol', 'qrpress-text'],
  'qrpress-batch': ['qrpress-image', 'qrpress-symbol', 'qrpress-text', 'qrpress-zip'],
  'qrpress-fuzz': ['qrpress-batch', 'qrpress-image', 'qrpress-symbol', 'qrpress-text'],
  'qrpress-native': ['qrpress-batch'],
  'qrpress-bench': ['qrpress-image', 'qrpress-symbol', 'qrpress-text'],
};

/** Everything that breaks the rule, a line each. */
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
