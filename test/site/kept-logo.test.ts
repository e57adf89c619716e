/** The logo of a saved style or of a job, which the studio keeps by reference: codes get the one that the page showed, or none are made. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preview } from '../../src/site/studio/preview.js';
import type { StudioCheck } from '../../src/site/studio/studio-check.js';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { rasterise } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

const LIST = 'url\nhttps://example.org/1\nhttps://example.org/2\n';
const GONE = 'The logo of “Badge” is no longer there. Choose a picture, or untick its box.';
const CHANGED =
  'The logo of “Badge” is another one now. Choose the style again to see it, or choose a picture, or untick the box.';

const pictureOf = (colour: string) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="${colour}"/></svg>`;
  return new File([Uint8Array.from(rasterise(Buffer.from(svg)))], 'logo.png');
};
const [RED, BLUE] = [pictureOf('#cc0000'), pictureOf('#0000cc')];
const listOf = (csv: string) => new File([csv], 'list.csv');

let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
  await ada.visitor.get(`${ada.base}/studio`);
});
afterAll(() => service.close());

const send = (to: string, fields: Record<string, string>, files: Record<string, File> = {}) =>
  ada.visitor.upload(`${ada.base}/studio${to}`, { ...FIRST_STYLE, ...fields }, files);

/** Saves the style with that logo, in place of the one before. Returns its id. */
async function saveBadge(logo?: File): Promise<string> {
  const styleName = 'Badge';
  const question = await send('/styles', { styleName, seen: '1' }, logo && { logo });
  const [, replace] = /name="replace" value="(\w{26})"/.exec(question.html) ?? [];
  const { location } = replace ? await send('/styles', { styleName, seen: '1', replace }, logo && { logo }) : question;
  return /style=(\w{26})/.exec(location)?.[1] ?? '';
}

/** The fields by which a page keeps a logo. */
function keptOn(html: string): Record<string, string> {
  const fields = ['keptLogoName', 'keptLogo'].map((name) => [
    name,
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '',
  ]);
  return Object.fromEntries(fields) as Record<string, string>;
}

const open = async (query: string) => keptOn((await ada.visitor.get(`${ada.base}/studio?${query}`)).html);

async function preview(fields: Record<string, string>): Promise<Preview> {
  const { html } = await ada.visitor.request(`${ada.base}/studio/preview`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json', 'x-form-token': ada.visitor.csrf },
    body: JSON.stringify({ fields: { ...FIRST_STYLE, ...fields }, items: [] }),
  });
  return JSON.parse(html) as Preview;
}

const balance = async () => (await service.admin.organisations.find(ada.organisationId))?.balance;

/** Expects that the page makes nothing with the logo, and says why at the logo, until its person chooses. */
async function expectRefusal(kept: Record<string, string>, problem: string): Promise<void> {
  const before = await balance();
  for (const seen of ['1', '']) {
    const { status, html } = await send('', { ...kept, items: 'one', seen });
    expect([status, html]).toEqual([422, expect.stringContaining(`id="logo-error">${problem}</span>`)]);
    // The box stands there to be unticked.
    expect(keptOn(html)).toEqual(kept);
  }
  const { problems, logoProblem, samples } = await preview(kept);
  expect({ problems, logoProblem, samples }).toEqual({ problems: [problem], logoProblem: problem, samples: [] });
  const style = await send('/styles', { ...kept, styleName: 'Other', seen: '1' });
  expect([style.status, style.html]).toEqual([422, expect.stringContaining(problem)]);
  // The list is right.
  const { html: check } = await send('/check', kept, { file: listOf(LIST) });
  expect(JSON.parse(check) as StudioCheck).toMatchObject({ problems: [], total: 2 });
  const faulty = await send('/faulty-rows', { ...kept, seen: '1' }, { file: listOf(`${LIST}\n;x\n`) });
  expect([faulty.status, faulty.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  expect(await balance()).toBe(before);

  const ofOwn = await send('', { ...kept, items: 'one', seen: '1' }, { logo: BLUE });
  expect(ofOwn.location).toContain('/jobs/');
  const without = await send('', { ...kept, keptLogo: '', items: 'one', seen: '1' });
  expect(without.location).toContain('/jobs/');
}

describe('the logo of a style or a job', () => {
  it('is not kept beside a logo of a person’s own, without scripts', async () => {
    const kept = await open(`style=${await saveBadge(RED)}`);
    const { html } = await send('', { ...kept, items: 'one\ntwo' }, { logo: BLUE });
    const [own, ofStyle] = ['sent-logo', 'keptLogo'].map((name) =>
      new RegExp(`name="${name}" value="[^"]+"( checked)?>`).exec(html),
    );
    expect([own?.[1], ofStyle?.[1]]).toEqual([' checked', undefined]);
    expect(ofStyle).not.toBeNull();
  });

  it('is asked for where its style was deleted', async () => {
    const id = await saveBadge(RED);
    const kept = await open(`style=${id}`);
    expect((await preview(kept)).problems).toEqual([]);
    await ada.visitor.post(`${ada.base}/studio/styles/${id}/delete`);
    await expectRefusal(kept, GONE);
  });

  it('is asked for where its job was deleted', async () => {
    const { location } = await send('', { items: 'one', name: 'Badge', seen: '1' }, { logo: RED });
    const id = location.split('/').at(-1) ?? '';
    await service.ended(id);
    const kept = await open(`job=${id}`);
    expect((await preview(kept)).problems).toEqual([]);
    await ada.visitor.get(location);
    await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: id });
    expect((await ada.visitor.get(location)).status).toBe(404);
    await expectRefusal(kept, GONE);
  });

  it('is asked for where its style has another one, or none', async () => {
    const id = await saveBadge(RED);
    const kept = await open(`style=${id}`);
    expect(await saveBadge(BLUE)).toBe(id);
    await expectRefusal(kept, CHANGED);
    // A page without scripts that chooses the style again shows the other one.
    const look = await send('/look', { ...kept, style: id, items: 'one' });
    const other = keptOn(look.html);
    expect(other).toEqual(await open(`style=${id}`));
    expect(other).not.toEqual(kept);
    expect((await preview(other)).problems).toEqual([]);
    await saveBadge();
    await expectRefusal(other, GONE);
  });
});
