/** The front page: samples of what a visitor types, and the ways in. */

import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { EngineError } from '../../src/engine/engine.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

const BROWSER = { accept: 'text/html' };

describeOnDatabases('the front page', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => service.close());

  it('shows the ways in also while nothing can be drawn', async () => {
    // The service asks its engine whether it runs.
    const describe = vi.spyOn(EngineSupervisor.prototype, 'describe');
    expect((await service.fetch('/readyz')).status).toBe(200);
    const engine = describe.mock.contexts[0] as EngineSupervisor;
    vi.spyOn(engine, 'drawSamples').mockRejectedValue(new EngineError('down', 'exit code 1'));
    const visitor = new Visitor(service);
    for (const path of ['/', '/?text=mine']) {
      const { status, html } = await visitor.get(path, BROWSER);
      expect([status, html.includes('href="/account/sign-in"')]).toEqual([200, true]);
      expect(html).toContain('temporarily unavailable');
    }
    expect((await visitor.get('/account/samples?text=mine')).html).toContain('{"problem":"The service is temporarily');
    vi.restoreAllMocks();
    expect((await visitor.get('/', BROWSER)).html.match(/<img src="data:image\/svg/g)).toHaveLength(3);
  });
});
