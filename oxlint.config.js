/** The linter's rules, and the rules of the rooms: who may import whom, and which library has which door. */

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The rooms of `src/` by floor, from the top. A room may import rooms of lower floors, and no others. `main.ts`, the entry,
 * stands on the top floor.
 */
export const FLOORS = [
  ['composition'],
  ['cli', 'site'],
  ['api'],
  ['config', 'observability'],
  ['accounts', 'jobs'],
  ['credits', 'outbox'],
  ['admission', 'client', 'database', 'engine', 'storage'],
  ['contract', 'platform'],
];

/** The folders of `src/site`: pages of one do not borrow from another, and `shell` has what they share. `routes` and `pages` stand above. */
const PAGES = ['front', 'jobs', 'operator', 'organisation', 'sign-in', 'studio'];

/** The doors of a library: rooms or folders of rooms, and `*-store.ts` files in any room. A library that is not here is free. */
const DOORS = {
  '#native': ['engine'],
  '@aws-sdk/client-s3': ['storage'],
  '@koa/router': ['api', 'site'],
  '@node-rs/argon2': ['accounts'],
  '@opentelemetry/[^/]+': ['platform/tracing'],
  archiver: ['site'],
  bullmq: ['jobs/work/queue'],
  busboy: ['site'],
  'cli-progress': ['cli'],
  commander: ['cli', 'composition'],
  eta: ['api/docs', 'site'],
  ioredis: ['platform/redis'],
  koa: ['api', 'site'],
  'koa-body': ['site'],
  'koa-helmet': ['api', 'site'],
  'koa-session': ['site'],
  'markdown-it': ['api/docs'],
  'openid-client': ['accounts'],
  otpauth: ['accounts'],
  '@zxcvbn-ts/[^/]+': ['accounts'],
  kysely: ['database', '*-store.ts'],
  libsql: ['database'],
  mysql2: ['database'],
  nodemailer: ['outbox'],
  piscina: ['engine'],
  'prom-client': ['observability'],
  'rate-limiter-flexible': ['accounts', 'api', 'platform/redis'],
  typebox: ['contract', 'engine'],
  'zxing-wasm': ['engine'],
};

/** All folders below `src/`, such as `jobs/work/queue`. */
const FOLDERS = readdirSync(new URL('src', import.meta.url), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ parentPath, name }) => relative(fileURLToPath(new URL('src', import.meta.url)), join(parentPath, name)));

const stranger = FOLDERS.find((folder) => !FLOORS.flat().includes(folder.split('/')[0]));
if (stranger !== undefined) throw new Error(`src/${stranger} is in no rule of oxlint.config.js`);

/** `no-restricted-imports` for the files of `folder`, or for its `*-store.ts` files alone. */
function imports(folder, door = folder) {
  const [room] = folder.split('/');
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  const closedRooms = FLOORS.slice(0, floor + 1)
    .flat()
    .filter((other) => other !== room);
  const isDoor = (name) => name === door || `${folder}/`.startsWith(`${name}/`);
  const closedLibraries = Object.keys(DOORS).filter((library) => !DOORS[library].some(isDoor));
  // The way from the folder to `src/`: a room may have a folder that is called as another room is.
  const up = String.raw`\.\./`.repeat(folder.split('/').length);
  const patterns = [
    { regex: `^(${closedLibraries.join('|')})(/|$)`, message: `src/${folder} is not this library's door.` },
  ];
  if (closedRooms.length > 0) {
    const message = `src/${room} uses only rooms of lower floors.`;
    patterns.push({ regex: `^${up}(${closedRooms.join('|')})/`, message });
  }
  if (room === 'site' && folder !== room) {
    const others = PAGES.filter((other) => folder !== `site/${other}`);
    const message = 'Pages borrow only from src/site/shell.';
    patterns.push({ regex: String.raw`^\.\./((${others.join('|')})/|routes|pages)`, message });
  }
  return ['error', { patterns }];
}

const rooms = FOLDERS.flatMap((folder) => [
  { files: [`src/${folder}/*.ts`], rules: { 'no-restricted-imports': imports(folder) } },
  { files: [`src/${folder}/*-store.ts`], rules: { 'no-restricted-imports': imports(folder, '*-store.ts') } },
]);

// oxlint-disable-next-line import/no-default-export -- this is how a configuration is handed over
export default {
  options: { typeAware: true },
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { node: true, es2023: true },
  rules: {
    eqeqeq: 'error',
    // A promise that leaves a scope of `await using` unawaited works on with what the scope has closed.
    'typescript/return-await': ['error', 'in-try-catch'],
    'import/no-cycle': 'error',
    // What is awaited in a loop here is awaited in order on purpose.
    'no-await-in-loop': 'off',
    // JSON, rows and messages are given their type where they enter.
    'typescript/no-unsafe-type-assertion': 'off',
    // A string is spread to count code points, as JSON Schema does.
    'typescript/no-misused-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // `fc.string()` is how fast-check is read.
    'import/no-named-as-default-member': 'off',
    // A copy with another member is clearer than a change in place, and no hot path has one.
    'oxc/no-map-spread': 'off',
    // Set-up is done by importing it, and so are pictures drawn.
    'import/no-unassigned-import': ['error', { allow: ['./setup.js', './style-pictures.js'] }],
  },
  ignorePatterns: ['dist', 'native', 'target'],
  overrides: [
    {
      files: ['src/**/*.ts'],
      rules: { 'node/no-process-env': 'error', 'import/no-default-export': 'error' },
    },
    { files: ['src/config/config.ts'], rules: { 'node/no-process-env': 'off' } },
    // A function fits on a screen, unless it is a list of routes, operations or tables.
    { files: ['src/**/*.ts'], rules: { 'max-lines-per-function': ['error', 60] } },
    {
      files: ['src/site/routes.ts', 'src/api/docs/operations.ts', 'src/database/migrations/*.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    ...rooms,
  ],
};
