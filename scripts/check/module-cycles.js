/**
 * Checks that the modules of a crate use one another in one direction only, its root aside, which all may use. So a reader can
 * begin with the modules that use no others.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const USE = /^(?<exported>pub(?:\([a-z]+\))? )?use (?<tree>[^;]+);/gm;
const INLINE = /\b(?:crate|super)(?:::\w+)+/g;

/** The cycles of all crates, a line each. */
export function moduleCycles() {
  const folders = [
    ...readdirSync(join(ROOT, 'crates')).map((crate) => `crates/${crate}/src`),
    'native/src',
    'bench/engine/src',
  ];
  return folders.flatMap((folder) => cyclesIn(join(ROOT, folder)).map((cycle) => `${folder}: ${cycle}`)).join('\n');
}

function cyclesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.rs'));
  const modules = new Map(files.map((path) => [nameOf(path), sourceOf(join(folder, path))]));
  const exported = new Map();
  for (const [name, source] of modules) {
    for (const { groups } of source.matchAll(USE)) {
      if (!groups.exported) continue;
      for (const path of pathsOf(groups.tree))
        exported.set(absolute(`self::${path.at(-1)}`, name), from(path, name, modules));
    }
  }
  const usedBy = new Map(
    [...modules].map(([name, source]) => {
      const trees = [...source.matchAll(USE)].flatMap(({ groups }) => pathsOf(groups.tree));
      const inline = [...source.replaceAll(USE, '').matchAll(INLINE)].map(([path]) => path.split('::'));
      const paths = [...trees, ...inline].map((path) => from(path, name, modules));
      return [
        name,
        new Set(paths.map((path) => moduleOf(path, modules, exported)).filter((used) => used && used !== name)),
      ];
    }),
  );
  return [...usedBy.keys()].flatMap((name) => cycleFrom(name, usedBy));
}

/** The shortest way from a module to itself, if it is the first of its cycle by name. */
function cycleFrom(name, usedBy) {
  const ways = [[name]];
  const seen = new Set();
  for (const way of ways) {
    for (const used of usedBy.get(way.at(-1)) ?? []) {
      if (used === name) return way.every((other) => name <= other) ? [[...way, name].join(' → ')] : [];
      if (!seen.has(used)) ways.push([...way, used]);
      seen.add(used);
    }
  }
  return [];
}

/** The paths of the items that a tree such as `super::{a, b::{c, d}}` names. */
function pathsOf(tree) {
  const brace = tree.indexOf('{');
  if (brace < 0) return [tree.split(' as ')[0].trim().split('::')];
  const prefix = tree.slice(0, brace).trim().split('::').slice(0, -1);
  const parts = [''];
  let depth = 0;
  for (const character of tree.slice(brace + 1, tree.lastIndexOf('}'))) {
    depth += { '{': 1, '}': -1 }[character] ?? 0;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts
    .filter((part) => part.trim() !== '')
    .flatMap((part) => pathsOf(part.trim()).map((path) => [...prefix, ...path]));
}

/** The path from the crate's root; nothing where it leads to another crate. */
function from(path, name, modules) {
  const [first] = path;
  if (['crate', 'super', 'self'].includes(first)) return absolute(path.join('::'), name);
  return modules.has(absolute(`self::${first}`, name)) ? absolute(`self::${path.join('::')}`, name) : undefined;
}

function absolute(path, name) {
  const parts = path.split('::');
  const base = parts[0] === 'crate' ? [] : name.split('::').filter(Boolean);
  while (parts[0] === 'super') {
    parts.shift();
    base.pop();
  }
  return [...base, ...parts.filter((part) => part !== 'crate' && part !== 'self')].join('::');
}

/** The module that has an item, also where others export it; nothing for the root. */
function moduleOf(path, modules, exported) {
  for (let item = path; item; item = item.includes('::') ? item.slice(0, item.lastIndexOf('::')) : '') {
    if (modules.has(item)) return item;
    if (exported.has(item) && exported.get(item) !== item) return moduleOf(exported.get(item), modules, exported);
  }
  return undefined;
}

function nameOf(path) {
  return path.replace(/^(lib|main)\.rs$|\.rs$/, '').replaceAll('/', '::');
}

/** The source without comments and tests. */
function sourceOf(path) {
  const [source] = readFileSync(path, 'utf8').split(/^#\[cfg\(test\)\]\nmod tests \{/m);
  return source.replaceAll(/\/\/.*$/gm, '');
}
