/**
 * Evaluates the modules of schemas in `dist`, and writes their values in their place: schemas as plain data, and
 * checkers as the code that TypeBox makes of them. To load TypeBox takes a thread of the engine longer than everything else.
 */

import { writeFileSync } from 'node:fs';
import { Code } from 'typebox/compile';

const DIST = new URL('../dist/', import.meta.url);

const CHECKERS = ['contract/checkers', 'engine/reply-checker'];
const SCHEMAS = ['contract/request-schema', 'contract/response-schema', 'contract/query-schema'];

/** The part of TypeBox that checkers call. JSON Schema counts the code points of a text. */
const GUARD = `const Guard = {
  CodePointCount(text) {
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  },
};`;

// The checkers are read before the schemas that they import lose what TypeBox hides in them.
const [checkers, schemas] = await Promise.all(
  [CHECKERS, SCHEMAS].map((modules) => Promise.all(modules.map(async (name) => [name, await exportsOf(name)]))),
);
for (const [name, validators] of checkers) {
  write(name, [GUARD, ...validators.map(([member, validator]) => checkerOf(member, validator.Type()))]);
}
for (const [name, values] of schemas) {
  write(
    name,
    values.map(([member, value]) => `export const ${member} = ${JSON.stringify(value)};`),
  );
}

async function exportsOf(name) {
  return Object.entries(await import(new URL(`${name}.js`, DIST).href));
}

/** The declaration of a checker. */
function checkerOf(name, schema) {
  const { Code: module, External } = Code(schema);
  const body = module.slice(module.indexOf('const check_'));
  const foreign = body.match(/\b(?:Hashing|Guard\.(?!CodePointCount\b))\w*/);
  if (foreign !== null) throw new Error(`The checker ${name} calls ${foreign[0]} of TypeBox`);
  if (!External.variables.every((value) => value instanceof RegExp))
    throw new Error(`${name} needs more than patterns`);
  const check = body.replace('export function Check(', 'return function Check(');
  return `export const ${name} = { Check: (() => {\nconst External = [${External.variables.join(', ')}];\n${check}\n})() };`;
}

function write(name, lines) {
  writeFileSync(new URL(`${name}.js`, DIST), `// Written by set-up.\n${lines.join('\n')}\n`);
}
