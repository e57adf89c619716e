/** An organisation through its pages: keys, members, credits, jobs, export; and what another organisation sees of it. */

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { Throttle } from '../../src/accounts/people/throttle.js';
import { ApiError } from '../../src/contract/errors.js';
import { LedgerReportStore } from '../../src/credits/ledger-report-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, type SignedUp, signUp, Visitor } from '../support/visitor.js';

describeOnDatabases("an organisation's pages", (kind) => {
  let service: TestService;
  let ada: SignedUp;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  beforeEach(async () => {
    ada = await signUp(service);
  });
  afterAll(() => service.close());

  async function createKey(name: string): Promise<{ key: string; html: string }> {
    await ada.visitor.get(`${ada.base}/keys`);
    const { html } = await ada.visitor.post(`${ada.base}/keys`, { name });
    return { key: /qrp_\w{38}/.exec(html)?.[0] ?? '', html };
  }

  async function post(key: string, items: number, meta = {}): Promise<string> {
    const response = await fetch(`${service.url}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...meta, items: Array.from({ length: items }, (_, item) => ({ data: `item ${item}` })) }),
    });
    const { jobId } = (await response.json()) as { jobId: string };
    return jobId;
  }

  /** Somebody who joined by an invitation. */
  async function join(role: string): Promise<Visitor> {
    const email = `${role}-${ada.email}`;
    await ada.visitor.get(`${ada.base}/members`);
    const sent = await ada.visitor.post(`${ada.base}/invitations`, { email, role });
    expect(sent.location).toBe(`${ada.base}/members?done=invited`);
    const path = await mailedPath(service, email);
    const visitor = new Visitor(service);
    await visitor.get(path);
    const joined = await visitor.post(path, { name: `A ${role}`, password: 'a password of theirs' });
    expect(joined.location).toBe(`${ada.base}?done=joined-${role}`);
    expect((await visitor.get(joined.location)).html).toContain(
      `You are ${role === 'member' ? 'a' : 'an'} ${role} now.`,
    );
    await visitor.get(`${ada.base}/members`);
    return visitor;
  }

  it('invite in words of the service, whatever the inviter is called', async () => {
    const { visitor, base } = await signUp(service, 'Call www.evil.example/x \u202E');
    await visitor.get('/account/you');
    await visitor.post('/account/you/name', { name: 'Account locked: open https://evil.example/x \u202E' });
    await visitor.get(`${base}/members`);
    await visitor.post(`${base}/invitations`, { email: 'invited@example.org', role: 'member' });
    const { subject, text } = await service.nextMail('invited@example.org');
    expect(subject).toBe('You are invited to an organisation');
    expect(text).toContain('“Account locked: open … ” invites you to join “Call … ” as a member');
    expect(text).not.toMatch(/evil|\p{Bidi_Control}/u);
  });

  it('show a key once, with a line that works', { tags: ['5/making-keys'] }, async () => {
    const { key, html } = await createKey('label printer');
    expect(html).toContain(`curl ${service.config.baseUrl}/api/v1/jobs`);
    const list = await ada.visitor.get(`${ada.base}/keys`);
    expect(list.html).not.toContain(key);
    expect(list.html).toContain(key.slice(0, 8));
    expect(list.html).toContain('never');
    await post(key, 1);
    expect((await ada.visitor.get(`${ada.base}/keys`)).html).not.toContain('never');
  });

  it('roll a key: both work until the old one is revoked', { tags: ['5/rolling'] }, async () => {
    const [old, fresh] = [await createKey('old'), await createKey('new')];
    const status = async (key: string) =>
      (await fetch(`${service.url}/api/v1/credits`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await status(old.key), await status(fresh.key)]).toEqual([200, 200]);
    const { html } = await ada.visitor.get(`${ada.base}/keys`);
    const [, oldId] = /keys\/(\w{26})\/revoke/.exec(html) ?? [];
    await ada.visitor.post(`${ada.base}/keys/${oldId}/revoke`);
    expect([await status(old.key), await status(fresh.key)]).toEqual([401, 200]);
  });

  it('make keys that end, and keys that only read, and show the last requests of each', {
    tags: ['additions/keys'],
  }, async () => {
    await ada.visitor.get(`${ada.base}/keys`);
    const create = (fields: Record<string, string>) =>
      ada.visitor.post(`${ada.base}/keys`, { name: 'till', ...fields });
    expect((await create({ lastDay: '2026-01-31' })).html).toContain('This day is over.');
    expect((await create({ lastDay: '2099-02-30' })).html).toContain('Write the day as 2027-01-31.');
    const { html } = await create({ lastDay: '2099-01-31', access: 'read' });
    const headers = { authorization: `Bearer ${/qrp_\w{38}/.exec(html)?.[0] ?? ''}` };
    const list = await ada.visitor.get(`${ada.base}/keys`);
    expect(list.html).toMatch(/till<\/a> <span[^>]*>read-only/);
    expect(list.html).toContain('<td data-label="Last day">31 Jan 2099</td>');
    const log = (await ada.visitor.get(`${ada.base}/settings?action=key-created`)).html;
    expect(log).toContain('till, read-only, last day 31 Jan 2099<');
    const [, keyId] = /keys\/(\w{26})\/revoke/.exec(list.html) ?? [];
    const read = await fetch(`${service.url}/api/v1/jobs?cursor=hush`, { headers });
    const refused = await fetch(`${service.url}/api/v1/jobs`, { headers, method: 'POST', body: '{}' });
    expect([read.status, refused.status]).toEqual([400, 403]);
    const page = async () => (await ada.visitor.get(`${ada.base}/keys/${keyId}`)).html;
    await expect.poll(page).toContain(refused.headers.get('x-request-id'));
    const shown = (await page()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(/POST \/api\/v1\/jobs 403 \S*127\.0\.0\.1 .*GET \/api\/v1\/jobs 400/);
    expect(shown).toContain(read.headers.get('x-request-id'));
    expect(shown).not.toContain('hush');
    expect(shown).toContain('Read-only');
    expect(shown).toContain('Last day 31 Jan 2099');
    expect((await ada.visitor.get(`${ada.base}/keys`)).html).toContain('127.0.0.1</span>');
  });

  it('show what was used, by whom, and where it went', async () => {
    const { key } = await createKey('label printer');
    const jobId = await post(key, 3);
    await service.ended(jobId).catch(() => undefined);
    const { html } = await ada.visitor.get(`${ada.base}/credits`);
    expect(html).toMatch(
      new RegExp(`Job <a class="mono" href="[^"]*/jobs/${jobId}"><bdi>${jobId.slice(0, 6)}</bdi></a>`),
    );
    expect(html).not.toContain('<code>admin');
    expect(html).toContain('3 credits used from');
    expect(html).toContain('address confirmed');
    expect(html).toMatch(/label printer <span[^>]*>key/);
    expect((await ada.visitor.get(`${ada.base}/credits?kind=grant`)).html).not.toContain(jobId);
    const csv = await ada.visitor.get(`${ada.base}/credits.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.html.split('\r\n')[0]).toBe('time,kind,amount,balance_after,job,job_name,key,person,reason');
    expect(csv.html).toContain(`charge,-3,497,${jobId},,label printer,,job accepted`);
    const grants = (await ada.visitor.get(`${ada.base}/credits.csv?kind=grant`)).html;
    expect(grants).toContain('address confirmed');
    expect(grants).not.toContain(jobId);
    const use = async (query: string) => (await ada.visitor.get(`${ada.base}/credits/use.csv?${query}`)).html;
    const week = (await use('days=7')).trim().split('\r\n');
    expect(week).toHaveLength(8);
    expect(week[0]).toBe('day,credits');
    const used = (lines: string) =>
      [...lines.matchAll(/,(\d+)\r/g)].reduce((sum, [, credits]) => sum + Number(credits), 0);
    expect(used(await use('days=90'))).toBe(3);
    const [, keyId = ''] = /key=(\w{26})#use/.exec(html) ?? [];
    expect(used(await use(`key=${keyId}`))).toBe(3);
    expect(used(await use('key=people'))).toBe(0);
    const byKey = await ada.visitor.get(`${ada.base}/credits?days=7&key=${keyId}`);
    expect(byKey.html).toContain('last 7 days, by label printer');
  });

  it('show a month with its entries alone, and as a statement', async () => {
    await service.ended(await post((await createKey('scanner')).key, 3)).catch(() => undefined);
    const month = (start: Date) => `month=${start.toISOString().slice(0, 7)}`;
    const now = new Date();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    const { database } = service.admin;
    await database
      .updateTable('ledger_entries')
      .set({ created_at: last.getTime() })
      .where('organisation_id', '=', ada.organisationId)
      .where('kind', '=', 'grant')
      .execute();
    const read = async (query: string) => {
      const { html } = await ada.visitor.get(`${ada.base}/credits?${query}`);
      const ledger = html
        .slice(html.indexOf('id="ledger"'))
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ');
      const entries = ['address confirmed', 'scanner'].filter((entry) => ledger.includes(entry));
      return { ledger, entries };
    };
    expect(await read(month(last))).toEqual({
      entries: ['address confirmed'],
      ledger: expect.stringContaining('Opening balance 0 Change +500 Closing balance 500'),
    });
    expect(await read(`${month(now)}&statement=1`)).toEqual({
      entries: ['scanner'],
      ledger: expect.stringContaining('Opening balance 500 Change −3 Balance now 497'),
    });
    const { html } = await ada.visitor.get(`${ada.base}/credits?${month(now)}&statement=1`);
    const [, organisation = ''] = /class="place"[^>]*>([^<]*)</.exec(html) ?? [];
    const name = now.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    expect(html).toContain(`<title>Statement of credits, ${name}, ${organisation}`);
    expect(html).toContain(`<p class="name"><bdi>${organisation}</bdi>, ${name} (UTC)</p>`);
    expect(html).toContain('data-print hidden>Print</button>');
    expect((await read('days=90')).entries).toEqual(['address confirmed', 'scanner']);
    const csv = (await ada.visitor.get(`${ada.base}/credits.csv?${month(last)}`)).html;
    expect(csv.trim().split('\r\n')).toHaveLength(2);
  });

  it('show what went wrong as a page, not as the file that was asked for', async () => {
    const reading = vi.spyOn(LedgerReportStore.prototype, 'useByDay').mockRejectedValueOnce(new Error('out of order'));
    const { status, headers } = await ada.visitor.get(`${ada.base}/credits/use.csv?days=7`);
    expect([status, headers.get('content-disposition')]).toEqual([500, null]);
    reading.mockRestore();
  });

  it('write numbers and dates as the reader does', async () => {
    await service.admin.ledger.grant(ada.organisationId, 1_234_000, 'many');
    const read = async (language: string) =>
      (await ada.visitor.get(`${ada.base}/credits`, { 'accept-language': language })).html;
    expect(await read('de-DE,de;q=0.9')).toContain('1.234.500');
    expect(await read('en-US')).toContain('1,234,500');
    expect(await read('xx-invalid-locale-$$')).toContain('1,234,500');
  });

  it('list jobs by state and key, and lead to the archive', async () => {
    const { key } = await createKey('label printer');
    const jobId = await post(key, 2);
    await service.ended(jobId);
    const page = await ada.visitor.get(`${ada.base}/jobs?status=complete`);
    expect(page.html).toContain(jobId);
    expect((await ada.visitor.get(`${ada.base}/jobs?status=failed`)).html).not.toContain(jobId);
    await service.ended(await post(key, 1, { name: 'Köln' }));
    const complete = async (query: string) =>
      /Complete <span class="count">(\d+)</.exec((await ada.visitor.get(`${ada.base}/jobs?${query}`)).html)?.[1];
    expect([await complete(''), await complete('q=koln'), await complete('q=Bonn')]).toEqual(['2', '1', '0']);
    const job = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
    expect(job.html).toContain('Download ZIP');
    const { location } = await ada.visitor.get(`${ada.base}/jobs/${jobId}/download`);
    const archive = await fetch(service.url + location);
    expect((await unzip(Buffer.from(await archive.arrayBuffer()))).size).toBe(2);
  });

  it("follow a job's progress to its end", async () => {
    const { key } = await createKey('label printer');
    const jobId = await post(key, 20);
    const progress = async () =>
      JSON.parse((await ada.visitor.get(`${ada.base}/jobs/${jobId}/progress`)).html) as unknown;
    expect(await progress()).toMatchObject({ total: 20, ended: expect.any(Boolean) });
    await service.ended(jobId);
    expect(await progress()).toMatchObject({ state: 'complete', done: 20, total: 20, ended: true });
  });

  it('show the first code of a job as the ZIP file has it', async () => {
    const { key } = await createKey('label printer');
    for (const [format, type, start] of [
      ['png', 'image/png', '\x89PNG'],
      ['svg', 'image/svg+xml', '<svg'],
    ] as const) {
      const jobId = await post(key, 3, { format, style: { foreground: '#1b3a5c' } });
      await service.ended(jobId);
      const { location } = await ada.visitor.get(`${ada.base}/jobs/${jobId}/download`);
      const archive = await unzip(Buffer.from(await (await fetch(service.url + location)).arrayBuffer()));
      const [[name, first] = ['', Buffer.of()]] = archive;
      expect((await ada.visitor.get(`${ada.base}/jobs/${jobId}`)).html).toContain(name);
      const cookie = Array.from(ada.visitor.cookies, (pair) => pair.join('=')).join('; ');
      const shown = await fetch(`${service.url}${ada.base}/jobs/${jobId}/first-code`, { headers: { cookie } });
      expect(shown.headers.get('content-type')).toBe(type);
      expect(shown.headers.get('content-length')).toBe(String(first.length));
      const bytes = Buffer.from(await shown.arrayBuffer());
      expect(bytes.equals(first)).toBe(true);
      expect(bytes.toString('latin1')).toContain(start);
    }
  });

  it('say of a failed job what became of its parts and its credits', async () => {
    const { key } = await createKey('unlucky');
    const jobId = await post(key, 3);
    await service.ended(jobId);
    const { database } = service.admin;
    const failed = { status: 'failed' as const, failure: 'not_stored' as const };
    const counts = { completed: 0, failed: 3, credits_refunded: 3 };
    await database
      .updateTable('jobs')
      .set({ ...failed, ...counts })
      .where('id', '=', jobId)
      .execute();
    const chunk = { status: 'failed' as const, failed_items: 3, segment_bytes: 0 };
    await database.updateTable('chunks').set(chunk).where('job_id', '=', jobId).execute();
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
    const back = 'The pictures could not be stored. Your list was fine, and your 3 credits are back.';
    for (const said of [back, '>Make again<', 'Failed']) {
      expect(html).toContain(said);
    }
    expect((await ada.visitor.get(`${ada.base}/jobs/${jobId}/first-code`)).status).toBe(404);
    // Of a job that is complete but for a few, it says which.
    const some = { status: 'complete' as const, completed: 2, failed: 1 };
    await database.updateTable('jobs').set(some).where('id', '=', jobId).execute();
    const part = { status: 'done' as const, failed_items: 1 };
    await database.updateTable('chunks').set(part).where('job_id', '=', jobId).execute();
    const complete = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
    expect(complete.html).toMatch(/1 code failed on our side; its credit is back\. It is not in the ZIP/);
    expect(complete.html).toContain('Missing from your list: 1 of <a href="?from=0#codes">codes 1 to 3</a>.');
  });

  it('show the progress of a job neither to who is removed nor to who signs out', async () => {
    const { key } = await createKey('followed');
    const progress = `${ada.base}/jobs/${await post(key, 1)}/progress`;
    const member = await join('member');
    const statuses = async () => [(await member.get(progress)).status, (await ada.visitor.get(progress)).status];
    expect(await statuses()).toEqual([200, 200]);
    const { html } = await ada.visitor.get(`${ada.base}/members`);
    const [path = ''] = /\/account\/o\/\w+\/members\/\w+\/remove/.exec(html) ?? [];
    expect((await ada.visitor.post(path)).location).toMatch(/done=removed/);
    expect(await statuses()).toEqual([404, 200]);
    await ada.visitor.post('/account/sign-out');
    expect(await statuses()).toEqual([404, 303]);
  });

  it('bear whatever stands in an address or a form', async () => {
    for (const before of ['Infinity', '1e999', '-1', '1.5', 'x', '9'.repeat(40), '1&before=2']) {
      expect((await ada.visitor.get(`${ada.base}/credits?before=${before}`)).status).toBe(200);
      expect((await ada.visitor.get(`${ada.base}/settings?before=${before}`)).status).toBe(200);
    }
    expect((await ada.visitor.get(`${ada.base}?done=constructor`)).html).not.toContain('native code');
    await ada.visitor.get(`${ada.base}/keys`);
    for (const name of ['name[x]', 'name[]', '__proto__[name]', 'name[toString]']) {
      const { status } = await ada.visitor.post(`${ada.base}/keys`, { [name]: 'crooked' });
      expect([200, 422]).toContain(status);
    }
  });

  it('are not there for anybody else', async () => {
    const { key } = await createKey('secret');
    const jobId = await post(key, 1);
    const stranger = await signUp(service);
    const { html } = await ada.visitor.get(`${ada.base}/keys`);
    const [, keyId] = /keys\/(\w{26})\/revoke/.exec(html) ?? [];
    for (const path of [
      '',
      '/jobs',
      `/jobs/${jobId}`,
      `/jobs/${jobId}/progress`,
      `/jobs/${jobId}/first-code`,
      '/keys',
      '/credits',
      '/members',
      '/settings',
      '/export.zip',
      '/credits.csv',
    ]) {
      expect((await stranger.visitor.get(ada.base + path)).status).toBe(404);
      expect((await new Visitor(service).get(ada.base + path)).status).toBe(303);
    }
    expect((await stranger.visitor.get(`${stranger.base}/jobs/${jobId}`)).status).toBe(404);
    expect((await stranger.visitor.post(`${stranger.base}/keys/${keyId}/revoke`)).status).toBe(404);
    expect((await stranger.visitor.get('/account/operator')).status).toBe(404);
    expect((await ada.visitor.get(`${ada.base}/keys`)).html).toContain(`${keyId}/revoke`);
  });

  it('say that the days of a search are the wrong way round', async () => {
    for (const list of ['jobs', 'settings']) {
      const search = async (days: string) => (await ada.visitor.get(`${ada.base}/${list}?${days}`)).html;
      const words = 'The day at “From” is after the day at “To”: change one of them.';
      expect(await search('from=2026-03-02&to=2026-03-01')).toContain(words);
      expect(await search('from=2026-03-02&to=2026-03-02')).not.toContain(words);
    }
  });

  it('give roles what is theirs', { tags: ['5/making-keys'] }, async () => {
    const [admin, member] = [await join('admin'), await join('member')];
    const statuses = async (visitor: Visitor) => {
      const page = (path: string) => visitor.get(ada.base + path).then(({ status }) => status);
      const form = (path: string, fields: Record<string, string>) =>
        visitor.post(ada.base + path, fields).then(({ status }) => status);
      return {
        jobs: await page('/jobs'),
        settings: await page('/settings'),
        export: await page('/export.zip'),
        createKey: await form('/keys', { name: 'theirs' }),
        invite: await form('/invitations', { email: 'x@example.org', role: 'member' }),
        inviteOwner: await form('/invitations', { email: 'y@example.org', role: 'owner' }),
        rename: await form('/settings', { name: 'Theirs' }),
      };
    };
    expect(await statuses(admin)).toEqual({
      jobs: 200,
      settings: 200,
      export: 403,
      createKey: 200,
      invite: 303,
      inviteOwner: 422,
      rename: 403,
    });
    expect(await statuses(member)).toEqual({
      jobs: 200,
      settings: 403,
      export: 403,
      createKey: 403,
      invite: 403,
      inviteOwner: 403,
      rename: 403,
    });
    const { html } = await member.get(`${ada.base}/keys`);
    expect(html).not.toContain('Create a key');
    expect(html).toContain('Only owners and admins create and revoke keys.');
  });

  it('let the last owner hand over with their password, not leave', async () => {
    await join('admin');
    expect((await ada.visitor.post(`${ada.base}/members/leave`)).status).toBe(409);
    const { html } = await ada.visitor.get(`${ada.base}/members`);
    const [, member = ''] = /<option value="(\w{26})">A admin/.exec(html) ?? [];
    const change = (fields: Record<string, string>) =>
      ada.visitor.post(`${ada.base}/members/ownership`, { member, ...fields });
    for (const share of ['instead', 'both']) {
      const refused = await change({ share, current: 'a guess' });
      expect([refused.status, refused.html.includes('This is not your current password.')]).toEqual([422, true]);
    }
    expect((await change({ share: 'both', current: '' })).html).toContain('Type your current password.');
    const byRole = await ada.visitor.post(`${ada.base}/members/${member}/role`, { role: 'owner' });
    expect(byRole.status).toBe(422);
    expect((await change({ share: 'both', current: ada.password })).location).toMatch(/done=shared/);
    expect(await mailedPath(service, `admin-${ada.email}`)).toBe(`${ada.base}/members`);
    const log = await ada.visitor.get(`${ada.base}/settings?action=ownership-shared`);
    expect(log.html).toMatch(/ownership shared <span class="quiet">A admin: owner</);
    // Nobody takes it back without the password, and who loses it is told.
    for (const path of [`${member}/role`, `${member}/remove`]) {
      expect((await ada.visitor.post(`${ada.base}/members/${path}`, { role: 'member' })).status).toBe(409);
    }
    const take = (current: string) =>
      ada.visitor.post(`${ada.base}/members/ownership/take`, { owner: member, role: 'member', current });
    expect((await take('a guess')).html).toContain('This is not your current password.');
    expect((await take(ada.password)).location).toMatch(/done=role-changed/);
    const { subject, text } = await service.nextMail(`admin-${ada.email}`);
    expect([subject, text.includes('Your role there is member now.')]).toEqual([
      'You own an organisation no longer',
      true,
    ]);
    expect((await change({ share: 'instead', current: ada.password })).location).toMatch(/done=handed-over/);
    expect((await ada.visitor.post(`${ada.base}/members/leave`)).location).toBe('/account/you?done=left');
    expect((await ada.visitor.get(ada.base)).status).toBe(404);
  });

  it('send an invitation again: its first link ends, and a used one says so', async () => {
    const email = `again-${ada.email}`;
    await ada.visitor.get(`${ada.base}/members`);
    await ada.visitor.post(`${ada.base}/invitations`, { email, role: 'member' });
    const first = await mailedPath(service, email);
    const { html } = await ada.visitor.get(`${ada.base}/members?done=invited`);
    expect(html).toContain('<p class="note warn" role="status">The invitation is open, but not sent.');
    expect(html).toMatch(/value="Withdraw the invitation of [^"]+\? Its link stops working\.">Withdraw/);
    // Whoever holds its link may prove an address with it: not even its sender sees it.
    expect(html).not.toContain(first);
    // Without a mail server, a new link would end the old one and reach nobody.
    expect(html).toMatch(/Invitations are not sent yet: .*qrpress admin invite prints one\./);
    expect(html).not.toMatch(/Send invitation|Send again|\/resend/);
    const path = (/\/account\/o\/\w+\/invitations\/\w+\/withdraw/.exec(html)?.[0] ?? '').replace('withdraw', 'resend');
    expect((await ada.visitor.post(path)).location).toBe(`${ada.base}/members?done=invited-again`);
    const log = (await ada.visitor.get(`${ada.base}/settings`)).html.replaceAll(/<[^>]+>/g, '');
    expect(log).toMatch(new RegExp(`invited again ${email} as member[^]*invited ${email} as member`));
    const second = await mailedPath(service, email);
    const visitor = new Visitor(service);
    expect((await visitor.get(first)).html).toContain('Use the link in the newest email');
    await visitor.get(second);
    await visitor.post(second, { name: 'Grace', password: 'a password of theirs' });
    expect((await ada.visitor.get(`${ada.base}/members`)).html).not.toContain('Open invitations');
    const used = await visitor.get(second);
    expect([used.status, used.html.includes('This invitation was used')]).toEqual([200, true]);
    expect(used.html).toContain(`href="${ada.base}">Open Engines`);
    const stranger = new Visitor(service);
    await stranger.get('/account/sign-in');
    expect((await stranger.get(second)).html).toContain(`href="/account/sign-in?next=${ada.base}"`);
    expect((await stranger.post(second, { name: 'Eve', password: 'a password of hers' })).html).toContain('was used');
    expect((await ada.visitor.post(path)).status).toBe(404);
  });

  it('let one person have several organisations', async () => {
    await ada.visitor.get('/account/you');
    const { location } = await ada.visitor.post('/account/you/organisations', { organisation: 'Second' });
    const { html } = await ada.visitor.get(location);
    expect(html).toContain('<h1>Second</h1>');
    expect(html).toContain('>The organisation is ready.<');
    expect(await service.admin.ledger.balance(location.split('/')[3]?.split('?')[0] ?? '')).toBe(0);
    expect((await ada.visitor.get('/account/you')).html).toContain('Engines');
  });

  it('tell who was invited what the first of their own has, and not that an address is confirmed', async () => {
    const visitor = await join('member');
    await visitor.get('/account/you');
    const { location } = await visitor.post('/account/you/organisations', { organisation: 'Theirs' });
    const { html } = await visitor.get(location);
    expect(html).toContain('>The organisation is ready, and has 500 credits.<');
    expect(html).not.toMatch(/Welcome|address is confirmed/);
  });

  it('keep a log of who did what, with the names of that time', async () => {
    await createKey('Größe');
    await ada.visitor.get('/account/you');
    await ada.visitor.post('/account/you/name', { name: 'Özge' });
    await createKey('other');
    const log = async (query: Record<string, string> = {}) => {
      const { html } = await ada.visitor.get(`${ada.base}/settings?${new URLSearchParams(query).toString()}`);
      const rows = html.matchAll(
        /<td data-label="Who"><bdi>(.*?)<\/bdi>.*?<span class="sentence">(.*?)<\/span><\/td>/g,
      );
      return Array.from(rows, ([, who, what = '']) => `${who}: ${what.replaceAll(/<[^>]+>/g, '')}`);
    };
    const { name } = ada;
    const [created, first, signedUp] = ['Özge: key created other', `${name}: key created Größe`, `${name}: signed up`];
    const signedIn = `${name}: signed in`;
    expect(await log()).toEqual([created, first, signedIn, `${signedUp} ${ada.email}`]);
    expect(await log({ q: 'OZGE' })).toEqual([created]);
    // The mail address of a member, whatever they were called.
    expect(await log({ q: ada.email.toUpperCase() })).toEqual([created, first, signedIn, `${signedUp} ${ada.email}`]);
    expect(await log({ q: 'GROSSE' })).toEqual([first]);
    expect(await log({ q: '127.0.0' })).toHaveLength(4);
    expect(await log({ q: '100%' })).toEqual([]);
    expect(await log({ action: 'key-created', q: name })).toEqual([first]);
    expect(await log({ to: '2026-01-31' })).toEqual([]);
    expect(await log({ from: '2026-01-31' })).toHaveLength(4);
    await service.admin.operators.grant(
      COMMAND_LINE,
      { organisationId: ada.organisationId, credits: 1_000_000, reason: '2026: a year' },
      undefined,
    );
    expect(await log({ action: 'credits-granted' })).toEqual(['–: credits granted 1,000,000: 2026: a year']);
  });

  it('export everything but secrets', async () => {
    await createKey('＝wide');
    const { key } = await createKey('=cmd|x');
    await post(key, 2);
    const response = await fetch(service.url + ada.base + '/export.zip', {
      headers: { cookie: Array.from(ada.visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ') },
    });
    const files = await unzip(Buffer.from(await response.arrayBuffer()));
    expect([...files.keys()].toSorted()).toEqual(['audit.csv', 'jobs.csv', 'keys.csv', 'ledger.csv', 'members.csv']);
    expect(files.get('audit.csv')?.toString()).toMatch(/,signed-in,,127\.0\.0\.1\r\n/);
    expect(files.get('members.csv')?.toString()).toContain(`${ada.email},owner`);
    // A cell that a spreadsheet would run as a formula is marked as text.
    expect(files.get('keys.csv')?.toString()).toContain("'=cmd|x,");
    expect(files.get('keys.csv')?.toString()).toContain("'＝wide,");
    expect(Buffer.concat([...files.values()]).toString()).not.toContain(key);
  });

  it('count an export as a change: each writes a line of the log of actions, which is kept', async () => {
    const refusal = new ApiError('rate_limited', 'Too many attempts. Try again in a minute.');
    const count = vi.spyOn(Throttle.prototype, 'count').mockRejectedValueOnce(refusal);
    expect((await ada.visitor.get(`${ada.base}/export.zip`)).status).toBe(429);
    expect(count.mock.lastCall?.[0]).toBe('change');
    count.mockRestore();
  });
});
