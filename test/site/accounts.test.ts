/** Accounts through their pages: sign-up to sign-out, and what strangers learn and can do: nothing. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { newRowId } from '../../src/database/row-id.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { decodePng, rasterise } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, signIn, signUp, Visitor } from '../support/visitor.js';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

describeOnDatabases('the account pages', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  it('lead from sign-up to 500 credits, once', { tags: ['2.10/welcome'] }, async () => {
    const { visitor, base, organisationId } = await signUp(service, 'Lovelace & Söhne');
    const overview = await visitor.get(base);
    expect(overview.status).toBe(200);
    expect(overview.html).toContain('<h1>Lovelace &amp; Söhne</h1>');
    expect(await service.admin.ledger.balance(organisationId)).toBe(500);
  });

  it('show visitors no path and no setting where mails are not sent', async () => {
    const visitor = new Visitor(service);
    for (const path of ['/account/forgot', '/account/sign-up']) {
      const page = (await visitor.get(path)).html;
      const says = ['are not sent yet', 'Ask whoever runs it for', 'We’ll email', '<button>Send link'];
      expect(says.map((text) => page.includes(text))).toEqual([true, true, false, false]);
    }
    // A form of a page that was opened before.
    await visitor.get('/account/sign-in');
    const { html } = await visitor.post('/account/sign-up', { email: 'curious@example.org' });
    expect(html).toContain('Sign-up mails are not sent yet: this server has no mail server.');
    expect(html).toContain('<h1>No email was sent</h1>');
    expect(html).toContain('<a href="/account/sign-up">Type another address</a>');
    expect(html).not.toMatch(/outbox|QRPRESS_|We sent|spam/);
  });

  it('promise members no mail either, in words that the jobs of the API get too', async () => {
    const { visitor, base, organisationId } = await signUp(service);
    const { key } = await service.admin.keys.create(COMMAND_LINE, organisationId, 'mailing');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { jobId } = await service.submit({ items: [{ data: '1' }], sendEmail: true }, headers);
    await service.ended(jobId);
    const [studio, job, credits] = await Promise.all(
      ['studio', `jobs/${jobId}`, 'credits'].map(async (path) => (await visitor.get(`${base}/${path}`)).html),
    );
    expect(studio).toContain('This server sends no mail yet');
    expect(studio).not.toContain('Email the download link to');
    expect(job).toContain('<dt>Email</dt><dd>Not sent: this server sends no mail yet</dd>');
    expect(credits).toContain('No mail is sent yet, so tell them of it.');
  });

  it('begin with a sample, and the code that its first row gives', async () => {
    const { visitor, base } = await signUp(service);
    const { html } = await visitor.get(base);
    const sample = (ending: string) => /\/account\/assets\/[\w-]+\/sample/.exec(html)?.[0].concat(ending) ?? '';
    const { html: csv } = await visitor.get(sample('.csv'));
    const { html: svg } = await visitor.get(sample('.svg'));
    const { text } = await decodePng(rasterise(Buffer.from(svg)));
    expect(csv.split('\n')[1]).toContain(`${text},`);
  });

  it('make an account by the mailed link, once, and not before the form is sent', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    await visitor.post('/account/sign-up', { email: 'twice@example.org' });
    const path = await mailedPath(service, 'twice@example.org');
    // Programs that follow the links of mails make nothing.
    expect((await visitor.get(path)).html).toContain('Create your account');
    expect((await visitor.get(path)).html).toContain('value="twice@example.org"');
    const fields = { organisation: 'Twice', name: 'Twice', password: 'analytical engine' };
    expect((await visitor.post(path, { ...fields, password: 'twice@example.org' })).status).toBe(422);
    const { location } = await visitor.post(path, fields);
    expect(location).toMatch(/^\/account\/o\/\w{26}\?done=signed-up$/);
    expect((await visitor.get(location)).html).toContain('500 credits are waiting');
    expect((await visitor.post(path, fields)).html).toContain('You already have an account');
    expect((await visitor.get(path)).html).toContain('You already have an account');
    expect((await visitor.get(`/account/sign-up/${'x'.repeat(43)}`)).status).toBe(410);
    expect(service.log.join()).not.toContain(path.split('/').at(-1));
  });

  it('leave nobody a password to an address that is not theirs', async () => {
    const email = 'holder@example.org';
    const squatter = { email, password: 'squatting since monday' };
    const stranger = new Visitor(service);
    await stranger.get('/account/sign-in');
    await stranger.post('/account/sign-up', { organisation: 'Trap', name: 'Trap', ...squatter });
    const link = await mailedPath(service, email);
    // The holder follows the stranger's letter, in which nothing is the stranger's.
    const holder = new Visitor(service);
    expect((await holder.get(link)).html).not.toContain('Trap');
    await holder.post(link, { organisation: 'Mine', name: 'Holder', password: 'analytical engine' });
    await stranger.get('/account/sign-in');
    expect((await stranger.post('/account/sign-in', squatter)).status).toBe(422);
    expect((await holder.get('/account')).location).toMatch(/^\/account\/o\//);
  });

  it('say what is wrong beside the field that it is about', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    await visitor.post('/account/sign-up', { email: 'typo@example.org' });
    const link = await mailedPath(service, 'typo@example.org');
    await visitor.get(link);
    const page = await visitor.post(link, { organisation: '', name: '<b>', password: 'short' });
    expect(page.status).toBe(422);
    expect(page.html).toContain('href="#organisation"');
    expect(page.html).toMatch(/id="organisation"[^>]*aria-describedby="organisation-error" aria-invalid="true"/);
    expect(page.html).toContain('value="&lt;b&gt;"');
    expect(page.html).not.toContain('short"');
  });

  it('do not tell who has an account', async () => {
    const { email } = await signUp(service);
    const ask = async (path: string, fields: Record<string, string>, address: string) => {
      const visitor = new Visitor(service);
      await visitor.get('/account/sign-in');
      const { status, html } = await visitor.post(path, { ...fields, email: address });
      return { status, html: html.replaceAll(address, 'ADDRESS').replaceAll(/value="[\w-]{43}"/g, '') };
    };
    const stranger = 'stranger@example.org';
    for (const [path, fields] of [
      ['/account/sign-up', {}],
      ['/account/forgot', {}],
      ['/account/sign-in', { password: 'wrong password' }],
    ] as const) {
      expect(await ask(path, fields, email)).toEqual(await ask(path, fields, stranger));
    }
    expect((await service.nextMail(email)).subject).toBe('You already have an account');
    expect((await service.nextMail(email)).subject).toBe('Set a new password');
  });

  it('lead back to where one was going, and nowhere else', async () => {
    const account = await signUp(service);
    const go = async (next: string) => {
      const visitor = new Visitor(service);
      await visitor.get('/account/sign-in');
      return (await visitor.post('/account/sign-in', { ...account, visitor: '', next })).location;
    };
    expect(await go(`${account.base}/keys`)).toBe(`${account.base}/keys`);
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/account\\evil',
      '/api/v1/credits',
      '/account/..//x',
    ]) {
      expect(await go(next)).toBe('/account');
    }
  });

  it('set a new password by mail, which ends all sessions', async () => {
    const { visitor, email, base } = await signUp(service);
    const forgetful = new Visitor(service);
    await forgetful.get('/account/sign-in');
    await forgetful.post('/account/forgot', { email });
    const path = await mailedPath(service, email);
    expect((await forgetful.get(path)).status).toBe(200);
    expect((await forgetful.post(path, { password: 'short' })).status).toBe(422);
    const done = await forgetful.post(path, { password: 'a difference of engines' });
    expect(done.location).toBe('/account/sign-in?done=password-set');
    expect((await forgetful.post(path, { password: 'a third password' })).status).toBe(410);
    expect((await visitor.get(base)).location).toMatch(/sign-in/);
    expect(await signIn(forgetful, { email, password: 'a difference of engines' })).toBe(base);
  });

  it('sign out here, or everywhere', async () => {
    const account = await signUp(service);
    const other = new Visitor(service);
    await signIn(other, account);
    await other.get('/account/you');
    expect((await other.post('/account/sign-out')).location).toBe('/account/sign-in?done=signed-out');
    expect((await other.get(account.base)).status).toBe(303);
    expect((await account.visitor.get('/account/you')).html.match(/This browser|\/end"/g)).toEqual(['This browser']);
    await signIn(other, account);
    await account.visitor.get('/account/you');
    await account.visitor.post('/account/you/sign-out-everywhere');
    expect((await other.get(account.base)).status).toBe(303);
    expect((await account.visitor.get(account.base)).status).toBe(303);
  });

  it('note a sign-in once', async () => {
    const account = await signUp(service);
    const entries = async () => {
      const { database } = service.admin;
      const of = database.selectFrom('people').select('id').where('email', '=', account.email);
      const signedIn = database.selectFrom('audit_entries').select('address').where('action', '=', 'signed-in');
      return (await signedIn.where('person_id', '=', of).execute()).length;
    };
    expect(await entries()).toBe(1);
    await signIn(new Visitor(service), account);
    expect(await entries()).toBe(2);
  });

  it('give a session another key when somebody signs in', async () => {
    const account = await signUp(service);
    const { visitor } = account;
    const name = 'qrpress-session';
    const before = visitor.cookies.get(name) ?? '';
    // The attacker's own session, planted in the browser of somebody who then signs in.
    const victim = new Visitor(service);
    const known = await signUp(service);
    victim.cookies.set(name, before);
    await victim.get('/account/you');
    await victim.post('/account/sign-out');
    victim.cookies.set(name, 'A'.repeat(43));
    await signIn(victim, known);
    const after = victim.cookies.get(name);
    expect(after).not.toBe(before);
    expect(after).not.toBe('A'.repeat(43));
    expect((await visitor.get('/account/you')).status).toBe(303);
  });

  it('slow down who guesses, and nobody else', async () => {
    const account = await signUp(service);
    const guesser = new Visitor(service);
    await guesser.get('/account/sign-in');
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push(
        (await guesser.post('/account/sign-in', { email: account.email, password: `guess ${guess}` })).status,
      );
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
    // The account itself is not locked: whoever is signed in stays so.
    expect((await account.visitor.get(account.base)).status).toBe(200);
  });

  it('lead who has forgotten the password to a new one, which ends the wait', async () => {
    const { email } = await signUp(service);
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const guess = (number: number) => visitor.post('/account/sign-in', { email, password: `guess ${number}` });
    for (let number = 0; number < 5; number += 1) await guess(number);
    const refused = await guess(5);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.html).toContain('Too many attempts. Try again in 15 minutes.');
    expect(refused.html).toContain('<a href="/account/forgot">Forgot your password?</a>');
    await visitor.post('/account/forgot', { email });
    const link = await mailedPath(service, email);
    await visitor.get(link);
    await visitor.post(link, { password: 'difference engine no 2' });
    expect(await signIn(visitor, { email, password: 'difference engine no 2' })).toMatch(/^\/account\/o\//);
  });

  it('say until when a password is refused on the pages of the account, and what to do', async () => {
    const { visitor, email, password: current } = await signUp(service);
    const guesser = new Visitor(service);
    await guesser.get('/account/sign-in');
    for (let guess = 0; guess < 5; guess += 1) {
      await guesser.post('/account/sign-in', { email, password: `guess ${guess}` });
    }
    await visitor.get('/account/you');
    for (const [path, fields] of [
      ['password', { password: 'difference engine no 2' }],
      ['address', { email: `new-${email}` }],
      ['delete', { email }],
    ] as const) {
      const before = Date.now();
      const { status, html, headers } = await visitor.post(`/account/you/${path}`, { current, ...fields });
      expect([path, status]).toEqual([path, 429]);
      expect(html).toContain(
        'Wrong passwords were typed too often on your network, by you or by somebody else there. Nothing was changed.',
      );
      const waitMs = 1_000 * Number(headers.get('retry-after'));
      const until = Date.parse(/Try again after <time datetime="([^"]+)"/.exec(html)?.[1] ?? '');
      expect(waitMs).toBeGreaterThan(0);
      expect(until).toBeGreaterThanOrEqual(before + waitMs);
      expect(html).toContain('or <a href="/account/forgot">set a new password</a>.');
    }
    // Nothing was changed.
    expect((await visitor.get('/account/you')).html).toContain(email);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: '' }],
    ['an opaque origin', { origin: 'null' }],
  ])('refuse a form from %s', async (_, headers) => {
    const { visitor, base } = await signUp(service);
    await visitor.get(`${base}/keys`);
    expect((await visitor.post(`${base}/keys`, { name: 'forged' }, headers)).status).toBe(403);
    expect((await visitor.get(`${base}/keys`)).html).not.toContain('forged');
  });

  it("refuse a form without the browser's own token", async () => {
    const { visitor, base } = await signUp(service);
    const other = await signUp(service);
    await other.visitor.get(`${other.base}/keys`);
    for (const csrf of ['', 'x', other.visitor.csrf]) {
      expect((await visitor.post(`${base}/keys`, { name: 'forged', csrf })).status).toBe(403);
    }
    expect((await visitor.get(`${base}/keys`)).html).not.toContain('forged');
  });

  it('begin with a page for all who come by the bare address, but programs that take only JSON', async () => {
    const visitor = new Visitor(service);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const person = await visitor.get('/', { accept });
    expect([person.status, /curl http:\/\/127.0.0.1:\d+\/api\/v1\/jobs/.test(person.html)]).toEqual([200, true]);
    for (const taken of [accept, '*/*', '']) {
      const headers = { accept: taken };
      expect((await visitor.request('/', { method: 'HEAD', headers })).status, taken).toBe(200);
      expect((await visitor.get('/', headers)).html, taken).toMatch(/^<!doctype html>/i);
    }
    const program = await visitor.get('/', { accept: 'application/json' });
    expect(program.status).toBe(404);
    expect(JSON.parse(program.html)).toMatchObject({ error: 'not_found' });
    expect((await visitor.post('/', {}, { accept })).status).toBe(404);
  });

  it('come with headers that let nothing else in', async () => {
    const { headers } = await new Visitor(service).get('/account/sign-in');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.getSetCookie().join()).toMatch(/^qrpress-form=[\w-]+; path=\/; samesite=lax; httponly$/i);
  });

  it('asks operators for credits, by mail and on their page until some are granted', async () => {
    const operator = new Visitor(service);
    const link = `/account/operator/${await service.admin.operators.issueLink()}`;
    await operator.get(link);
    const email = 'credits@operators.example';
    await operator.post(link, { name: 'Root', email, password: 'run this service' });
    const ada = await signUp(service, 'Engines');
    await ada.visitor.get(`${ada.base}/credits`);
    const ask = (message: string) => ada.visitor.post(`${ada.base}/credits/ask`, { message });
    expect((await ask(' ')).status).toBe(422);
    expect((await ask('5,000 for <labels>')).location).toBe(`${ada.base}/credits?done=asked`);
    const organisation = `/account/operator/organisations/${ada.organisationId}`;
    const { text } = await service.nextMail(email);
    expect(text).toContain('5,000 for <labels>');
    expect(text).toContain(organisation);
    expect((await operator.get('/account/operator')).html).toContain('5,000 for &lt;labels');
    await operator.get(organisation);
    await operator.post(`${organisation}/credits`, { change: 'grant', credits: '5000', reason: 'labels' });
    expect((await operator.get('/account/operator')).html).not.toContain('5,000 for');
  });
});

describeOnDatabases('a service with monthly credits', (kind) => {
  it('shows at once all credits that an account starts with', async () => {
    const service = await startTestService(kind, { monthlyCredits: 100 });
    try {
      const visited = new Visitor(service);
      await visited.get('/account/sign-in');
      await visited.post('/account/sign-up', { email: 'first@example.org' });
      const link = await mailedPath(service, 'first@example.org');
      expect((await visited.get(link)).html).toContain('You start with 600 credits');
      const { visitor, base } = await signUp(service);
      const { html } = await visitor.get(`${base}?done=signed-up`);
      expect(html).toContain('600 credits are waiting for you.');
      await service.admin.allowances.grantDue();
      expect((await visitor.get(base)).html).toContain('<dd>600');
    } finally {
      await service.close();
    }
  });
});

describeOnDatabases('an account that is deleted while its forms arrive', (kind) => {
  it('is deleted, and no form is answered with a fault', async () => {
    const service = await startTestService(kind);
    for (let round = 0; round < 5; round += 1) {
      const { visitor, email, password, base } = await signUp(service);
      await visitor.get('/account/you');
      const create = (organisation: string) =>
        visitor.post('/account/you/organisations', { organisation, submission: newRowId() });
      const answers = await Promise.all([
        ...['a', 'b', 'c'].map(create),
        visitor.post('/account/you/delete', { email, current: password }),
        ...['d', 'e', 'f'].map((name) => delay(20 * round).then(() => create(name))),
        visitor.post(`${base}/keys`, { name: 'key' }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    }
    await service.close();
  });
});

describeOnDatabases('sign-up by invitation alone, over HTTPS', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { signUp: 'invite', baseUrl: 'https://qr.example.com' });
  });
  afterAll(() => service.close());

  it('is closed to strangers', async () => {
    const visitor = new Visitor(service);
    expect((await visitor.get('/account/sign-up')).status).toBe(403);
    expect((await visitor.get('/account/sign-in')).html).not.toContain('/account/sign-up');
  });

  it('gives cookies that belong to this host and to HTTPS', async () => {
    const { headers } = await new Visitor(service).get('/account/sign-in');
    expect(headers.getSetCookie().join()).toMatch(
      /^__Host-qrpress-form=[\w-]+; path=\/; samesite=lax; secure; httponly$/i,
    );
  });

  it('takes no form from a page that came without HTTPS', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const { host } = new URL(service.url);
    const statusFrom = (origin: string) =>
      visitor
        .post('/account/sign-in', { email: 'a@example.org', password: 'x' }, { origin })
        .then(({ status }) => status);
    expect(await statusFrom(`http://${host}`)).toBe(403);
    // Another name of the same service.
    expect(await statusFrom(`https://${host}`)).toBe(422);
    expect(await statusFrom('https://qr.example.com')).toBe(422);
    expect(await statusFrom('http://qr.example.com')).toBe(403);
  });

  it('makes an operator by the printed link, once', async () => {
    const visitor = new Visitor(service);
    const path = `/account/operator/${await service.admin.operators.issueLink()}`;
    expect((await visitor.get(path)).status).toBe(200);
    const fields = { name: 'Root', email: 'root@example.org', password: 'run this service' };
    const origin = { origin: 'https://qr.example.com' };
    const done = await visitor.post(path, fields, origin);
    expect(done.location).toBe('/account/operator');
    expect(done.headers.getSetCookie().join()).toMatch(
      /__Host-qrpress-session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly/i,
    );
    const page = await visitor.get('/account/operator');
    expect(page.html).toContain('Example');
    const organisation = `/account/operator/organisations/${service.organisationId}`;
    expect(page.html).toContain(`href="${organisation}"`);
    await visitor.get(organisation);
    const grant = () =>
      visitor.post(`${organisation}/credits`, { change: 'grant', credits: '250', reason: 'thanks' }, origin);
    expect((await grant()).location).toBe(`${organisation}?done=granted&credits=250`);
    // The same form again.
    await grant();
    expect(await service.balance()).toBe(100_250);
    const refused = await visitor.post(
      `${organisation}/credits`,
      { change: 'grant', credits: '0', reason: '' },
      origin,
    );
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Type a whole number from 1 to 999,999,999, such as 2000.');
    expect((await new Visitor(service).get(path)).status).toBe(410);
    const monthly = (monthlyCredits: string) => visitor.post(`${organisation}/allowance`, { monthlyCredits }, origin);
    expect((await monthly('40')).location).toBe(`${organisation}?done=allowance-set`);
    expect(await service.balance()).toBe(100_290);
    expect((await monthly('many')).status).toBe(422);
    await monthly('');
    expect((await visitor.get(organisation)).html).toContain('name="monthlyCredits" type="text" value=""');
    expect((await visitor.get('/account/operator/organisations/nobody')).status).toBe(404);
  });

  it('lets nobody create an organisation on the page', async () => {
    const visitor = new Visitor(service);
    const origin = { origin: 'https://qr.example.com' };
    const link = `/account/operator/${await service.admin.operators.issueLink()}`;
    await visitor.get(link);
    await visitor.post(link, { name: 'Root', email: 'founder@example.org', password: 'run this service' }, origin);
    const { html } = await visitor.get('/account/you');
    expect(html).not.toContain('/account/you/organisations');
    const own = { organisation: 'Own', submission: newRowId() };
    const { status } = await visitor.post('/account/you/organisations', own, origin);
    expect(status).toBe(403);
  });

  it('lists organisations page by page', async () => {
    const visitor = new Visitor(service);
    const origin = { origin: 'https://qr.example.com' };
    const link = `/account/operator/${await service.admin.operators.issueLink()}`;
    await visitor.get(link);
    await visitor.post(link, { name: 'Root', email: 'pages@example.org', password: 'run this service' }, origin);
    const named: string[] = [];
    for (let number = 1; number <= 41; number += 1) {
      const name = `Number ${number};`;
      const owner = { name, ownerEmail: 'owner@example.org', credits: 0 };
      named.push(await service.admin.organisations.create(owner));
    }
    const seen: string[] = [];
    let last = await visitor.get('/account/operator');
    for (let pages = 1; ; pages += 1) {
      seen.push(...[...last.html.matchAll(/organisations\/(\w{26})"/g)].map(([, id]) => id as string));
      const [, older] = /href="(\/account\/operator\?after=[^"#]+)[^"]*">Older</.exec(last.html) ?? [];
      expect(last.html.includes('>Newest<')).toBe(pages > 1);
      if (older === undefined) {
        break;
      }
      last = await visitor.get(older);
    }
    expect(seen.toSorted()).toEqual([service.organisationId, ...named].toSorted());
    const found = await visitor.get('/account/operator?q=NUMBER%2041;');
    expect([...found.html.matchAll(/organisations\/(\w{26})"/g)].map(([, id]) => id)).toEqual([named.at(-1)]);
    expect((await visitor.get(`/account/operator?q=${named[0]}`)).html).toContain(`organisations/${named[0]}"`);
    expect((await visitor.get('/account/operator?q=_')).html).toContain('No organisations match.');
  });

  it('lists operators, and lets one withdraw another, but not themselves', async () => {
    const origin = { origin: 'https://qr.example.com' };
    const operators: { visitor: Visitor; email: string }[] = [];
    for (const name of ['first', 'second']) {
      const operator = { visitor: new Visitor(service), email: `${name}@operators.example` };
      const link = `/account/operator/${await service.admin.operators.issueLink()}`;
      await operator.visitor.get(link);
      await operator.visitor.post(link, { name, email: operator.email, password: 'run this service' }, origin);
      operators.push(operator);
    }
    const [first, second] = operators as [(typeof operators)[number], (typeof operators)[number]];
    const { html } = await first.visitor.get('/account/operator');
    expect(html).toContain(second.email);
    const withdraw = (email: string, visitor = first.visitor) =>
      visitor.post('/account/operator/operators/withdraw', { email }, origin);
    expect((await withdraw(first.email)).status).toBe(409);
    expect((await withdraw('nobody@example.org')).status).toBe(404);
    expect((await withdraw(second.email)).location).toBe('/account/operator?done=operator-withdrawn');
    expect((await second.visitor.get('/account/operator')).status).toBe(404);
    expect((await withdraw(first.email, second.visitor)).status).toBe(404);

    // The machine's operator may also withdraw the last one.
    const environment = {
      PATH: process.env['PATH'],
      QRPRESS_DATA_DIR: service.config.dataDir,
      QRPRESS_DATABASE_URL: service.config.databaseUrl,
    };
    const onMachine = (email: string) =>
      run(process.execPath, [MAIN, 'admin', 'withdraw-operator', '--email', email], { env: environment });
    await expect(onMachine('nobody@example.org')).rejects.toMatchObject({ code: 1 });
    expect((await first.visitor.get('/account/operator')).status).toBe(200);
    expect((await onMachine(first.email)).stdout).toContain(first.email);
    expect((await first.visitor.get('/account/operator')).status).toBe(404);
  });
});
