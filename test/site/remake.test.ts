/** Codes of a job that are made anew: those that are missing, all of a failed job, and one with corrected words. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { locationOfBlobs } from '../../src/config/config.js';
import { JobReportStore } from '../../src/jobs/job-report-store.js';
import type { ManifestLine } from '../../src/contract/response-schema.js';
import type { StudioCheck } from '../../src/site/studio/studio-check.js';
import { newRowId } from '../../src/database/row-id.js';
import { describeOnDatabases } from '../support/databases.js';
import { dataUrl, paintedPng } from '../support/png.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp, Visitor } from '../support/visitor.js';

const ITEMS = Array.from({ length: 30 }, (_, item) => ({
  data: `https://example.org/${item}`,
  filename: `Room "${item}"`,
  ...(item === 15 && { caption: 'Line 1\nLine 2', reference: 'R-15' }),
  ...(item === 16 && { caption: '' }),
}));
const STYLE = { foreground: '#1b3a5c', caption: { text: 'Shared' } };

describeOnDatabases('codes that are made anew', (kind) => {
  let service: TestService;
  let ada: SignedUp;
  let headers: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 10 });
    await signUpAnew();
  });
  /** Others go on after half of the tests: a person makes 60 jobs in a minute. */
  async function signUpAnew(): Promise<void> {
    ada = await signUp(service);
    await service.admin.ledger.grant(ada.organisationId, 500, 'for all of these jobs');
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'test');
    headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }
  let closeEarlier = async () => {};
  afterAll(async () => {
    await service.close();
    await closeEarlier();
  });

  /** A job of chunks of ten, of which the second failed. */
  async function incomplete(items: readonly object[] = ITEMS, style: object = STYLE): Promise<string> {
    const { jobId } = await service.submit({ name: 'Rooms', items, style, verify: 'all' }, headers);
    await service.ended(jobId);
    await failSecondChunk(jobId, items.length);
    return jobId;
  }

  async function failSecondChunk(jobId: string, total: number): Promise<void> {
    const { database } = service.admin;
    const failed = Math.min(10, total - 10);
    const nothing = {
      status: 'failed' as const,
      failed_items: failed,
      segment_bytes: 0,
      index_bytes: 0,
      readings_bytes: 0,
    };
    await database
      .updateTable('chunks')
      .set({ ...nothing, entries: 0, header_bytes: 0 })
      .where('job_id', '=', jobId)
      .where('position', '=', 1)
      .execute();
    await database
      .updateTable('jobs')
      .set({ completed: total - failed, failed, credits_refunded: failed })
      .where('id', '=', jobId)
      .execute();
  }

  /** Sends the studio's form with a sheet. Its faulty rows are skipped. */
  async function fromSheet(content: string): Promise<string> {
    const send = await studioForm(content, 'Guests.csv');
    const { faulty } = JSON.parse((await send('/check')).html) as StudioCheck;
    return jobOf(await send('', { skip: faulty?.key ?? '' }));
  }

  async function jobOf({ location }: { location: string }): Promise<string> {
    const jobId = location.split('/').at(-1) ?? '';
    await service.ended(jobId);
    return jobId;
  }

  /** The form of the studio with a file. */
  async function studioForm(content: string, name: string) {
    const { visitor, base } = ada;
    await visitor.get(`${base}/studio`);
    return (path: string, others: Record<string, string> = {}) => {
      const form = new FormData();
      const colours = { foreground: '#000000', background: '#ffffff' };
      const look = {
        format: 'png',
        ecLevel: 'M',
        scale: '1',
        seen: '1',
        margin: '4',
        fontSize: '16',
        logoPercent: '20',
        ...colours,
      };
      const fields = { csrf: visitor.csrf, submission: visitor.submission, verify: 'all', ...look, ...others };
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new Blob([content]), name);
      return visitor.request(`${base}/studio${path}`, { method: 'POST', headers: { origin: service.url }, body: form });
    };
  }

  const page = (jobId: string) => `${ada.base}/jobs/${jobId}`;
  /** The row of a job, without the column that the database computes. */
  async function rowOf(jobId: string) {
    const jobs = service.admin.database.selectFrom('jobs').selectAll();
    const { credits_used: _, ...row } = await jobs.where('id', '=', jobId).executeTakeFirstOrThrow();
    return row;
  }
  const manifest = async (jobId: string) => {
    const response = await service.fetch(`/api/v1/jobs/${jobId}/manifest`, { headers });
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as ManifestLine);
  };
  /** The correction that a form tells of. */
  const correctedIn = (html: string) => /name="corrected" value="(\w+)"/.exec(html)?.[1] ?? '';
  /** Sends a form of the page at `path`, and waits until the job is complete that it leads to. */
  async function remade(path: string, action: string, fields: Record<string, string> = {}): Promise<string> {
    const { html } = await ada.visitor.get(path);
    const { location, status } = await ada.visitor.post(action, { corrected: correctedIn(html), ...fields });
    expect(status).toBe(303);
    const jobId = location.split('/').at(-1) ?? '';
    await service.ended(jobId);
    return jobId;
  }

  it('makes the missing codes alone, with their names, captions, look and scan check', async () => {
    const jobId = await incomplete();
    const { html } = await ada.visitor.get(page(jobId));
    expect(html).toContain('Complete, 10 missing');
    expect(html).toContain('10 codes failed on our side; their credits are back.');
    expect(html).toContain('Missing from your list: <a href="?from=10#codes">codes 11 to 20</a>.');
    expect(html).toMatch(/Anybody with this link [^<]*\. 10 codes are missing from the ZIP file\.</);
    expect(html).toContain('>Make the 10 missing codes<');
    expect(html).toContain('This costs 10 credits. If they fail again, contact whoever runs <bdi>qrpress</bdi>');
    const search = async (text: string) => (await ada.visitor.get(`${page(jobId)}?q=${text}`)).html;
    const missing = await search('R-15');
    expect(missing).toMatch(/role="status">1 code found for “<bdi>[^<]*<\/bdi>”, not drawn\.</);
    expect(missing).not.toContain('found.zip');
    expect(missing.match(/not drawn</g)).toHaveLength(1);
    expect(await search('example')).toMatch(/found\.zip.*>10 of them were not drawn and are not in it\.</);
    const named = await search(encodeURIComponent('room -12'));
    expect(named).toMatch(/role="status">1 code found for “<bdi>[^<]*<\/bdi>”, not drawn\.</);
    expect(named).toContain('title="Room -12"><bdi>Room -12</bdi>');
    const row = 'https://example.org/12,Shared,failed,,Room -12,,,';
    const csv = (await ada.visitor.get(`${page(jobId)}/manifest.csv`)).html.split('\r\n');
    expect(csv[13]).toBe(`12,,${row}`);
    const lines12 = (await ada.visitor.get(`${page(jobId)}/manifest.ndjson`)).html.split('\n');
    expect(JSON.parse(lines12[12] ?? '')).toMatchObject({ status: 'failed', filename: 'Room -12', files: [] });
    expect((await ada.visitor.get(`${page(jobId)}/codes/12/correct`)).html).toMatch(
      /name="filename"[^>]* value="Room -12"/,
    );
    // The API's manifest names files alone.
    expect((await manifest(jobId))[12]).not.toHaveProperty('filename');
    const accept = { headers: { ...headers, accept: 'text/csv' } };
    const listed = await (await service.fetch(`/api/v1/jobs/${jobId}/manifest`, accept)).text();
    expect(listed.split('\r\n')[13]).toBe(`12,,${row.replace('Room -12', '')}`);
    const made = await remade(page(jobId), `${page(jobId)}/missing`);
    const lines = await manifest(made);
    expect(lines.map(({ data }) => data)).toEqual(ITEMS.slice(10, 20).map(({ data }) => data));
    expect(lines.map(({ files }) => files[0]?.name)).toEqual(
      ITEMS.slice(10, 20).map((_, item) => `Room -${item + 10}.png`),
    );
    expect(lines[5]).toMatchObject({ caption: 'Line 1\nLine 2', reference: 'R-15' });
    expect(lines[6]).not.toHaveProperty('caption');
    expect(lines[7]).toMatchObject({ caption: 'Shared' });
    const status = await (await service.fetch(`/api/v1/jobs/${made}`, { headers })).json();
    expect(status).toMatchObject({ name: 'Rooms, missing codes', total: 10, verified: 10, creditsCharged: 10 });
    const shown = await ada.visitor.get(page(made));
    expect(shown.html).toContain('#1b3a5c');
    expect(shown.html).not.toContain('missing from the ZIP');
    expect(shown.html).toContain(`from <a href="${page(jobId)}"><bdi>Rooms</bdi></a>`);
    // The job leads on to them, and offers them no second time.
    const after = await ada.visitor.get(page(jobId));
    expect(after.html).toContain(`They are made in <a href="${page(made)}"><bdi>Rooms, missing codes</bdi></a>.`);
    expect(after.html).not.toContain('>Make the 10 missing codes<');
    expect((await ada.visitor.post(`${page(made)}/missing`)).status).toBe(409);
  });

  it('calls codes by their rows in the sheet, in jobs that make them anew too', async () => {
    // Rows 3 and 15 are faulty, row 14 may be a mistake.
    const rows = Array.from({ length: 24 }, (_, at) => (at === 1 || at === 13 ? ',x' : `${at === 12 ? 'NULL' : at},x`));
    const jobId = await fromSheet(['url,note', ...rows].join('\n'));
    await failSecondChunk(jobId, 22);
    const { html } = await ada.visitor.get(page(jobId));
    expect(html).toContain('2 faulty rows were skipped: rows 3 and 15. They are not made');
    expect(html).toContain(
      `To make them, correct them, and <a href="${ada.base}/studio?job=${jobId}">add them with the same look</a>, in a file of their own with the same column names.`,
    );
    expect(html.indexOf('10 codes failed on our side')).toBeLessThan(html.indexOf('2 faulty rows were skipped'));
    expect(html).toContain('Missing from your list: <a href="?from=10#codes">rows 13 to 23</a>.');
    expect(html).toMatch(/Row <a href="\?from=11#codes">14<\/a>\./);
    expect(html).toContain('alt="Row 2"');
    const list = (await ada.visitor.get(`${page(jobId)}/manifest.csv`)).html.split('\r\n');
    expect(list[0]).toMatch(/^row,index,reference,/);
    expect(list.slice(1, 4).map((line) => line.split(',', 2))).toEqual([
      ['2', '0'],
      ['4', '1'],
      ['5', '2'],
    ]);
    expect(html).toContain('<span class="hidden-text"> row 14</span>');

    const made = await remade(page(jobId), `${page(jobId)}/missing`);
    const missing = await ada.visitor.get(page(made));
    const shown = Array.from(missing.html.matchAll(/<p class="quiet">(Row \d+), /g), ([, row]) => row);
    expect(shown).toEqual([13, 14, 16, 17, 18, 19, 20, 21, 22, 23].map((row) => `Row ${row}`));

    const path = `${page(made)}/codes/1/correct`;
    expect((await ada.visitor.get(path)).html).toContain('<h1>Change row 14</h1>');
    const corrected = await ada.visitor.get(page(await remade(path, path, { data: 'right' })));
    expect(corrected.html).toContain('Guests, missing codes, row 14 corrected');
    expect(corrected.html).toContain('alt="Row 14"');
    expect((await ada.visitor.get(page(made))).html).toContain('<p>Row 14 is corrected in <a href=');
    // A job of an earlier version does not know which rows were skipped.
    await service.admin.database
      .updateTable('jobs')
      .set({
        source_places: '{"unit":"row","runs":[]}',
        status: 'failed',
        failure: 'not_stored',
        completed: 0,
        failed: 22,
      })
      .where('id', '=', jobId)
      .execute();
    const earlier = (await ada.visitor.get(page(jobId))).html;
    expect(earlier).toContain('2 faulty rows were skipped. They are not made');
    expect(earlier).toContain('The other rows of your list were fine');
  });

  it('takes corrected rows in place of the old ones where a job is made again, with scripts and without', async () => {
    const rows = ['one', 'two', '', 'four', 'five'].map((data, at) => `${data},name-${at + 2},Text ${at + 2}`);
    const jobId = await fromSheet(['data,filename,caption', ...rows].join('\n'));
    const studio = async () => (await ada.visitor.get(`${ada.base}/studio?job=${jobId}`)).html;
    const said = (html: string) => /<p class="note" role="status"([^>]*)>(.*?)<\/p>/.exec(html) ?? [];
    expect(await studio()).not.toContain('corrected');
    const change = async (index: number, words: Record<string, string>, of = jobId) => {
      const path = `${page(of)}/codes/${index}/correct`;
      return remade(path, path, { filename: `name-${index + 2}`, caption: '', ...words });
    };
    const wrong = await change(2, { data: 'fuor', filename: 'name-5' });
    await change(0, { data: 'vier', filename: 'table-5', caption: 'Tisch 5' }, wrong);
    expect((await ada.visitor.get(page(jobId))).html).toContain('<em>Make again</em> takes the new one.');
    const list = `${page(jobId)}/list.ndjson`;
    const [, script = '', text = ''] = said(await studio());
    expect(script).toContain(`data-again="${list}"`);
    expect(script).toContain('data-corrected="With 1 row as corrected: row 5."');
    expect(text).toContain(
      `1 row was corrected later: row 5. Correct it in your list first, or <a href="${list}">download the list as corrected</a> and add that.`,
    );
    await change(0, { data: 'eins' });
    expect((await ada.visitor.get(page(jobId))).html).toContain('row 5 corrected (2)');
    expect(said(await studio())[1]).toContain('"With 2 rows as corrected: rows 2 and 5."');
    expect((await ada.visitor.get(page(jobId))).html).toContain('<em>Make again</em> takes the new ones.');

    const listed = await ada.visitor.get(list);
    expect(listed.html.split('\n').map((line) => line && (JSON.parse(line) as { data: string }).data)).toEqual([
      '',
      'eins',
      'two',
      '',
      'vier',
      'five',
      '',
    ]);
    const send = await studioForm(listed.html, 'Guests.ndjson');
    const again = await jobOf(await send('', { madeFrom: jobId, name: 'Guests' }));
    const drawn = (await manifest(again)).map(({ data, caption, files }) => [data, caption, files[0]?.name]);
    expect(drawn).toEqual([
      ['eins', undefined, 'name-2.png'],
      ['two', 'Text 3', 'name-3.png'],
      ['vier', 'Tisch 5', 'table-5.png'],
      ['five', 'Text 6', 'name-6.png'],
    ]);
    const { html } = await ada.visitor.get(page(again));
    expect(html).toContain(`from <a href="${page(jobId)}"><bdi>Guests</bdi></a>`);
    expect(html).toContain('alt="Row 5"');
    // Without scripts the first code is shown before several are made.
    const unseen = await studioForm(listed.html, 'Guests.ndjson');
    const shown = await unseen('', { madeFrom: jobId, seen: '' });
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(shown.html) ?? [];
    const plain = await jobOf(await unseen('', { madeFrom: jobId, seen }));
    expect((await manifest(plain)).map(({ data, caption, files }) => [data, caption, files[0]?.name])).toEqual(drawn);
  });

  it('gives a job that is made again a name that no other job has', async () => {
    const named = async (jobId: string) => {
      const { html } = await ada.visitor.get(`${ada.base}/studio?job=${jobId}`);
      return /<input id="name"[^>]* value="([^"]*)"/.exec(html)?.[1];
    };
    const made = async (name?: string) => {
      const { jobId } = await service.submit({ items: [{ data: 'one' }], ...(name && { name }) }, headers);
      await service.ended(jobId);
      return jobId;
    };
    const first = await made('Tables');
    expect(await named(first)).toBe('Tables (2)');
    const second = await made('Tables (2)');
    expect([await named(first), await named(second)]).toEqual(['Tables (3)', 'Tables (3)']);
    expect(await named(await made('Prices (2026)'))).toBe('Prices (2026) (2)');
    expect(await named(await made('𝒳'.repeat(120)))).toBe(`${'𝒳'.repeat(116)} (2)`);
    expect(await named(await made())).toMatch(/^Job \w{6} \(2\)$/);
  });

  it('names few corrected codes where a job is made again, and takes no more than it can read', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/3/correct`;
    const correction = await remade(path, path, { data: 'right', caption: 'Shared', filename: 'Room 3' });
    const { database } = service.admin;
    const row = await rowOf(correction);
    const correct = (count: number, item: (at: number) => number) =>
      database
        .insertInto('jobs')
        .values(
          Array.from({ length: count }, (_each, at) => ({
            ...row,
            id: newRowId(),
            token: newRowId(),
            corrected_item: item(at),
          })),
        )
        .execute();
    const list = `${page(jobId)}/list.ndjson`;
    const lines = (await ada.visitor.get(list)).html.split('\n');
    // A caption that all codes share follows the style, also of one that was corrected.
    expect(JSON.parse(lines[3] ?? '')).toEqual({ data: 'right', filename: 'Room 3' });
    expect(JSON.parse(lines[12] ?? '')).toMatchObject({ data: 'https://example.org/12', filename: 'Room -12' });
    const studio = async () => (await ada.visitor.get(`${ada.base}/studio?job=${jobId}`)).html;
    await correct(6, (at) => 10 + at);
    expect(await studio()).toContain('data-corrected="With 7 codes as corrected."');
    expect(await studio()).toContain('7 codes were corrected later. Correct them in your list first, or <a');
    await correct(494, () => 20);
    const many = await studio();
    expect(many).toContain('More than 500 codes were corrected later. Correct them in your list first.</p>');
    expect(many).not.toContain('data-again');
    expect((await ada.visitor.get(list)).status).toBe(409);
    await database.deleteFrom('jobs').where('made_from', '=', jobId).where('id', '<>', correction).execute();
  });

  it('opens the studio with the scan check and the name of the job', async () => {
    const { html } = await ada.visitor.get(`${ada.base}/studio?job=${await incomplete()}`);
    expect(html).toContain('<option value="all" selected>');
    expect(html).toMatch(/name="name"[^>]* value="Rooms \(2\)"/);
    // Of a short list, both read all codes. Of a longer one they do not.
    const send = await studioForm('Link\nA-1\n', 'Rooms.csv');
    for (const verify of ['sample', 'all', 'none']) {
      const jobId = await jobOf(await send('', { verify, submission: newRowId() }));
      const again = (await ada.visitor.get(`${ada.base}/studio?job=${jobId}`)).html;
      expect(again, verify).toContain(`<option value="${verify}" selected>`);
    }
  });

  it('makes a form that is sent twice one job', async () => {
    const jobId = await incomplete();
    await ada.visitor.get(page(jobId));
    const [first, second] = [
      await ada.visitor.post(`${page(jobId)}/missing`),
      await ada.visitor.post(`${page(jobId)}/missing`),
    ];
    expect(first.status).toBe(303);
    expect(second.location).toBe(first.location);
    // The job of the form is gone: the form neither leads there nor makes it again.
    const made = first.location.split('/').at(-1) ?? '';
    await service.ended(made);
    await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: made });
    expect((await ada.visitor.post(`${page(jobId)}/missing`)).status).toBe(409);
  });

  it('makes missing codes once, from however many pages, until that job is cancelled', async () => {
    const jobId = await incomplete();
    await ada.visitor.get(page(jobId));
    const first = await ada.visitor.post(`${page(jobId)}/missing`, { submission: 'one page' });
    const second = await ada.visitor.post(`${page(jobId)}/missing`, { submission: 'another page' });
    expect(second.location).toBe(first.location);
    const made = first.location.split('/').at(-1) ?? '';
    await service.ended(made);
    const cancelled = { status: 'failed', failure: 'cancelled' } as const;
    await service.admin.database.updateTable('jobs').set(cancelled).where('id', '=', made).execute();
    expect((await ada.visitor.get(page(jobId))).html).toContain('>Make the 10 missing codes<');
    expect((await ada.visitor.post(`${page(jobId)}/missing`)).location).not.toBe(first.location);
  });

  it('makes missing codes once where two pages ask at the same time', async () => {
    await service.admin.ledger.grant(ada.organisationId, 50, 'for the test');
    const jobId = await incomplete();
    await ada.visitor.get(page(jobId));
    const before = await service.admin.ledger.balance(ada.organisationId);
    const post = (submission: string) => ada.visitor.post(`${page(jobId)}/missing`, { submission });
    const answers = await Promise.all([post('one page'), post('another page')]);
    const { location } = answers.find(({ status }) => status === 303) ?? { location: 'none' };
    await service.ended(location.split('/').at(-1) ?? '');
    expect((await post('a third page')).location).toBe(location);
    expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before - 10);
    // One that is deleted may be made again, from a page that was opened since.
    await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: location.split('/').at(-1) ?? '' });
    expect((await post('a fourth page')).status).toBe(303);
    expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before - 20);
  });

  it('takes the correction of one code for no other code that is missing', async () => {
    const jobId = await incomplete(ITEMS.slice(0, 11));
    const path = `${page(jobId)}/codes/3/correct`;
    const correction = await remade(path, path, { data: 'right', caption: '' });
    const before = (await ada.visitor.get(page(jobId))).html;
    expect(before).toContain('>Make the missing code<');
    expect(before).toContain('1 code is missing from the ZIP file.');
    const made = await remade(page(jobId), `${page(jobId)}/missing`);
    expect((await manifest(made)).map(({ data }) => data)).toEqual(['https://example.org/10']);
    const { html } = await ada.visitor.get(page(jobId));
    expect(html).toContain(`It is made in <a href="${page(made)}">`);
    expect(html).not.toContain('>Make the missing code<');

    // Nor do any number of later corrections hide it.
    const { database } = service.admin;
    const row = await rowOf(correction);
    const later = Array.from({ length: 10 }, () => ({
      ...row,
      id: newRowId(),
      token: newRowId(),
      created_at: Date.now() + 1_000,
    }));
    await database.insertInto('jobs').values(later).execute();
    const after = (await ada.visitor.get(page(jobId))).html;
    expect(after).toContain(`It is made in <a href="${page(made)}">`);
    // Of which the latest alone is named.
    expect(after.split('Code 4 is corrected in <a href=')).toHaveLength(2);
    expect(after).not.toContain(`href="${page(correction)}"`);
  });

  it('makes codes of the size that those of the job all have', async () => {
    const items = ITEMS.map((item, index) => (index === 0 ? { ...item, data: 'long'.repeat(100) } : item));
    const jobId = await incomplete(items, { version: 'same' });
    const width = async (id: string) => {
      const response = await service.fetch(`/api/v1/jobs/${id}/items/0.png`, { headers });
      return Buffer.from(await response.arrayBuffer()).readUInt32BE(16);
    };
    const made = await remade(page(jobId), `${page(jobId)}/missing`);
    expect(await width(made)).toBe(await width(jobId));
  });

  it('says what is short where the credits do not suffice', async () => {
    const jobId = await incomplete();
    const { database } = service.admin;
    const { balance } = await database
      .selectFrom('organisations')
      .select('balance')
      .where('id', '=', ada.organisationId)
      .executeTakeFirstOrThrow();
    const left = (credits: number) =>
      database.updateTable('organisations').set({ balance: credits }).where('id', '=', ada.organisationId).execute();
    await left(3);
    await ada.visitor.get(page(jobId));
    const refused = await ada.visitor.post(`${page(jobId)}/missing`);
    expect(refused.status).toBe(402);
    expect(refused.html).toMatch(/<h1>Not enough credits<\/h1>\s*<p>The job needs 10 credits; 3 are available\./);
    await left(balance);
  });

  it('makes a failed job again', async () => {
    const jobId = await incomplete();
    const { database } = service.admin;
    const failed = { status: 'failed', failure: 'not_stored', completed: 0, failed: 30, credits_refunded: 30 } as const;
    await database.updateTable('jobs').set(failed).where('id', '=', jobId).execute();
    const { html } = await ada.visitor.get(page(jobId));
    expect(html).toContain('Your list was fine, and your 30 credits are back.');
    const made = await remade(page(jobId), `${page(jobId)}/missing`);
    expect((await manifest(made)).map(({ data }) => data)).toEqual(ITEMS.map(({ data }) => data));
    expect((await ada.visitor.get(page(made))).html).toContain('<h1 class="name"><bdi>Rooms</bdi></h1>');
  });

  /** The width of a picture in pixels, and in print. */
  const widthOf = async (jobId: string, item = 0) => {
    const response = await service.fetch(`/api/v1/jobs/${jobId}/items/${item}.png`, { headers });
    const png = Buffer.from(await response.arrayBuffer());
    const [px, place] = [png.readUInt32BE(16), png.indexOf('pHYs')];
    return { px, mm: place === -1 ? undefined : Math.round((10_000 * px) / png.readUInt32BE(place + 4)) / 10 };
  };
  const submitted = async (style: object) => {
    const items = [{ data: 'A-1' }, { data: 'A-2' }];
    const { jobId } = await service.submit({ name: 'Rooms', items, style }, headers);
    await service.ended(jobId);
    return { jobId, path: `${page(jobId)}/codes/0/correct` };
  };
  const LONG = 'https://example.org/a-longer-link';
  const meantIn = (html: string) => /name="meant" value="(\w+)"/.exec(html)?.[1] ?? '';

  it('makes a corrected code as wide in print as the one that it replaces, also where all have the same size', async () => {
    await signUpAnew();
    for (const style of [{}, { version: 'same' }, { version: 'same', scale: 40, dpi: 2_400 }]) {
      const { jobId, path } = await submitted({ scale: 10, dpi: 307, ...style });
      const { mm } = await widthOf(jobId);
      const longer = await remade(path, path, { data: LONG });
      expect(await widthOf(longer)).toMatchObject({ mm });
      const again = `${page(longer)}/codes/0/correct`;
      expect(await widthOf(await remade(again, again, { data: `${LONG}${LONG}` }))).toMatchObject({ mm });
    }
    const plain = await submitted({ scale: 10 });
    expect(await widthOf(await remade(plain.path, plain.path, { data: LONG }))).toEqual({ px: 370, mm: undefined });
  });

  it('makes the caption of a corrected code as large in print as the one that it replaces', async () => {
    await signUpAnew();
    const { jobId, path } = await submitted({ scale: 10, dpi: 300, caption: { text: 'Table', fontSize: 28 } });
    const captionMm = async (id: string) => {
      const response = await service.fetch(`/api/v1/jobs/${id}/items/0.png`, { headers });
      const png = Buffer.from(await response.arrayBuffer());
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      return (1_000 * (height - width)) / png.readUInt32BE(png.indexOf('pHYs') + 4);
    };
    const before = await captionMm(jobId);
    const after = await captionMm(await remade(path, path, { data: `${LONG}${LONG}${LONG}`, caption: 'Table' }));
    expect(Math.abs(after - before) / before).toBeLessThan(0.05);
  });

  it('keeps the resolution of the printer that a job was made for, and asks where the width follows it', async () => {
    const { jobId, path } = await submitted({ scale: 7, dpi: 203 });
    expect(await widthOf(jobId)).toEqual({ px: 203, mm: 25.4 });
    await ada.visitor.get(path);
    const asked = await ada.visitor.post(path, { data: LONG });
    expect(asked.html).toContain('At 203 dpi, its picture is 23.1 mm wide in print, not 25.4 mm.');
    const made = await remade(path, path, { data: LONG, meant: meantIn(asked.html) });
    expect(await widthOf(made)).toEqual({ px: 185, mm: 23.1 });
    // The usual resolution is nobody's choice, unless a width was ordered with it.
    const send = await studioForm('Link\nA-1\n', 'Rooms.csv');
    for (const [widthMm, dpi, mm] of [
      ['29.5', '', 29.4],
      ['30', '300', 28.2],
    ] as const) {
      const ordered = await jobOf(await send('', { widthMm, scale: '12', dpi, submission: newRowId() }));
      const change = `${page(ordered)}/codes/0/correct`;
      const { html } = dpi === '' ? { html: '' } : await ada.visitor.post(change, { data: LONG });
      expect(html.includes('At 300 dpi, its picture is 28.2 mm wide in print, not 29.5 mm.'), dpi).toBe(dpi !== '');
      expect((await widthOf(await remade(change, change, { data: LONG, meant: meantIn(html) }))).mm).toBe(mm);
    }
  });

  it('asks before a code is larger than those of its job, which all have the same size', async () => {
    const { path } = await submitted({ scale: 10, version: 'same' });
    await ada.visitor.get(path);
    const asked = await ada.visitor.post(path, { data: LONG });
    expect(asked.status).toBe(422);
    expect(asked.html).toContain(
      'This text is too long for the size that the codes of the job have. Its picture is larger: 370 pixels wide, not 290. To make it nevertheless, press Make it anyway.',
    );
    expect(await widthOf(await remade(path, path, { data: LONG, meant: meantIn(asked.html) }))).toMatchObject({
      px: 370,
    });
    const tooLong = await ada.visitor.post(path, { data: 'x'.repeat(3_000) });
    expect(tooLong.html).not.toContain('of version');
  });

  it('asks before it makes a code that may not scan, and once more where another text is sent', async () => {
    const logo = { dataUrl: dataUrl(paintedPng(64, '<rect width="64" height="64" fill="#e01020"/>')), sizeRatio: 0.3 };
    const { path } = await submitted({ ecLevel: 'L', logo });
    await ada.visitor.get(path);
    const before = await service.admin.ledger.balance(ada.organisationId);
    const fields = { data: 'A-1', caption: 'Room 1' };
    const asked = await ada.visitor.post(path, fields);
    expect([asked.status, asked.html]).toEqual([
      422,
      expect.stringContaining('<button id="meant">Make it anyway</button>'),
    ]);
    // Neither colours nor the logo can be chosen there.
    expect(asked.html).toContain('Code 1 does not scan. The logo is too large for error correction L. The look cannot');
    expect(asked.html).toContain(
      'The look cannot be changed here. To change it, use Make again on the page of the job. To make it nevertheless',
    );
    const other = await ada.visitor.post(path, { ...fields, data: 'A-3', meant: meantIn(asked.html) });
    expect([other.status, other.html]).toEqual([422, expect.stringContaining('Make it anyway')]);
    expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
    const made = await remade(path, path, { ...fields, data: 'A-3', meant: meantIn(other.html) });
    expect((await manifest(made))[0]).toMatchObject({ data: 'A-3', caption: 'Room 1' });
  });

  it('makes one code anew, with corrected words', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/25/correct`;
    expect((await ada.visitor.get(page(jobId))).html).toContain(`href="${page(jobId)}/codes/0/correct"`);
    const form = await ada.visitor.get(path);
    expect(form.html).toContain('https://example.org/25</textarea>');
    expect(form.html).toMatch(/name="filename"[^>]* value="Room -25"/);
    const long = await ada.visitor.post(path, { data: 'x'.repeat(3_000) });
    expect(long.html).toContain('The text of the code is too long: 3,000 characters;');
    const fields = { data: 'https://example.org/right', caption: 'Two\r\nlines', filename: 'right', reference: 'R' };
    const made = await remade(path, path, fields);
    const [line] = await manifest(made);
    expect(line).toMatchObject({ data: fields.data, caption: 'Two\nlines', reference: 'R' });
    expect(line?.files[0]?.name).toBe('right.png');
    const { html } = await ada.visitor.get(page(made));
    expect(html).toContain('Rooms, code 26 corrected');
    expect(html).toContain(`from <a href="${page(jobId)}">`);
    const { html: source } = await ada.visitor.get(`${page(jobId)}?from=24`);
    expect(source).toContain(`<a href="${page(made)}"><bdi>Rooms, code 26 corrected</bdi></a>`);
    expect(source).toMatch(/Make again<\/em> takes the new ones?\./);
    expect(
      [...source.matchAll(/Code (\d+), scanned, <a href="([^"]+)">corrected</g)].map((match) => match.slice(1)),
    ).toEqual([['26', page(made)]]);
    const asked = (ids: readonly string[]) => ada.visitor.get(`${ada.base}/jobs/delete?job=${ids.join('&job=')}`);
    const lost = 'The correction is lost: code 26 of <bdi>Rooms</bdi> goes back to its earlier text.';
    expect((await asked([made])).html).toContain(lost);
    expect((await asked([made, jobId])).html).not.toContain('correction is lost');
    await ada.visitor.post(`${page(made)}/name`, { name: 'Another name' });
    const renamed = await ada.visitor.get(page(jobId));
    expect(renamed.html).toContain(`Code 26 is corrected in <a href="${page(made)}"><bdi>Another name</bdi></a>.`);
  });

  it('says where a code was corrected before it is paid for again, also from a form that was opened earlier', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/25/correct`;
    await ada.visitor.get(path);
    const { submission } = ada.visitor;
    const made = await remade(path, path, { data: 'right', caption: '' });
    const balance = () => service.admin.ledger.balance(ada.organisationId);
    const before = await balance();
    const said = new RegExp(`Code 26 was corrected on <time [^>]*>[^<]*</time> in <a href="${page(made)}">`);
    // A form of before, and one that is sent twice.
    const early = await ada.visitor.post(path, { data: 'otherwise', caption: '', submission });
    expect([early.status, early.html]).toEqual([422, expect.stringMatching(said)]);
    expect(early.html).toContain('otherwise</textarea>');
    // A form of now begins with the corrected words.
    const { html } = await ada.visitor.get(path);
    expect(html).toMatch(said);
    expect(html).toContain('right</textarea>');
    const corrected = correctedIn(html);
    const filename = /name="filename"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '';
    const same = await ada.visitor.post(path, { data: 'right', caption: '', filename, corrected });
    expect([same.status, same.html]).toEqual([422, expect.stringContaining('Nothing is changed yet.')]);
    expect(await balance()).toBe(before);
    const fields = { data: 'better', caption: '', corrected };
    const again = await ada.visitor.post(path, fields);
    expect(again.status).toBe(303);
    expect((await ada.visitor.post(path, fields)).location).toBe(again.location);
    expect(await balance()).toBe(before - 1);
  });

  it('makes one of two corrections of a code that are sent at the same moment', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/25/correct`;
    await ada.visitor.get(path);
    const balance = () => service.admin.ledger.balance(ada.organisationId);
    const before = await balance();
    const reports = new JobReportStore(service.admin.database);
    const corrections = reports.corrections.bind(reports);
    const sent: Promise<unknown>[] = [];
    let looks = 0;
    let release = () => {};
    const bothLooked = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Both look at the form, and again before they are paid, unless one of them is answered before.
    const spy = vi.spyOn(JobReportStore.prototype, 'corrections').mockImplementation(async (job) => {
      const found = await corrections(job);
      looks += 1;
      if (looks === 4) release();
      if (looks > 2) await Promise.race([bothLooked, ...sent]);
      return found;
    });
    const answers = ['one', 'other'].map((data) => ada.visitor.post(path, { data, caption: '' }));
    sent.push(...answers);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    spy.mockRestore();
    expect(new Set(statuses)).toEqual(new Set([303, 422]));
    expect(await balance()).toBe(before - 1);
  });

  it('says on the labels which of their codes were corrected later', async () => {
    const jobId = await incomplete();
    const corrected = async (index: number) => {
      const path = `${page(jobId)}/codes/${index}/correct`;
      return page(await remade(path, path, { data: `right ${index}`, caption: '' }));
    };
    const note = async () => {
      const { html } = await ada.visitor.get(`${page(jobId)}/labels`);
      return /<p class="note">([^<]* was corrected later.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
    };
    expect(await note()).toBeUndefined();
    const first = await corrected(25);
    expect(await note()).toBe(
      'Code 26 was corrected later, in Rooms, code 26 corrected: its old code is on these labels. Leave it out. Then print the new label where the sheet is free: code 26 at label 9.',
    );
    const { html } = await ada.visitor.get(`${page(jobId)}/labels?sheet=avery-5160&to=27`);
    expect(html).toContain(`in <a href="${first}"><bdi>`);
    expect(html).toContain(`href="${first}/labels?sheet=avery-5160&amp;first=28">code 26 at label 28<`);
    // The ZIP file and its link have the old code.
    const { html: ofJob } = await ada.visitor.get(page(jobId));
    expect(ofJob.replaceAll(/<[^>]+>/g, '')).toMatch(
      /Code 26 is corrected in Rooms, code 26 corrected\.\s*This ZIP file and its link do not have the new code: send it too\. Make again takes the new one\./,
    );
    expect(ofJob).toContain(' Code 26 has its old words in it.');
    for (const index of [2, 1, 0]) await corrected(index);
    expect(await note()).toMatch(
      /^Code 1 was corrected later, in Rooms, code 1 corrected; code 2, in .*; code 3, in .*; and 1 more: their old codes are on these labels\. Leave them out\. Then print the new labels where the sheet is free: code 1 at label 6, code 2 at label 7, code 3 at label 8\.$/,
    );
  });

  it('gives the label of a corrected code the look of the others', async () => {
    const items = [
      { data: 'https://example.org/1', caption: 'Ada' },
      { data: 'https://example.org/2', caption: 'Wilhelmine Straßburger-Baumgärtner und Töchter, Königsberg' },
    ];
    const { jobId } = await service.submit({ name: 'Names', items }, headers);
    await service.ended(jobId);
    const path = `${page(jobId)}/codes/0/correct`;
    const made = page(await remade(path, path, { data: 'https://example.org/3', caption: 'Adi' }));
    for (const query of ['caption=below', 'sheet=avery-5160', 'sheet=avery-l7651']) {
      const of = async (job: string) => {
        const { html } = await ada.visitor.get(`${job}/labels.svg?${query}`);
        return [...html.matchAll(/matrix\((\S+) /g)].map(([, size]) => size);
      };
      // The code, and its text.
      expect((await of(made)).slice(0, 2), query).toEqual((await of(page(jobId))).slice(0, 2));
    }
  });

  it('leaves corrected codes off the labels', async () => {
    const jobId = await incomplete();
    for (const index of [2, 25]) {
      const path = `${page(jobId)}/codes/${index}/correct`;
      await remade(path, path, { data: `right ${index}`, caption: '' });
    }
    const labels = `${page(jobId)}/labels`;
    const said = (html: string) =>
      /<p class="note">[^<]* was corrected later.*?<\/p>/.exec(html)?.[0].replaceAll(/<[^>]+>/g, '');
    const some = await ada.visitor.get(`${labels}?sheet=avery-5160&printRows=2-20`);
    expect(said(some.html)).toContain(': 1 of their old codes is on these labels. Leave it out. Then print');
    const { html } = await ada.visitor.get(`${labels}?sheet=avery-5160`);
    const [, href = ''] = /href="([^"]+)">Leave them out</.exec(html) ?? [];
    const left = await ada.visitor.get(href.replaceAll('&amp;', '&'));
    expect(left.html).toMatch(/name="printRows" value="1-2, 4-25, 27-30"/);
    expect(said(left.html)).toMatch(
      /: their old codes are left out\. Print the new labels where the sheet is free: code \d+ at label 29, /,
    );
  });

  it('makes the correction of a correction from the code that both correct', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/25/correct`;
    const first = await remade(path, path, { data: 'wrong', caption: '', reference: 'R' });
    const again = `${page(first)}/codes/0/correct`;
    expect((await ada.visitor.get(again)).html).toContain('wrong</textarea>');
    const second = await remade(again, again, { data: 'right', caption: '' });
    const made = await ada.visitor.get(page(second));
    expect(made.html).toContain('<h1 class="name"><bdi>Rooms, code 26 corrected (2)</bdi></h1>');
    expect(made.html).toContain(`from <a href="${page(jobId)}">`);
    const { html } = await ada.visitor.get(page(jobId));
    expect(html).toContain(`Code 26 is corrected in <a href="${page(second)}">`);
    expect(html).not.toContain(`href="${page(first)}"`);
    const replaced = `in <a href="${page(second)}"><bdi>Rooms, code 26 corrected (2)</bdi>`;
    expect((await ada.visitor.get(page(first))).html).toContain(`Code 1 is corrected ${replaced}`);
    expect((await ada.visitor.get(`${page(first)}/labels`)).html).toContain(`Code 1 was corrected later, ${replaced}`);
    expect((await ada.visitor.get(page(second))).html).not.toContain('is corrected in');
    // Without the first job, there is the correction alone to be corrected.
    await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: jobId });
    const third = await remade(again, again, { data: 'other', caption: '' });
    expect((await ada.visitor.get(page(third))).html).toContain(
      `from <a href="${page(first)}"><bdi>Rooms, code 26 corrected</bdi>`,
    );
  });

  it('says where the list of a job that was drawn at once is gone', async () => {
    const { jobId } = await service.submit({ items: [{ data: 'a' }] }, headers);
    await service.admin.database.deleteFrom('small_blobs').where('job_id', '=', jobId).execute();
    const shown = await ada.visitor.get(page(jobId));
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining('The codes of this job are gone.')]);
    expect((await ada.visitor.get(`${ada.base}/studio?job=${jobId}`)).status).toBe(404);
    expect((await ada.visitor.get(`${page(jobId)}/codes/0/correct`)).status).toBe(409);
  });

  it('says where the list of a job is gone', async () => {
    const jobId = await incomplete();
    await rm(join(service.config.dataDir, 'storage', 'jobs', jobId, 'spool'));
    const shown = await ada.visitor.get(page(jobId));
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('The codes of this job are gone.');
    const again = await ada.visitor.get(`${ada.base}/studio?job=${jobId}`);
    expect([again.status, again.html]).toEqual([
      404,
      expect.stringContaining('The list of this job is no longer there.'),
    ]);
    expect((await ada.visitor.get(`${page(jobId)}/codes/0/correct`)).status).toBe(409);
    const { status, html } = await ada.visitor.post(`${page(jobId)}/missing`);
    expect(status).toBe(409);
    expect(html).toContain('The list of this job is gone');
  });

  it('changes a code by the fields of its kind, and gives the same data where nothing is changed', async () => {
    const wifi = 'WIFI:T:WPA;S:Room 12\\;a;P:sea-blue 7;;';
    const mail = 'mailto:a@example.org?body=one%0D%0Atwo';
    const payment = 'BCD\n002\n1\nSCT\n\nJane\nDE89370400440532013000\nEUR12.30';
    const contact = 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\nNOTE:a\\nb\r\nEND:VCARD\r\n';
    const foreign = 'WIFI:S:Room 12;T:WPA;P:sea-blue 7;;';
    const data = [wifi, mail, payment, contact, foreign];
    const jobId = await incomplete([...data.map((each) => ({ data: each })), ...ITEMS.slice(0, 10)]);
    /** The fields of the form that changes a code, as a browser sends them. */
    const shown = async (index: number) => {
      const { html } = await ada.visitor.get(`${page(jobId)}/codes/${index}/correct`);
      const inputs = html.matchAll(/<input [^>]*name="((?:kind|filename)[^"]*)"[^>]*? value="([^"]*)"/g);
      const areas = html.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)</g);
      const selects = html.matchAll(/<select [^>]*name="([^"]+)".*?<option value="([^"]*)" selected/g);
      const found = [...inputs, ...areas, ...selects].map(([, name, value = '']) => [
        name,
        value.replaceAll('\n', '\r\n'),
      ]);
      return Object.fromEntries(found) as Record<string, string>;
    };
    const corrected = async (index: number, fields: Record<string, string>) => {
      const path = `${page(jobId)}/codes/${index}/correct`;
      return (await manifest(await remade(path, path, fields)))[0]?.data;
    };
    const network = await shown(0);
    expect(network).toMatchObject({
      kind: 'wifi',
      'kind-ssid': 'Room 12;a',
      'kind-password': 'sea-blue 7',
      'kind-encryption': 'WPA',
      'kind-hidden': '',
    });
    for (const index of [0, 1, 2, 3]) {
      const fields = await shown(index);
      expect(fields).not.toHaveProperty('data');
      expect(await corrected(index, { ...fields, reference: 'R' })).toBe(data[index]);
    }
    expect(await corrected(0, { ...network, 'kind-password': 'sky-blue 8' })).toBe(
      wifi.replace('sea-blue 7', 'sky-blue 8'),
    );
    expect(await shown(4)).toMatchObject({ data: foreign });
    const names = { ...(await shown(3)), 'kind-name': '', 'kind-firstName': '', 'kind-lastName': '' };
    const nameless = await ada.visitor.post(`${page(jobId)}/codes/3/correct`, names);
    expect(nameless.html).toMatch(/role="alert"[^>]*>\s*<p><a href="#kind-name">Fill in “Name”\.</);

    const path = `${page(jobId)}/codes/4/correct`;
    const refused = async (fields: Record<string, string>) =>
      (await ada.visitor.post(path, { ...network, ...fields })).html;
    const short = await refused({ 'kind-password': 'short' });
    expect(short).toContain('id="kind-password-error">A password of WPA has 8 to 63 characters; this one has 5.<');
    expect(short).toMatch(/name="kind-ssid"[^>]* value="Room 12;a"/);
    expect(await refused({ 'kind-password': '' })).toContain('>Type the password, or choose no encryption.<');
    expect(await refused({ 'kind-ssid': ' ' })).toContain('id="kind-ssid-error">Fill in “Network”.<');
    expect(await refused({ caption: 'a'.repeat(3_000) })).toContain('id="caption-error"');
  });

  it('makes no code of which nothing is changed, unless it is missing', async () => {
    const jobId = await incomplete();
    const fields = (item: number) => ({
      data: `https://example.org/${item}`,
      caption: 'Shared',
      filename: `Room -${item}`,
      reference: '',
    });
    const drawn = `${page(jobId)}/codes/25/correct`;
    expect((await ada.visitor.get(drawn)).html).toContain('The code in <bdi>Rooms</bdi> stays as it is.');
    const same = await ada.visitor.post(drawn, fields(25));
    expect(same.status).toBe(422);
    expect(same.html).toContain('id="data-error">Nothing is changed yet.<');

    const missing = `${page(jobId)}/codes/12/correct`;
    expect((await ada.visitor.get(missing)).html).toContain('It stays missing from the ZIP file of <bdi>Rooms</bdi>.');
    const made = await remade(missing, missing, fields(12));
    await remade(drawn, drawn, { ...fields(25), reference: 'R' });
    const again = (await ada.visitor.get(page(jobId))).html;
    expect(again).toMatch(
      new RegExp(`Code 13 was made by itself in <a href="${page(made)}">.*; it is made again here, with its old words`),
    );
    expect(again).not.toContain('Code 26 was made by itself');
    await remade(page(jobId), `${page(jobId)}/missing`);
    expect((await ada.visitor.get(page(jobId))).html).not.toContain('was made by itself');
  });

  it('keeps the line ends of the data', async () => {
    const contact = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n';
    const path = `${page(await incomplete([{ data: contact }, ...ITEMS.slice(1)]))}/codes/0/correct`;
    const made = await remade(path, path, { data: contact.replace('Ada', 'Eva'), caption: '' });
    expect((await manifest(made))[0]?.data).toBe(contact.replace('Ada', 'Eva'));
  });

  it('says at its field what is wrong with a correction', async () => {
    const path = `${page(await incomplete())}/codes/25/correct`;
    await ada.visitor.get(path);
    const empty = await ada.visitor.post(path, { data: '', caption: '' });
    expect(empty.status).toBe(422);
    expect(empty.html).toContain('id="data-error">Type a link or text.<');
    const long = await ada.visitor.post(path, { data: 'a'.repeat(3_000), caption: '' });
    expect(long.status).toBe(422);
    expect(long.html).toMatch(/id="data-error">[^<]*(2,?331|3,?000)[^<]*</);
    expect((await ada.visitor.get(path.replace('/25/', '/30/'))).status).toBe(404);
    expect((await ada.visitor.get(path.replace('/25/', '/x/'))).status).toBe(404);
  });

  it('makes codes anew in a process that has received no job', async () => {
    const jobId = await incomplete();
    await service.stop();
    const earlier = service;
    const { databaseUrl } = service.config;
    const others = { databaseUrl, storage: locationOfBlobs(service.config), chunkItems: 10 };
    service = await startTestService(kind, others);
    const { cookies } = ada.visitor;
    ada.visitor = new Visitor(service);
    for (const cookie of cookies) ada.visitor.cookies.set(...cookie);
    expect(await manifest(await remade(page(jobId), `${page(jobId)}/missing`))).toHaveLength(10);
    const path = `${page(jobId)}/codes/25/correct`;
    await remade(path, path, { data: 'right', caption: '' });
    closeEarlier = earlier.close;
  });

  it('asks before it makes data that is probably not meant, and once more for other such data', async () => {
    const jobId = await incomplete();
    const path = `${page(jobId)}/codes/25/correct`;
    await ada.visitor.get(path);
    const before = await service.admin.ledger.balance(ada.organisationId);
    const asked = await ada.visitor.post(path, { data: 'https://my shop.example/5' });
    expect([asked.status, asked.html]).toEqual([422, expect.stringContaining('>Make it anyway</button>')]);
    expect(asked.html).toContain('probably not meant');
    const other = await ada.visitor.post(path, { data: '-', meant: meantIn(asked.html) });
    expect([other.status, other.html]).toEqual([422, expect.stringContaining('Make it anyway')]);
    expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
    const made = await remade(path, path, { data: '-', meant: meantIn(other.html) });
    expect((await manifest(made))[0]?.data).toBe('-');
    // Nothing is asked about a text that stays.
    await remade(path, path, { data: '-', caption: 'A caption' });
  });
});
