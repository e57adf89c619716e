/** What the addon does in the service's own process. */

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { availableThreads, drawSecret } from '../../src/engine/in-process.js';
import { CHUNK_ITEMS } from './engine-fixture.js';

const engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
afterAll(() => engine.close());

it('draws a secret as the engine draws codes', async () => {
  const secret = 'otpauth://totp/qrpress:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=qrpress';
  const lines = [{ format: 'svg', style: { scale: 4 } }, { data: secret }];
  const body = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  const report = await engine.drawSamples({ body, samples: body });
  const [picture = new Uint8Array()] = 'pictures' in report ? report.pictures : [];
  expect(drawSecret(secret)).toBe(Buffer.from(picture).toString());
  expect(() => drawSecret('x'.repeat(5_000))).toThrow('too long');
});

const MODULE = fileURLToPath(new URL('../../dist/engine/in-process.js', import.meta.url));
const COUNT = `console.log((await import(${JSON.stringify(MODULE)})).availableThreads())`;
const ON_ONE = ['-c', '0', process.execPath, '--input-type=module', '-e', COUNT];

it('counts the processors that it may use', () => {
  expect(availableThreads()).toBeGreaterThanOrEqual(1);
  expect(availableThreads()).toBeLessThanOrEqual(availableParallelism());
});

it.runIf(spawnSync('taskset', ['-c', '0', 'true']).status === 0)('counts one where it is given one', () => {
  expect(spawnSync('taskset', ON_ONE, { encoding: 'utf8' }).stdout).toBe('1\n');
});
