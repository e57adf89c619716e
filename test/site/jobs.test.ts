/** The list of jobs, and a job's page. */

import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { auditEntries } from '../../src/accounts/audit-store.js';
import { ITEMS_SEARCHED } from '../../src/jobs/files/job-items.js';
import { JobOutput } from '../../src/jobs/job-output.js';
import { verificationColumns } from '../../src/jobs/job.js';
import { sqlite } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

let service: TestService;
let ada: SignedUp;
let key: { keyId: string; key: string };
beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
  await service.admin.ledger.grant(ada.organisationId, 1_000_000, 'for the tests');
  key = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'label printer');
});
afterAll(() => service.close());

/** Posts a job and returns its id once it is complete. */
async function post(meta: object, items: readonly object[]): Promise<string> {
  const response = await service.fetch('/api/v1/jobs', {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/x-ndjson' },
    body: [meta, ...items].map((line) => JSON.stringify(line)).join('\n'),
  });
  const { jobId } = (await response.json()) as { jobId: string };
  await expect
    .poll(
      async () =>
        (await service.admin.database.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst())
          ?.status,
      { timeout: 30_000 },
    )
    .toBe('complete');
  return jobId;
}

const listed = async (query: string) => {
  const { html } = await ada.visitor.get(`${ada.base}/jobs${query}`);
  return [...html.matchAll(/<tr id="job-(\w+)"/g)].map(([, id]) => id as string);
};

it('finds jobs whatever their case', async () => {
  const jobId = await post({ name: 'Äpfel & Brötchen' }, [{ data: 'a' }]);
  for (const text of ['Äpfel', 'äpfel', 'ÄPFEL', 'brÖtchen']) {
    expect(await listed(`?q=${encodeURIComponent(text)}`)).toEqual([jobId]);
  }
});

it('says of a cancelled job what was refunded and what was kept', async () => {
  const jobId = await post(
    { name: 'Stopped' },
    Array.from({ length: 200 }, (_, item) => ({ data: `${item}` })),
  );
  const cancelled = {
    status: 'failed',
    failure: 'cancelled',
    completed: 50,
    failed: 150,
    credits_refunded: 150,
  } as const;
  await service.admin.database.updateTable('jobs').set(cancelled).where('id', '=', jobId).execute();
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
  expect(html).toContain('<span class="state cancelled" data-status>Cancelled</span>');
  expect(html).toContain(
    'You paid 200 credits. 150 credits are back; 50 credits paid for the codes that were drawn before.',
  );
  expect(html).toContain('The list of a cancelled job is deleted.');
  for (const wrong of ['Failed', 'Send the job again', 'No code was drawn', 'Problems']) {
    expect(html).not.toContain(wrong);
  }
  expect(await listed('?status=cancelled')).toEqual([jobId]);
  expect(await listed('?status=failed')).toEqual([]);
  const list = (await ada.visitor.get(`${ada.base}/jobs`)).html;
  expect(list).toContain('150 credits refunded');
  expect(list).toMatch(/Cancelled <span class="count">1</);
  expect(list).toMatch(/Failed <span class="count">0</);
  const resource = await service.fetch(`/api/v1/jobs/${jobId}`, { headers: { authorization: `Bearer ${key.key}` } });
  expect(await resource.json()).toMatchObject({ status: 'failed', reason: 'cancelled' });
});

it('lists jobs with missing codes apart from complete ones, under the name of their state', async () => {
  const [whole, gaps] = [await post({ name: 'Whole' }, [{ data: 'a' }]), await post({ name: 'Gaps' }, [{ data: 'b' }])];
  await service.admin.database.updateTable('jobs').set({ completed: 0, failed: 1 }).where('id', '=', gaps).execute();
  expect(await listed('?status=incomplete')).toEqual([gaps]);
  const complete = await listed('?status=complete');
  expect(complete).toContain(whole);
  expect(complete).not.toContain(gaps);
  const { html } = await ada.visitor.get(`${ada.base}/jobs?q=Gaps`);
  expect(html).toContain('<span class="state incomplete">Complete, 1 missing</span>');
  expect(html).toMatch(/>Complete <span class="count">0</);
  expect(html).toMatch(/>Complete, some missing <span class="count">1</);
});

it('marks each code that a warning concerns', async () => {
  const jobId = await post(
    { name: 'Warned' },
    ['a', 'https://id.example/01/09506000134353', 'b', 'a'].map((data) => ({ data })),
  );
  const page = `${ada.base}/jobs/${jobId}`;
  const { html } = await ada.visitor.get(page);
  const [list = ''] = html.split('<ol class="codes">')[1]?.split('</ol>') ?? [];
  const [, ...codes] = list.split('<li>');
  const marks = codes.map((code) => Array.from(code.matchAll(/class="warned">([^<]+)</g), ([, text]) => text));
  expect(marks).toEqual([['same data as another code'], ['wrong check digit'], [], ['same data as another code']]);
  expect(html).toContain('2 codes seem to have the same data as another code.');
  expect(html).toMatch(/Codes <a href="\?from=0#codes">1<\/a>, <a href="\?from=3#codes">4<\/a>\s*\./);
  // A job of an earlier version names the first alone.
  const { database } = service.admin;
  const warnings = JSON.stringify([{ code: 'duplicate_data', message: '', items: 2, first: 3 }]);
  await database.updateTable('jobs').set({ warnings }).where('id', '=', jobId).execute();
  const older = (await ada.visitor.get(page)).html;
  expect(older.match(/class="warned"/g)).toHaveLength(1);
  expect(older).toMatch(/Codes <a href="\?from=3#codes">4<\/a> and 1 more\s*\./);
});

it('has words for every warning that concerns some codes, without what the codes hold', async () => {
  const jobId = await post(
    { name: 'Misread' },
    ['https://example.org/', 'BEGIN:VCARD\r\nN:Müller;Jörg;;;', 'NULL'].map((data) => ({ data })),
  );
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
  expect(Array.from(html.matchAll(/class="warned">([^<]+)</g), ([, text]) => text)).toEqual([
    'letters some scanners misread',
    'probably not meant',
  ]);
  const [, warnings = ''] = html.split('id="warnings"');
  expect(warnings).toContain(
    '1 code has letters that some scanners misread, such as ü, ö. Phones read them: choose “Mark',
  );
  expect(warnings).not.toContain('VCARD');
});

it('asks before it cancels a job', async () => {
  const jobId = await post({ name: 'Asked' }, [{ data: 'a' }]);
  const path = `${ada.base}/jobs/${jobId}`;
  expect((await ada.visitor.get(path)).html).not.toContain(`${path}/cancel`);
  const running = { status: 'processing', completed: 0 } as const;
  await service.admin.database.updateTable('jobs').set(running).where('id', '=', jobId).execute();
  for (const page of [path, `${ada.base}/jobs`]) {
    const [, question = ''] = /\/cancel"[^]*?name="ask" value="([^"]+)"/.exec((await ada.visitor.get(page)).html) ?? [];
    const asked = (await ada.visitor.post(`${path}/cancel`, { ask: question })).html;
    expect(asked).toContain('Are you sure?');
    // Without scripts the page may be old.
    expect(asked).toContain('You pay for the codes that are drawn. They are deleted, and your list is, too.');
  }
  await ada.visitor.get(path);
  expect((await ada.visitor.post(`${path}/cancel`)).location).toBe(`${path}?done=cancelled`);
  const { html } = await ada.visitor.get(path);
  expect(html).toContain('You paid 1 credit. 1 credit is back.');
  await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: jobId });
});

it('lists jobs by key, person and day, fifty on a page', async () => {
  const one = await post({ name: 'By a key' }, [{ data: 'a' }]);
  const all = await listed('');
  expect(await listed(`?key=${key.keyId}`)).toEqual(all);
  const [{ personId } = { personId: '' }] = await service.admin.database
    .selectFrom('memberships')
    .select('person_id as personId')
    .where('organisation_id', '=', ada.organisationId)
    .execute();
  expect(await listed(`?person=${personId}`)).toEqual([]);
  const ofPerson = { key_id: null, person_id: personId };
  await service.admin.database.updateTable('ledger_entries').set(ofPerson).where('job_id', '=', one).execute();
  expect(await listed(`?person=${personId}`)).toEqual([one]);
  const old = Date.parse('2026-01-31T12:00:00Z');
  await service.admin.database.updateTable('jobs').set({ created_at: old }).where('id', '=', one).execute();
  expect(await listed('?from=2026-01-31&to=2026-01-31')).toEqual([one]);
  expect(await listed('?to=2026-01-30')).toEqual([]);
  expect(await listed('?from=2026-02-01')).toEqual(all.filter((id) => id !== one));
  for (const day of ['2026-13-45', '2026-02-30']) {
    expect(await listed(`?from=${day}`), day).toHaveLength(all.length);
  }
  for (let count = all.length; count < 51; count += 1) {
    await post({ name: `Number ${count}` }, [{ data: `${count}` }]);
  }
  expect(await listed('')).toHaveLength(50);
});

it('deletes the chosen jobs after a question, and no others', async () => {
  const [first, second] = [await post({ name: 'One' }, [{ data: '1' }]), await post({ name: 'Two' }, [{ data: '2' }])];
  const running = await post({ name: 'Running' }, [{ data: '3' }]);
  await service.admin.database.updateTable('jobs').set({ status: 'processing' }).where('id', '=', running).execute();
  const foreign = await service.admin.database
    .selectFrom('jobs')
    .select('id')
    .where('organisation_id', '<>', ada.organisationId)
    .execute();
  const question = await ada.visitor.get(
    `${ada.base}/jobs/delete?job=${first}&job=${second}&job=${running}&job=nothing`,
  );
  expect(question.html).toContain(`name="jobs" value="${first} ${second}"`);
  expect(question.html).toContain('1 job in progress cannot be deleted.');
  const { location } = await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: `${first} ${second}` });
  expect(location).toBe(`${ada.base}/jobs?done=jobs-deleted`);
  expect((await ada.visitor.get(`${ada.base}/jobs/${first}`)).status).toBe(404);
  const refused = await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: `${running} ${foreign[0]?.id ?? 'x'}` });
  expect(refused.location).toBe(`${ada.base}/jobs?done=not-ended`);
  expect((await ada.visitor.get(`${ada.base}/jobs/delete`)).location).toBe(`${ada.base}/jobs`);
  await service.admin.database.updateTable('jobs').set({ status: 'complete' }).where('id', '=', running).execute();
});

it('has who cancelled and deleted jobs in the audit log, and in the log without mail addresses', async () => {
  const ids = [await post({ name: 'For bob@example.org' }, [{ data: '1' }]), await post({}, [{ data: '2' }])];
  const [byKey = '', byPerson = ''] = ids;
  await service.admin.database
    .updateTable('jobs')
    .set({ status: 'processing', completed: 0 })
    .where('id', 'in', ids)
    .execute();
  const headers = { authorization: `Bearer ${key.key}` };
  const cancel = () => service.fetch(`/api/v1/jobs/${byKey}/cancel`, { method: 'POST', headers });
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200]);
  await service.fetch(`/api/v1/jobs/${byKey}`, { method: 'DELETE', headers });
  await ada.visitor.get(`${ada.base}/jobs/${byPerson}`);
  await ada.visitor.post(`${ada.base}/jobs/${byPerson}/cancel`);
  expect((await ada.visitor.get(`${ada.base}/jobs/delete?job=${byPerson}`)).html).toContain('Its files are deleted');
  await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: byPerson });
  const person = expect.any(String);
  const entries = await auditEntries(service.admin.database, ada.organisationId, 4);
  expect(entries.map(({ action, subject, personName, address }) => [action, subject, personName, address])).toEqual([
    ['job-deleted', byPerson, person, '127.0.0.1'],
    ['job-cancelled', byPerson, person, '127.0.0.1'],
    ['job-deleted', 'For bob@example.org, by the key label printer', null, '127.0.0.1'],
    ['job-cancelled', 'For bob@example.org, by the key label printer', null, '127.0.0.1'],
  ]);
  const lines = service.log.map((line) => JSON.parse(line) as { audit?: unknown }).flatMap(({ audit }) => audit ?? []);
  expect(lines).toContainEqual({
    action: 'job-deleted',
    organisationId: ada.organisationId,
    personId: null,
    subject: 'For …, by the key label printer',
    address: '127.0.0.1',
  });
  expect(lines).toContainEqual(expect.objectContaining({ action: 'signed-up', subject: '…' }));
});

/** Names of the codes on a job's page. */
const codes = (html: string) => [...html.matchAll(/<p class="clamp" title="([^"]*)"/g)].map(([, name]) => name);

it('shows a job with its codes, its style and its maker', async () => {
  const style = { foreground: '#1b3a5c', ecLevel: 'Q', caption: { fontSize: 20 } };
  const items = Array.from({ length: 60 }, (_, item) => ({
    data: `https://example.org/${item}`,
    filename: `Größe "${item}"`,
    ...(item === 40 && { reference: 'A\\B “ÄÖ” 7\tC', caption: 'Straße' }),
    ...(item === 41 && { reference: '20-30 cm', caption: 'Müller’sche Protokolle 1848–1851' }),
    ...(item === 42 && { reference: '+49 (170) 12 34-567' }),
  }));
  const jobId = await post({ name: 'Sizes', style, verify: 'sample' }, items);
  const path = `${ada.base}/jobs/${jobId}`;
  const first = await ada.visitor.get(path);
  expect(codes(first.html)).toHaveLength(24);
  expect(codes(first.html)[0]).toMatch(/^Größe -0-0\.png|^Größe -0--0\.png/);
  for (const text of [
    '#1b3a5c',
    'label printer',
    'Scan check: 60 of 60 passed',
    'manifest.csv',
    '/labels',
    'Make again',
  ]) {
    expect(first.html).toContain(text);
  }
  const [, next = ''] = /href="([^"]+)">Next</.exec(first.html) ?? [];
  const second = await ada.visitor.get(next.replaceAll('&amp;', '&'));
  expect(codes(second.html)).toHaveLength(24);
  expect((await ada.visitor.get(`${path}?from=48`)).html).not.toContain('>Next<');
  expect(codes((await ada.visitor.get(`${path}?from=9999999`)).html)).toHaveLength(1);
  for (const text of ['GRÖSSE', 'EXAMPLE.org']) {
    const { html } = await ada.visitor.get(`${path}?q=${text}`);
    expect(codes(html)).toHaveLength(24);
    expect(html).toContain(`role="status">60 codes found for “<bdi>${text}</bdi>”; 1 to 24 are shown.<`);
  }
  const page = async (html: string, name: string) => {
    const [, link = ''] = new RegExp(`href="([^"]+)">${name}<`).exec(html) ?? [];
    return (await ada.visitor.get(link.replaceAll('&amp;', '&'))).html;
  };
  const found = (await ada.visitor.get(`${path}?q=example`)).html;
  const middle = await page(found, 'Next');
  expect(middle).toContain('role="status">60 codes found for “<bdi>example</bdi>”; 25 to 48 are shown.<');
  const end = await page(middle, 'Next');
  expect(end).toContain('role="status">60 codes found for “<bdi>example</bdi>”; 49 to 60 are shown.<');
  expect([codes(end).length, end.includes('>Next<')]).toEqual([12, false]);
  expect(codes(await page(middle, 'Previous'))).toEqual(codes(found));
  const rest = (await ada.visitor.get(`${path}?q=example&from=30`)).html;
  expect(rest).toContain(
    'role="status">30 codes found for “<bdi>example</bdi>” among codes 31 to 60; 1 to 24 are shown.<',
  );
  const last = (await ada.visitor.get(`${path}?q=example&from=36`)).html;
  expect(last).toContain('role="status">24 codes found for “<bdi>example</bdi>” among codes 37 to 60.<');
  expect(last).not.toContain('Search the next ones');
  for (const text of [
    'a\\b',
    '7\tc',
    '“äö”',
    'STRASSE',
    'org/40',
    "muller'sche",
    '1848-1851',
    '1848–1851',
    '20–30 cm',
    '1701234567',
    '+49 170/1234567',
  ]) {
    const { html } = await ada.visitor.get(`${path}?q=${encodeURIComponent(text)}`);
    expect(codes(html), text).toHaveLength(1);
    expect(html).toMatch(/role="status">1 code found for “<bdi>[^<]*<\/bdi>”\.</);
  }
  expect((await ada.visitor.get(`${path}?q=completed`)).html).toContain('No match.');
  const picture = await ada.visitor.get(`${path}/codes/40`);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('cache-control')).toBe('private, max-age=86400');
  // As from the API: its sender is the pages' too.
  const known = { 'if-none-match': picture.headers.get('etag') ?? '' };
  expect((await ada.visitor.get(`${path}/codes/40`, known)).status).toBe(304);
  expect((await ada.visitor.get(`${path}/codes/60`)).status).toBe(404);
  expect((await ada.visitor.get(`${ada.base}/credits.csv`)).html).toContain(`,${jobId},Sizes,label printer,`);
  const csv = await ada.visitor.get(`${path}/manifest.csv`);
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="Sizes.csv"');
  expect(csv.html.trimEnd().split('\r\n')).toHaveLength(61);
  const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const list = await fetch(`${service.url}${path}/manifest.csv`, { headers: { cookie } });
  // Excel reads other characters than ASCII by it.
  expect(Buffer.from(await list.arrayBuffer()).toString()).toMatch(/^\uFEFFindex,/);
});

it('says of codes that are too pale for scanners that their files alone were read', async () => {
  const checkOf = async (foreground: string) => {
    const jobId = await post({ style: { foreground }, verify: 'all' }, [{ data: 'https://example.org/1' }]);
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
    const [, heading, rest = ''] = /<h2 id="read-back">(.*?)<\/h2>(.*?)<\/section>/s.exec(html) ?? [];
    return [
      heading,
      html.split('<h2 id="read-back">')[0]?.includes('many scanners can’t read these codes: <a href="#warnings">'),
      rest.includes('left to spare'),
      /Code 1, (file read|scanned)/.exec(html)?.[1],
    ];
  };
  expect(await checkOf('#e6e6b0')).toEqual(['Scan check: 1 of 1 files read', true, false, 'file read']);
  expect(await checkOf('#000000')).toEqual(['Scan check: 1 of 1 passed', false, true, 'scanned']);
});

it('goes to a row of the list, or to a code where the rows are not known', async () => {
  const items = Array.from({ length: 60 }, (_, item) => ({ data: `${item}` }));
  const jobId = await post({ style: { scale: 1 } }, items);
  const path = `${ada.base}/jobs/${jobId}`;
  const shown = async (query: string) => {
    const { html } = await ada.visitor.get(`${path}${query}`);
    const names = Array.from(html.matchAll(/<p class="quiet">([A-Z][a-z]+ \d+)/g), ([, name]) => name);
    return { html, names, said: /role="status">([^<]*is not in this job[^<]*)</.exec(html)?.[1] };
  };
  const all = await shown('');
  expect(all.html).toContain('<label for="at">Go to code</label>');
  const code = await shown('?at=31');
  expect([code.names[0], code.names.length, code.said]).toEqual(['Code 31', 24, undefined]);
  expect(code.html).toMatch(/href="[^"]*from=6#codes">Previous</);
  expect(code.html).toMatch(/href="[^"]*from=54#codes">Next</);
  expect((await shown('?at=99')).said).toBe('Code 99 is not in this job. These are the codes from code 60 on.');
  for (const wrong of ['', '0', '-1', 'x', '12345678']) {
    expect((await shown(`?at=${wrong}`)).names[0], wrong).toBe('Code 1');
  }
  const places = JSON.stringify({
    unit: 'row',
    runs: [
      [2, 20],
      [30, 40],
    ],
  });
  await service.admin.database.updateTable('jobs').set({ source_places: places }).where('id', '=', jobId).execute();
  expect((await shown('')).html).toContain('<label for="at">Go to row</label>');
  expect(await shown('?at=35')).toMatchObject({ names: expect.arrayContaining(['Row 35']), said: undefined });
  expect((await shown('?at=35')).names[0]).toBe('Row 35');
  const skipped = await shown('?at=25');
  expect([skipped.names[0], skipped.said]).toEqual([
    'Row 30',
    'Row 25 is not in this job. These are the codes from row 30 on.',
  ]);
  // The search takes the names of codes, too.
  for (const name of ['row 35', 'Row  35']) {
    expect(await shown(`?q=${encodeURIComponent(name)}`)).toMatchObject({ names: ['Row 35'] });
  }
  for (const name of ['row 25', 'row 1', 'code 5', 'row 999']) {
    expect((await shown(`?q=${encodeURIComponent(name)}`)).html, name).toContain('No match.');
  }
  // A job whose codes are all in sight, and a search, need none.
  expect((await shown('?q=5')).html).not.toContain('Go to row');
});

it.each([
  // 21 modules and the quiet zone of 8.
  [{ format: 'png', style: { scale: 10, dpi: 300 } }, ['a', 'b'], '24.6 mm at 300 dpi (the first code)'],
  [{ format: 'svg', style: { scale: 10, dpi: 600 } }, ['a', 'b'], '12.3 mm at 600 dpi (the first code)'],
  [{ format: 'both', style: { scale: 10 } }, ['a'], '24.6 mm if printed at 300 dpi'],
  [{ style: { scale: 10, version: 'same' } }, ['a', 'x'.repeat(20)], '27.9 mm if printed at 300 dpi'],
])('tells the width in print of %j', async (meta, data, width) => {
  const jobId = await post(
    meta,
    data.map((each) => ({ data: each })),
  );
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
  expect(/<dt>Width in print<\/dt><dd>([^<]+)</.exec(html)?.[1]).toBe(width);
});

it('packs the codes that a search finds, as they are in the archive', async () => {
  const items = Array.from({ length: 40 }, (_, item) => ({
    data: `${item}`,
    filename: `${item < 3 ? 'Größe' : 'other'} ${item}`,
  }));
  const jobId = await post({ name: 'Sizes', format: 'both' }, items);
  const path = `${ada.base}/jobs/${jobId}`;
  expect((await ada.visitor.get(path)).html).not.toContain('found.zip');
  const { html } = await ada.visitor.get(`${path}?q=png+groesse`);
  const [, link = ''] = /href="([^"]+found\.zip[^"]*)"/.exec(html) ?? [];
  const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const archive = async (from: string) => {
    const response = await fetch(service.url + from, { headers: { cookie } });
    expect(response.headers.get('content-type')).toBe('application/zip');
    return { bytes: Buffer.from(await response.arrayBuffer()), named: response.headers.get('content-disposition') };
  };
  const { bytes, named } = await archive(link.replaceAll('&amp;', '&'));
  expect(named).toBe('attachment; filename="Sizes, found.zip"');
  expect((await archive(link.replaceAll('&amp;', '&'))).bytes.equals(bytes)).toBe(true);
  // Compressed: a reader that takes the archive as it comes finds no end of stored data whose length follows it.
  expect(bytes.readUInt16LE(8)).toBe(8);
  const found = await unzip(bytes);
  const whole = await unzip((await archive((await ada.visitor.get(`${path}/download`)).location)).bytes);
  expect([...found.keys()]).toEqual(
    [0, 1, 2].flatMap((item) => [`Größe ${item}-${item}.png`, `Größe ${item}-${item}.svg`]),
  );
  for (const [name, content] of found) {
    expect(whole.get(name)?.equals(content), name).toBe(true);
  }
  expect((await unzip((await archive(`${path}/found.zip?q=nothing`)).bytes)).size).toBe(0);
});

it('closes the picture that is packed when a client leaves', async () => {
  const path = `${ada.base}/jobs/${await post({}, [{ data: 'a' }])}`;
  const content = new Readable({ read: () => undefined });
  content.push('begun');
  const read = vi.spyOn(JobOutput.prototype, 'readFile').mockReturnValue(content);
  const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const client = new AbortController();
  const { status } = await fetch(`${service.url}${path}/found.zip?q=a`, { headers: { cookie }, signal: client.signal });
  expect(status).toBe(200);
  expect(content.destroyed).toBe(false);
  client.abort();
  await vi.waitFor(() => expect(content.destroyed).toBe(true), { timeout: 20_000 });
  read.mockRestore();
});

it('renames a job, which is then found by its new name', async () => {
  const jobId = await post({ name: 'Old name' }, [{ data: 'a' }]);
  const path = `${ada.base}/jobs/${jobId}`;
  await service.ended(jobId);
  const named = async (file: string, headers = {}) => {
    const address = `/api/v1/jobs/${jobId}/${file}`;
    const answer = await service.fetch(address, { headers: { authorization: `Bearer ${key.key}`, ...headers } });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('content-disposition')];
  };
  const files = ['download', 'labels.pdf?sheet=avery-l7160'];
  const before = await Promise.all(files.map((file) => named(file)));
  expect(before).toEqual(files.map(() => [200, expect.stringContaining('Old name')]));
  await ada.visitor.get(path);
  const refused = await ada.visitor.post(`${path}/name`, { name: ' ' });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('The name is missing.');
  expect((await ada.visitor.post(`${path}/name`, { name: 'x'.repeat(121) })).html).toContain(
    'more than 120 characters',
  );
  expect((await ada.visitor.post(`${path}/name`, { name: ' Süße Äpfel ' })).location).toBe(`${path}?done=renamed`);
  expect((await ada.visitor.get(`${path}?done=renamed`)).html).toContain('The name is saved.');
  // A browser that has the file takes its new name.
  const after = await Promise.all(files.map((file) => named(file, { 'if-none-match': '*' })));
  expect(after).toEqual(files.map(() => [304, expect.stringContaining('%C3%BC%C3%9Fe')]));
  expect(await listed('?q=susse')).toContain(jobId);
  expect(await listed('?q=Old')).not.toContain(jobId);
  const status = await service.fetch(`/api/v1/jobs/${jobId}`, { headers: { authorization: `Bearer ${key.key}` } });
  expect(await status.json()).toMatchObject({ name: 'Süße Äpfel' });
  const [entry] = await auditEntries(service.admin.database, ada.organisationId, 1);
  expect(entry).toMatchObject({ action: 'job-renamed', subject: 'Süße Äpfel' });
});

it('withdraws all links of a job after a question, and shows a new one', async () => {
  const path = `${ada.base}/jobs/${await post({ name: 'Shared' }, [{ data: 'a' }])}`;
  const linkIn = (html: string) =>
    (/id="download-link">([^<]+)</.exec(html)?.[1] ?? '').replaceAll('&amp;', '&').replace(/^https?:\/\/[^/]+/, '');
  const { html } = await ada.visitor.get(path);
  const old = linkIn(html);
  const status = async (link: string) => (await fetch(service.url + link, { method: 'HEAD' })).status;
  expect(await status(old)).toBe(200);
  const [, question = ''] = /\/links"[^]*?name="ask" value="([^"]+)"/.exec(html) ?? [];
  expect((await ada.visitor.post(`${path}/links`, { ask: question })).html).toContain('Are you sure?');
  expect(await status(old)).toBe(200);
  const { location } = await ada.visitor.post(`${path}/links`);
  expect(location).toBe(`${path}?done=links-withdrawn#links`);
  expect(await status(old)).toBe(404);
  const dead = await fetch(service.url + old, { headers: { accept: 'text/html' } });
  expect(await dead.text()).toContain('The QR codes were deleted, or the link was withdrawn.');
  const renewed = await ada.visitor.get(`${path}?done=links-withdrawn`);
  expect(renewed.html).toContain('The links of this job no longer work. Below is a new one.');
  expect(linkIn(renewed.html)).not.toBe(old);
  expect(await status(linkIn(renewed.html))).toBe(200);
  const [entry] = await auditEntries(service.admin.database, ada.organisationId, 1);
  expect(entry).toMatchObject({ action: 'job-links-withdrawn', subject: 'Shared' });
});

it('searches so many codes of a large job, and goes on where it ended', { timeout: 60_000 }, async () => {
  const total = ITEMS_SEARCHED + 10;
  const items = Array.from({ length: total }, (_, item) => ({ data: item === total - 1 ? 'the last' : `${item}` }));
  const jobId = await post({ style: { scale: 1 } }, items);
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}?q=LAST`);
  expect(html).toContain('No match among codes 1 to 100,000.');
  const [, next = ''] = /href="([^"]+)">Search the next ones</.exec(html) ?? [];
  expect(codes((await ada.visitor.get(next.replaceAll('&amp;', '&'))).html)).toHaveLength(1);
});

it.each([
  ['nothing was read', { verified: 0, unread: 0 }, [0, 0, 0, 0, 0], undefined],
  ['one code was read', { verified: 1, unread: 0 }, [0, 0, 0, 0, 1], 1000],
  ['many codes were read', { verified: 6000, unread: 0 }, [1, 20, 300, 4000, 1679], 83],
  ['some codes were not read', { verified: 4, unread: 3 }, [0, 0, 1, 0, 0], 500],
  ['no code was read', { verified: 2, unread: 2 }, [0, 0, 0, 0, 0], undefined],
])('shows how much error correction is left where %s', async (_, counts, distribution, thousandths) => {
  const jobId = await post({ verify: 'all', style: { scale: 1 } }, [{ data: 'a' }, { data: 'b' }]);
  const least = thousandths === undefined ? {} : { least: { thousandths, item: 1 } };
  const unreadItems = [0, 1].slice(0, counts.unread);
  await service.admin.database
    .updateTable('jobs')
    .set(verificationColumns({ ...counts, unreadItems, distribution, ...least }))
    .where('id', '=', jobId)
    .execute();
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
  const bars = [...html.matchAll(/<meter min="0" max="(\d+)" value="(\d+)"/g)].map(([, max, value]) => [
    Number(max),
    Number(value),
  ]);
  expect(bars).toEqual(thousandths === undefined ? [] : distribution.map((count) => [counts.verified, count]));
  // Nothing is lost where all is left.
  expect(/Weakest code: <a href="\?from=1#codes"><bdi>[^<]+<\/bdi><\/a>\. It still scans with/.test(html)).toBe(
    thousandths !== undefined && thousandths < 1000,
  );
  expect(html.includes('Could not be read')).toBe(counts.unread > 0);
  const [before = ''] = html.split('Download ZIP');
  expect(/(\d of \d codes) do not scan\. <a href="\?unread=1#codes"/.exec(before)?.[1]).toBe(
    counts.unread > 0 ? `${counts.unread} of ${counts.verified} codes` : undefined,
  );
  const notScanned = ['2 codes', '1 code'][counts.verified];
  expect(/<p class="note warn">Not scanned: ([^.]+)\./.exec(html)?.[1]).toBe(notScanned);
  // The codes themselves are marked in the list above.
  expect([...html.matchAll(/<img src="[^"]*\/codes\//g)]).toHaveLength(2);
});

it('names unread codes of a cancelled job, which has no codes to show', async () => {
  const jobId = await post({ verify: 'all', style: { scale: 1 } }, [{ data: 'a' }, { data: 'b' }]);
  await service.ended(jobId);
  const read = { verified: 1, unread: 1, unreadItems: [0], distribution: [0, 0, 0, 0, 0] };
  await service.admin.database
    .updateTable('jobs')
    .set({ ...verificationColumns(read), status: 'failed', failure: 'cancelled' })
    .where('id', '=', jobId)
    .execute();
  const { html } = await ada.visitor.get(`${ada.base}/jobs/${jobId}`);
  expect(html).toContain('Could not be read: code 1.');
  expect(html).toContain('<p class="note">Not scanned: 1 code.');
  expect(html).not.toContain('#codes');
});

it('shows the codes alone that could not be read', async () => {
  const items = Array.from({ length: 30 }, (_, item) => ({ data: `${item}` }));
  const faint = { style: { scale: 2, foreground: '#fefefe' }, verify: 'all' };
  const path = `${ada.base}/jobs/${await post(faint, items)}`;
  await service.ended(path.split('/').at(-1) ?? '');
  const { html } = await ada.visitor.get(`${path}?unread=1`);
  expect(html).toContain('Only the 30 codes that do not scan');
  const list = await ada.visitor.get(`${ada.base}/jobs`);
  expect(list.html).toContain('<span class="state incomplete">Complete, 30 do not scan</span>');
  expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/Could not be read: codes 1, 2, [\d, ]+, 12 and 18 more\./);
  const [, proof = ''] = /href="([^"]+)">Proof sheet to print</.exec(html) ?? [];
  const printed = await ada.visitor.get(proof.replaceAll('&amp;', '&'));
  expect(printed.html.match(/>does not scan</g)).toHaveLength(30);
  expect(codes(html)).toHaveLength(24);
  const [, next = ''] = /href="([^"]+)">Next</.exec(html) ?? [];
  const rest = await ada.visitor.get(next.replaceAll('&amp;', '&'));
  expect(codes(rest.html)).toHaveLength(6);
  expect(rest.html).toContain('does not scan');
  const read = `${ada.base}/jobs/${await post({ verify: 'all' }, items)}`;
  await service.ended(read.split('/').at(-1) ?? '');
  const all = await ada.visitor.get(`${read}?unread=1`);
  expect(all.html).not.toContain('name="unread"');
  expect(codes(all.html)).toHaveLength(24);
});

it('tells when a job was begun, and when its archive was downloaded first', async () => {
  const items = Array.from({ length: 120 }, (_, item) => ({ data: `${item}` }));
  const jobId = await post({}, items);
  await service.ended(jobId);
  const page = async () => (await ada.visitor.get(`${ada.base}/jobs/${jobId}`)).html;
  const html = await page();
  expect(html).toContain('<dt>Started</dt>');
  expect(html).not.toContain('First downloaded');
  const { location } = await ada.visitor.get(`${ada.base}/jobs/${jobId}/download`);
  await (await fetch(service.url + location, { method: 'HEAD' })).arrayBuffer();
  expect(await page()).not.toContain('First downloaded');
  await (await fetch(service.url + location)).arrayBuffer();
  const at = async () => /First downloaded<\/dt><dd><time datetime="([^"]+)"/.exec(await page())?.[1];
  const first = await vi.waitFor(
    async () => {
      const time = await at();
      expect(time).toBeDefined();
      return time;
    },
    { timeout: 20_000 },
  );
  await (await fetch(service.url + location)).arrayBuffer();
  expect(await at()).toBe(first);
});
