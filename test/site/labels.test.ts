/** The page of a job's labels: what a person chooses there, with links and fields alone. */

import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/audit-store.js';
import { JobOutput } from '../../src/jobs/job-output.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

describeOnDatabases("a job's labels on its page", (kind) => {
  let service: TestService;
  let ada: SignedUp;
  let jobId: string;
  let key: string;
  beforeAll(async () => {
    service = await startTestService(kind);
    ada = await signUp(service);
    ({ key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'test'));
    const items = [1, 2, 3].map((number) => ({ data: `https://example.org/${number}` }));
    const created = await service.submit({ items, name: 'Rooms' }, headers());
    ({ jobId } = created);
    const status = async () => {
      const response = await service.fetch(`/api/v1/jobs/${jobId}`, { headers: headers() });
      return ((await response.json()) as { status: string }).status;
    };
    await vi.waitFor(async () => expect(await status()).toBe('complete'), { timeout: 20_000 });
  });
  afterAll(() => service.close());

  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const page = () => `${ada.base}/jobs/${jobId}/labels`;
  const states = (html: string) => [...html.matchAll(/<rect class="(used|taken|free)"/g)].map(([, state]) => state);

  it('draws the first sheet, on which a link chooses the first free label', {
    tags: ['additions/labels'],
  }, async () => {
    expect((await ada.visitor.get(`${ada.base}/jobs/${jobId}`)).html).toContain(`href="${page()}"`);
    const { html } = await ada.visitor.get(page());
    expect(states(html)).toEqual(['taken', 'taken', 'taken', ...Array.from({ length: 18 }, () => 'free')]);
    const [, fifth = ''] = /href="([^"]+)" aria-label="Begin at label 5"/.exec(html) ?? [];
    const chosen = await ada.visitor.get(fifth.replaceAll('&amp;', '&'));
    expect(states(chosen.html).slice(0, 8)).toEqual([
      'used',
      'used',
      'used',
      'used',
      'taken',
      'taken',
      'taken',
      'free',
    ]);
    expect(chosen.html).toMatch(/name="first"[^>]* value="5"/);
  });

  it('draws the codes of the items that the address names', { tags: ['additions/labels'] }, async () => {
    const { html } = await ada.visitor.get(`${page()}?from=1&to=2&first=2`);
    expect(states(html).slice(0, 4)).toEqual(['used', 'taken', 'taken', 'free']);
    const pictures = [...html.matchAll(/<image href="[^"]+\/codes\/(\d+)"/g)].map(([, item]) => item);
    expect(pictures).toEqual(['1', '2']);
    expect(html).toMatch(/type="hidden" name="from" value="1".*type="hidden" name="to" value="2"/);
  });

  it('sends the file of the API, to be kept or printed', { tags: ['additions/labels'] }, async () => {
    const query = '?sheet=avery-5160&first=3&size=&labelWidth=20&cutMarks=true';
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const kept = await fetch(`${service.url}${page()}.pdf${query}`, { headers: { cookie } });
    expect(kept.headers.get('content-disposition')).toBe('attachment; filename="Rooms.pdf"');
    const printed = await fetch(`${service.url}${page()}.pdf${query}&show=1`, { headers: { cookie } });
    expect(printed.headers.get('content-disposition')).toBe('inline; filename="Rooms.pdf"');
    const parameters = 'sheet=avery-5160&first=3&cutMarks=true';
    const api = await service.fetch(`/api/v1/jobs/${jobId}/labels.pdf?${parameters}`, { headers: headers() });
    const bytes = Buffer.from(await api.arrayBuffer());
    expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Buffer.from(await printed.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('measures no code for a person who has left', async () => {
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of [page(), `${page()}.pdf`]) {
      const client = new AbortController();
      const measure = vi.spyOn(JobOutput.prototype, 'openLabels').mockImplementation(async (_job, _layout, signal) => {
        client.abort();
        await once(signal as AbortSignal, 'abort');
        throw (signal as AbortSignal).reason;
      });
      await expect(fetch(service.url + path, { headers: { cookie }, signal: client.signal })).rejects.toThrow();
      await vi.waitFor(() => expect(measure.mock.settledResults.map(({ type }) => type)).toEqual(['rejected']), {
        timeout: 20_000,
      });
      measure.mockRestore();
    }
  });

  it('gives the file a name that says what it is', { tags: ['additions/labels'] }, async () => {
    const created = await service.submit({ items: [{ data: 'a' }], name: 'Rooms \u202Efdp.exe ..' }, headers());
    await service.ended(created.jobId);
    const sheet = 'labels.pdf?sheet=avery-l7160';
    const named = `attachment; filename="Rooms -fdp.exe.pdf"`;
    const api = await service.fetch(`/api/v1/jobs/${created.jobId}/${sheet}`, { headers: headers() });
    expect(api.headers.get('content-disposition')).toBe(named);
    const own = await ada.visitor.get(`${ada.base}/jobs/${created.jobId}/${sheet}`);
    expect(own.headers.get('content-disposition')).toBe(named);
  });

  it('says what does not work, and when modules are narrow', { tags: ['additions/labels'] }, async () => {
    const small = await ada.visitor.get(`${page()}?sheet=avery-l7160&size=5`);
    expect(small.status).toBe(422);
    expect(small.html).toContain('a size of at least 6.25 mm');
    const narrow = await ada.visitor.get(`${page()}?sheet=avery-l7160&size=7`);
    expect(narrow.status).toBe(200);
    expect(narrow.html).toContain('Below 0.33 mm some printers and phones have trouble.');
    const comma = await ada.visitor.get(`${page()}?sheet=single&labelWidth=38,1&labelHeight=21,25`);
    expect(comma.status).toBe(200);
    expect(comma.html).toMatch(/name="labelWidth"[^>]* value="38.1"/);
    const wrong = await ada.visitor.get(`${page()}?sheet=single`);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('<a href="#labelWidth">Label width</a>');
    for (const sheet of ['none', 'constructor', '__proto__']) {
      expect((await ada.visitor.get(`${page()}?sheet=${sheet}`)).status, sheet).toBe(422);
      expect((await ada.visitor.get(`${page()}.pdf?sheet=${sheet}`)).status, sheet).toBe(400);
    }
    const other = await signUp(service);
    expect((await other.visitor.get(page())).status).toBe(404);
  });
});
