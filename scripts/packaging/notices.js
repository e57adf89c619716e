/** The notices of the addon: its third-party parts, and the licences that must accompany it. */

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run } from '../check/output.js';
import { SBOM, writeSbom } from './sbom.js';

const NOTICES = 'NOTICES.txt';
/** The notice of Rust's standard library. Not every toolchain has it. */
const STANDARD_LIBRARY = 'COPYRIGHT-library.html';

/** Names of licence files. */
const LICENCE = /^(?:licen[cs]e|copying|copyright|notice|unlicense)/i;

/** Crates that are published without their licence, each with another place of its text. */
const ELSEWHERE = {
  napi: 'node_modules/@napi-rs/cli',
  'napi-sys': 'node_modules/@napi-rs/cli',
};

/**
 * Writes the notices of an addon, and the bill of its crates, beside it.
 * @param {string} folder the addon's folder
 * @param {string} [triple] the addon's target. Default: this machine
 */
export function writeNotices(folder, triple) {
  const crates = linkedCrates(triple);
  writeFileSync(join(folder, NOTICES), notices(crates));
  writeSbom(join(folder, SBOM), 'cargo', crates);
  const standard = join(output('rustc', '--print', 'sysroot').trim(), 'share', 'doc', 'rust', STANDARD_LIBRARY);
  if (existsSync(standard)) cpSync(standard, join(folder, STANDARD_LIBRARY));
}

/** Names of the notices that `writeNotices` wrote into a folder. @throws Error when there are none */
export function noticesIn(folder) {
  const files = [NOTICES, STANDARD_LIBRARY, SBOM].filter((file) => existsSync(join(folder, file)));
  if (!files.includes(NOTICES)) throw new Error(`${folder} has no ${NOTICES}`);
  return files;
}

/** Every text once, below the names of its crates. */
function notices(crates) {
  const texts = new Map();
  for (const crate of crates) {
    const text = licenceOf(crate);
    texts.set(text, [...(texts.get(text) ?? []), crate]);
  }
  const sections = [...texts].map(([text, those]) => {
    const names = those.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${'='.repeat(80)}\n${names.join('\n')}\n${'-'.repeat(80)}\n${text}\n`;
  });
  const head = `The addon is linked with Rust's standard library (MIT OR Apache-2.0) and with these crates, whose licences follow.\n`;
  return [head, ...sections].join('\n');
}

/** The crates linked into the addon, without those that only build it. */
function linkedCrates(triple) {
  const tree = ['tree', '--locked', '--package', 'qrpress-native', '--edges', 'normal,no-proc-macro', '--no-dedupe'];
  const target = triple === undefined ? [] : ['--target', triple];
  const lines = output('cargo', ...tree, ...target, '--prefix', 'none', '--format', '{p}').split('\n');
  const linked = new Set(lines.filter((line) => line !== '').map((line) => line.replace(/ \(.*\)$/, '')));
  const { packages } = JSON.parse(output('cargo', 'metadata', '--format-version', '1', '--locked'));
  return packages.filter(({ name, version, source }) => source !== null && linked.has(`${name} v${version}`));
}

function licenceOf({ name, manifest_path: manifest }) {
  const folder = name in ELSEWHERE ? join(ROOT, ELSEWHERE[name]) : dirname(manifest);
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  if (files.length === 0) throw new Error(`the crate ${name} has no licence in its folder: name another in ELSEWHERE`);
  return files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
}

function output(command, ...words) {
  const { status, stdout, stderr, error } = run(command, words);
  if (status !== 0) throw new Error(`${command} ${words[0]}: ${error?.message ?? stderr}`);
  return stdout;
}
