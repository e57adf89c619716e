/** Every page of an organisation, asked for by everybody: who may not, does not. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { Assets } from '../../src/site/shell/assets.js';
import type { FormGuard } from '../../src/site/shell/form-guard.js';
import type { PageDependencies } from '../../src/site/shell/page-dependencies.js';
import { pageRoutes } from '../../src/site/routes.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, type SignedUp, signUp, Visitor } from '../support/visitor.js';

/** Actions that a member may not do, by the role that they need. */
const MANAGERS_ALONE = [
  'POST /keys',
  'POST /keys/:keyId/revoke',
  'POST /members/:personId/role',
  'POST /members/:personId/remove',
  'POST /invitations',
  'POST /invitations/:invitationId/resend',
  'POST /invitations/:invitationId/withdraw',
  'GET /settings',
  'GET /webhooks',
  'POST /webhooks',
  'POST /webhooks/low-balance',
  'GET /webhooks/:webhookId',
  'POST /webhooks/:webhookId',
  'POST /webhooks/:webhookId/pause',
  'POST /webhooks/:webhookId/resume',
  'POST /webhooks/:webhookId/secret',
  'POST /webhooks/:webhookId/delete',
  'POST /webhooks/:webhookId/test',
  'POST /webhooks/:webhookId/deliveries/:deliveryId',
  'POST /webhooks/:webhookId/deliveries/:deliveryId/give-up',
];
const OWNERS_ALONE = ['POST /members/ownership', 'POST /members/ownership/take', 'POST /settings', 'GET /export.zip'];

/** Method and path below the organisation's. */
const ROUTES = pageRoutes({
  dependencies: { folder: { scratch: '' }, admission: { transfers: {} } } as unknown as PageDependencies,
  assets: { send: () => undefined } as unknown as Assets,
  guard: { checkToken: () => undefined } as unknown as FormGuard,
})
  .stack.map(({ methods, path }) => ({ method: methods.includes('POST') ? 'POST' : 'GET', path: String(path) }))
  .filter(({ path }) => path.startsWith('/account/o/:organisationId'))
  .map(({ method, path }) => ({ method, path: path.replace('/account/o/:organisationId', '') }));

// The actions themselves are tested on every database; rights are the same on all.
let service: TestService;
let ada: SignedUp;
let member: Visitor;
let admin: Visitor;
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
  [member, admin] = [await join('member'), await join('admin')];
  const { keyId, key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'a key');
  const headers = { authorization: `Bearer ${key}` };
  const { jobId } = await service.submit(
    // Too faint to be read: the page of the job shows its picture.
    { verify: 'all', style: { scale: 2, foreground: '#fefefe' }, items: [{ data: 'x' }] },
    { ...headers, 'content-type': 'application/json' },
  );
  await service.ended(jobId);
  await ada.visitor.get(`${ada.base}/members`);
  await ada.visitor.post(`${ada.base}/invitations`, { email: 'open@example.org', role: 'member' });
  const { html } = await ada.visitor.get(`${ada.base}/members`);
  const [, invitationId = ''] = /invitations\/(\w+)\/withdraw/.exec(html) ?? [];
  const [, personId = ''] = /members\/(\w+)\/remove/.exec(html) ?? [];
  // A person without the right to see webhooks or styles gets the same answer whether one exists or not.
  ids = { jobId, keyId, invitationId, personId, webhookId: jobId, deliveryId: jobId, styleId: jobId, index: '0' };
});
afterAll(() => service.close());

async function join(role: string): Promise<Visitor> {
  const email = `${role}@example.org`;
  await ada.visitor.get(`${ada.base}/members`);
  await ada.visitor.post(`${ada.base}/invitations`, { email, role });
  const path = await mailedPath(service, email);
  const visitor = new Visitor(service);
  await visitor.get(path);
  await visitor.post(path, { name: `A ${role}`, password: 'a password of theirs' });
  await visitor.get(`${ada.base}/members`);
  return visitor;
}

/** Status of each route that `visitor` is answered with, `only` those. */
async function statuses(visitor: Visitor, only: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { method, path } of ROUTES) {
    if (only.includes(`${method} ${path}`)) {
      const url = ada.base + path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
      const { status } = await (method === 'GET'
        ? visitor.get(url)
        : visitor.post(url, { role: 'owner', name: 'mine' }));
      found[`${method} ${path}`] = status;
    }
  }
  return found;
}

const all = (names: readonly string[], status: number) => Object.fromEntries(names.map((name) => [name, status]));
const EVERY = ROUTES.map(({ method, path }) => `${method} ${path}`);

it('knows every route, and each that is named here', () => {
  expect(EVERY.length).toBeGreaterThan(20);
  expect(EVERY).toEqual(expect.arrayContaining([...MANAGERS_ALONE, ...OWNERS_ALONE]));
});

it('asks strangers to sign in, whatever they ask for', async () => {
  expect(await statuses(new Visitor(service), EVERY)).toEqual(all(EVERY, 303));
});

it('tells who is not a member nothing', async () => {
  const stranger = await signUp(service);
  await stranger.visitor.get(`${stranger.base}/keys`);
  expect(await statuses(stranger.visitor, EVERY)).toEqual(all(EVERY, 404));
});

it('refuses members what managers do, and admins what owners do', async () => {
  const closed = [...MANAGERS_ALONE, ...OWNERS_ALONE];
  expect(await statuses(member, closed)).toEqual(all(closed, 403));
  expect(await statuses(admin, OWNERS_ALONE)).toEqual(all(OWNERS_ALONE, 403));
  // Nobody makes owners without their password, of others or of themselves.
  expect(await statuses(admin, ['POST /members/:personId/role'])).toEqual(all(['POST /members/:personId/role'], 422));
});

it('shows members the rest', async () => {
  const open = EVERY.filter((name) => name.startsWith('GET') && ![...MANAGERS_ALONE, ...OWNERS_ALONE].includes(name));
  const found = await statuses(member, open);
  const refused = Object.entries(found).filter(([, status]) => status !== 200 && status !== 303);
  // Labels of a job that is too faint for paper are refused, to whoever asks.
  expect(refused).toEqual([
    ['GET /jobs/:jobId/labels', 422],
    ['GET /jobs/:jobId/labels.pdf', 422],
  ]);
});

it('takes names for text, wherever they stand', async () => {
  const evil = `"'><script>alert(1)</script>`;
  const { visitor, base } = await signUp(service, evil);
  await visitor.get(`${base}/keys`);
  await visitor.post(`${base}/keys`, { name: evil });
  await visitor.post(`${base}/settings`, { name: evil });
  await visitor.post(`${base}/invitations`, { email: `x'&<@example.org`, role: evil });
  for (const path of ['', '/keys', '/members', '/settings', '/credits', '/studio', '/jobs', `/jobs?status=${evil}`]) {
    const { html } = await visitor.get(base + path);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain(`"'>`);
  }
  const anonymous = new Visitor(service);
  const { html } = await anonymous.get(`/account/sign-in?next=${encodeURIComponent(evil)}&done=${evil}`);
  expect(html).not.toContain('<script>alert');
});
