/** A long check that finds no thread: it is refused before its connection, or a proxy on the way, loses patience. */

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { openEngineFixture } from '../engine/engine-fixture.js';

it('is refused after half a minute', { timeout: 150_000 }, async () => {
  const fixture = await openEngineFixture();
  const supervisor = new EngineSupervisor({ threads: 1, chunkItems: 1_000, taskTimeoutMs: 35_000 });
  try {
    await supervisor.describe();
    // A thread that reads it waits until somebody writes to it, or until its time is over.
    const endless = fixture.path('endless');
    execFileSync('mkfifo', [endless]);
    const body = await fixture.ndjson({}, [{ data: 'a' }]);
    const first = supervisor.check({ ...body, bodyPath: endless });
    const started = performance.now();
    await expect(supervisor.check(body)).rejects.toMatchObject({ code: 'busy' });
    expect(performance.now() - started).toBeGreaterThan(29_000);
    expect(performance.now() - started).toBeLessThan(60_000);
    await expect(first).rejects.toMatchObject({ code: 'crash' });
    expect(await supervisor.check(body)).toMatchObject({ total: 1 });
  } finally {
    await supervisor.close();
    await fixture.remove();
  }
});
