import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sqlite } from '../../support/databases.js';
import { startTestService, type TestService } from '../../support/service.js';

const PROGRAM = fileURLToPath(new URL('../../../.tools/schemathesis/bin/schemathesis', import.meta.url));
const SETTINGS = fileURLToPath(new URL('schemathesis/', import.meta.url));

/** Longest run; it takes about half of it on two cores. */
const PATIENCE_MS = 180_000;

/** Jobs with a link that is followed in turn, none of them more often than its rate limit allows. */
const SIGNED_JOBS = 100;

const isAbsent = !existsSync(PROGRAM);
const mayBeSkipped = process.env['QRPRESS_REQUIRE_ALL'] !== '1';

it.skipIf(isAbsent && mayBeSkipped)(
  'holds what schemathesis makes of its document',
  { tags: ['versioning/additions-only', 'document/schemas'], timeout: PATIENCE_MS },
  async () => {
    expect(isAbsent, `${PROGRAM} is missing: see CONTRIBUTING.md`).toBe(false);
    const service = await startTestService(sqlite);
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-schemathesis-'));
    try {
      const { output, code } = await run(service, folder);
      expect(code, output).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
      await service.close();
    }
  },
);

async function run(service: TestService, folder: string) {
  const keys = join(folder, 'keys.json');
  await writeFile(keys, JSON.stringify(await keysOfTwoOrganisations(service)));
  const settings = ['--config-file', join(SETTINGS, 'schemathesis.toml'), '--no-color'];
  const options = ['--url', service.url, '--auth-wfc', keys, '--checks', 'all'];
  const seed = ['--seed', process.env['QRPRESS_TEST_SEED'] ?? '1'];
  const words = [...settings, 'run', `${service.url}/api/v1/openapi.json`, ...options, ...seed];
  const environment = {
    ...process.env,
    QRPRESS_HOOKS: join(SETTINGS, 'hooks.py'),
    QRPRESS_SIGNED_LINKS: JSON.stringify(await signedLinks(service)),
  };
  const program = spawn(PROGRAM, words, { cwd: folder, env: environment });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(program, 'close')) as [number | null];
  return { output, code };
}

/** Two callers, so that it is tried whether one gets at the other's jobs. */
async function keysOfTwoOrganisations({ key, createAccount }: TestService) {
  const other = await createAccount(100_000);
  return {
    auth: [key, other.key].map((value, index) => ({
      name: `organisation ${index}`,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${value}` }],
    })),
  };
}

/** The links of complete jobs, by the paths of the document. */
async function signedLinks({ submit, ended }: TestService) {
  const jobs = await Promise.all(
    Array.from({ length: SIGNED_JOBS }, (_, index) => submit({ items: [{ data: `${index}` }] })),
  );
  await Promise.all(jobs.map(({ jobId }) => ended(jobId)));
  return {
    '/d/{token}/status': jobs.map(({ statusUrl }) => partsOf(statusUrl)),
    '/d/{token}': jobs.map(({ downloadUrl }) => partsOf(downloadUrl)),
  };
}

function partsOf(link: string) {
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  return { token: pathname.split('/')[2], exp: searchParams.get('exp'), t: searchParams.get('t') };
}
