/** A bill of materials in CycloneDX's form. It has no times and serial numbers, so the same parts give the same bytes. */

import { writeFileSync } from 'node:fs';

/** Name of the file. */
export const SBOM = 'sbom.cdx.json';

/**
 * @param {string} path
 * @param {'npm' | 'cargo'} registry the registry of the parts
 * @param {{ name: string, version: string, license?: string }[]} parts
 */
export function writeSbom(path, registry, parts) {
  const components = parts.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    // An expression may name several licences.
    ...(license && { licenses: [{ expression: license }] }),
    purl: `pkg:${registry}/${name.replace('@', '%40')}@${version}`,
  }));
  const sorted = components.toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: sorted };
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
}
