/** Links that lead nowhere: a page for people, the error object for programs. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describeOnDatabases('a link that leads nowhere', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { samples: false });
  });
  afterAll(() => service.close());

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, { headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  it('shows people a page that says what to do', async () => {
    const { downloadUrl } = await service.submit({ items: [{ data: '1' }] });
    for (const [path, status, title] of [
      ['/nope', 404, 'Page not found'],
      [downloadUrl.slice(0, -3), 403, 'This link is damaged'],
      [downloadUrl.replace(/exp=\d+/, 'exp=1'), 403, 'This link is damaged'],
    ] as const) {
      const answer = await ask(path, BROWSER);
      expect(answer).toMatchObject({ status, type: 'text/html; charset=utf-8' });
      expect(answer.text).toContain(`<h1>${title}</h1>`);
    }
  });

  it('draws nothing for strangers where that is off', async () => {
    const { text } = await ask('/?text=mine', BROWSER);
    expect([text.includes('What it costs'), text.includes('Try it')]).toEqual([true, false]);
    expect((await ask('/account/samples?text=mine')).text).toBe('{}');
  });

  it('answers programs with the error object', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }] as Record<string, string>[]) {
      expect(await ask('/nope', headers)).toMatchObject({ status: 404, type: 'application/json; charset=utf-8' });
    }
    const api = await ask('/api/v1/nope', BROWSER);
    expect(JSON.parse(api.text)).toMatchObject({ error: 'not_found' });
  });
});
