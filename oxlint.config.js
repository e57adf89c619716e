/** The linter's rules, and the rules of the rooms: who may import whom, and which library has which door. */

import { readdirSync } from 'node:fs';

/** What each room of `src/` may import beside `contract/`, which every room may import, and the files at the top of `src/`, of which `service.ts` and `admin-context.ts` are for `commands` alone. */
export const ROOMS = {
  account: ['credits', 'database', 'mail', 'redis'],
  admission: [],
  archive: ['engine', 'storage'],
  backup: ['database', 'jobs', 'storage'],
  client: [],
  commands: ['account', 'archive', 'backup', 'client', 'database', 'engine', 'intake', 'jobs', 'redis'],
  contract: [],
  credits: ['database'],
  database: [],
  dispatch: ['redis'],
  engine: ['tracing'],
  http: [
    'account',
    'admission',
    'archive',
    'credits',
    'database',
    'engine',
    'intake',
    'jobs',
    'openapi',
    'redis',
    'tracing',
  ],
  intake: ['engine'],
  jobs: ['archive', 'credits', 'database', 'dispatch', 'engine', 'mail', 'storage', 'tracing'],
  mail: ['database'],
  metrics: ['admission', 'database', 'engine', 'http', 'jobs', 'mail', 'storage', 'webhooks'],
  pages: ['account', 'admission', 'archive', 'credits', 'database', 'engine', 'intake', 'jobs', 'mail', 'webhooks'],
  openapi: [],
  redis: [],
  storage: ['tracing'],
  webhooks: ['account', 'database'],
  tracing: [],
};

/** The doors of a library: rooms, or `*-store.ts` files in any room. A library that is not here is free. */
const DOORS = {
  '#native': ['engine'],
  '@aws-sdk/client-s3': ['storage'],
  '@koa/router': ['http', 'pages'],
  '@node-rs/argon2': ['account'],
  '@opentelemetry/[^/]+': ['tracing'],
  archiver: ['pages'],
  bullmq: ['dispatch'],
  busboy: ['pages'],
  'cli-progress': ['commands'],
  commander: ['commands'],
  eta: ['openapi', 'pages'],
  ioredis: ['redis'],
  koa: ['http', 'pages'],
  'koa-helmet': ['http', 'pages'],
  'koa-session': ['pages'],
  'markdown-it': ['openapi'],
  'openid-client': ['account'],
  otpauth: ['account'],
  '@zxcvbn-ts/[^/]+': ['account'],
  kysely: ['database', '*-store.ts'],
  libsql: ['database'],
  mysql2: ['database'],
  nodemailer: ['mail'],
  piscina: ['engine'],
  'prom-client': ['metrics'],
  'rate-limiter-flexible': ['account', 'http', 'redis'],
  'tar-stream': ['backup'],
  typebox: ['contract'],
  'zxing-wasm': ['engine'],
};

for (const { name } of readdirSync(new URL('src', import.meta.url), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
)) {
  if (!(name in ROOMS)) throw new Error(`src/${name} is in no rule of oxlint.config.js`);
}

/** `no-restricted-imports` for the files of `room`, or for its `*-store.ts` files alone. */
function imports(room, door = room) {
  const closedRooms = Object.keys(ROOMS).filter(
    (other) => other !== room && other !== 'contract' && !ROOMS[room].includes(other),
  );
  const closedLibraries = Object.keys(DOORS).filter(
    (library) => !DOORS[library].includes(room) && !DOORS[library].includes(door),
  );
  return [
    'error',
    {
      patterns: [
        { regex: `^(\\.\\./)+(${closedRooms.join('|')})/`, message: `src/${room} does not use this room.` },
        ...(room === 'commands'
          ? []
          : [
              {
                regex: '^(\\.\\./)+(service|admin-context|instruments|readiness)\\.js$',
                message: 'Rooms know nothing of the composition root.',
              },
            ]),
        { regex: `^(${closedLibraries.join('|')})(/|$)`, message: `src/${room} is not this library's door.` },
      ],
    },
  ];
}

const rooms = Object.keys(ROOMS).flatMap((room) => [
  { files: [`src/${room}/**/*.ts`], rules: { 'no-restricted-imports': imports(room) } },
  { files: [`src/${room}/**/*-store.ts`], rules: { 'no-restricted-imports': imports(room, '*-store.ts') } },
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
    { files: ['src/config.ts', 'src/main.ts'], rules: { 'node/no-process-env': 'off' } },
    // A function fits on a screen, unless it is a list of routes, operations or tables.
    { files: ['src/**/*.ts'], rules: { 'max-lines-per-function': ['error', 60] } },
    {
      files: ['src/pages/routes.ts', 'src/openapi/operations.ts', 'src/database/migrations/*.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    ...rooms,
  ],
};
