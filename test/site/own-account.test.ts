/** Changes that people make to their own account: name, address, sessions, second factor, and its deletion. */

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { auditEntries } from '../../src/accounts/audit-store.js';
import { Profile } from '../../src/accounts/people/profile.js';
import { SecondFactor } from '../../src/accounts/people/second-factor-store.js';
import { Throttle } from '../../src/accounts/people/throttle.js';
import { deleteAccount, passwordUrl } from '../../src/cli/people.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, type SignedUp, signIn, signUp, Visitor } from '../support/visitor.js';

describeOnDatabases('the page of a person', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { trustedProxies: ['127.0.0.1'] });
  });
  afterAll(() => service.close());

  const onMachine = () => ({ database: service.admin.database, baseUrl: service.url });
  const you = (visitor: Visitor) => visitor.get('/account/you');

  it('changes the name', async () => {
    const { visitor } = await signUp(service);
    await you(visitor);
    expect((await visitor.post('/account/you/name', { name: ' ' })).status).toBe(422);
    await visitor.post('/account/you/name', { name: 'Countess Lovelace' });
    expect((await you(visitor)).html).toContain('<h1>Countess Lovelace</h1>');
  });

  it('changes the address once its holder follows the link, and tells the old one', async () => {
    const { visitor, email, password, organisationId } = await signUp(service);
    const next = `new-${email}`;
    await you(visitor);
    expect((await visitor.post('/account/you/address', { email: next, current: 'not it' })).status).toBe(422);
    await visitor.post('/account/you/address', { email: next, current: password });
    const path = await mailedPath(service, next);
    const anywhere = new Visitor(service);
    expect((await anywhere.get(path)).html).toContain(next);
    expect((await you(visitor)).html).not.toContain(`<p>${next}</p>`);
    await anywhere.post(path);
    expect((await you(visitor)).html).toContain(`<p>${next}</p>`);
    expect((await service.nextMail(email)).text).toContain(next);
    expect((await service.admin.organisations.find(organisationId))?.ownerEmail).toBe(next);
    expect((await anywhere.post(path)).status).toBe(410);
    expect(await signIn(new Visitor(service), { email: next, password })).toMatch(/^\/account\/o\//);
  });

  it('does not tell whether an address has an account, and takes none that has', async () => {
    const [mine, theirs] = [await signUp(service), await signUp(service)];
    await you(mine.visitor);
    const answer = await mine.visitor.post('/account/you/address', { email: theirs.email, current: mine.password });
    expect(answer.location).toBe('/account/you?done=address-asked');
    expect((await mine.visitor.get(answer.location)).html).toContain(
      'finds the mail in the folder outbox of its data.',
    );
    const letter = await service.nextMail(theirs.email);
    expect(letter.subject).toBe('Your email address has an account already');
    expect(letter.text).toMatch(/Somebody[^]*asked[^]*for another account[^]*Sign in:\nhttp:\S+\/account\/sign-in\n/);
    expect(letter.text).not.toContain(mine.email);
  });

  it('mails nothing to a person who asks for the address that they have', async () => {
    const { visitor, email, password } = await signUp(service);
    await you(visitor);
    const answer = await visitor.post('/account/you/address', { email, current: password });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('This is your email address already.');
    expect(service.mails.filter(({ recipient }) => recipient === email)).toEqual([]);
  });

  it('tells the holder when the password was changed', async () => {
    const { visitor, email, password } = await signUp(service);
    await you(visitor);
    await visitor.post('/account/you/password', { current: password, password: 'difference engine no 2' });
    expect((await service.nextMail(email)).subject).toBe('Your password was changed');
  });

  it('has changes of the password and of the email address in the audit log of each organisation', async () => {
    const { visitor, email, password, base } = await signUp(service);
    await you(visitor);
    const { location } = await visitor.post('/account/you/organisations', { organisation: 'Second' });
    await you(visitor);
    await visitor.post('/account/you/password', { current: password, password: 'difference engine no 2' });
    await you(visitor);
    const next = `new-${email}`;
    await visitor.post('/account/you/address', { email: next, current: 'difference engine no 2' });
    const confirmation = await mailedPath(service, next);
    await visitor.get(confirmation);
    await visitor.post(confirmation);
    const forgetful = new Visitor(service);
    await forgetful.get('/account/sign-in');
    await forgetful.post('/account/forgot', { email: next });
    const reset = await mailedPath(service, next);
    await forgetful.get(reset);
    await forgetful.post(reset, { password: 'difference engine no 3' });
    expect(await signIn(visitor, { email: next, password: 'difference engine no 3' })).toBeDefined();
    for (const organisation of [base, location.replace(/\?.*/, '')]) {
      const log = await visitor.get(`${organisation}/settings`);
      const acts = Array.from(log.html.matchAll(/class="sentence">([^<]*)</g), ([, words]) => words?.trim());
      expect(acts.slice(0, 4)).toEqual(['signed in', 'password reset', 'email address changed', 'password changed']);
      expect(log.html).toContain(next);
      const chosen = await visitor.get(`${organisation}/settings?action=password-reset`);
      expect(chosen.html).toContain('<option value="password-reset" selected>password reset<');
      expect(chosen.html.match(/class="sentence">/g)).toHaveLength(1);
    }
  });

  it('refuses passwords that are easy to guess', async () => {
    const { visitor, email, password } = await signUp(service);
    await you(visitor);
    for (const weak of ['password123', 'qwertyuiop12', 'aaaaaaaaaaaa', email]) {
      const refused = await visitor.post('/account/you/password', { current: password, password: weak });
      expect(refused.html).toContain('easy to guess');
    }
  });

  it('lists sessions, and ends one of them', async () => {
    const account = await signUp(service);
    const other = new Visitor(service);
    await other.get('/account/sign-in');
    await other.post('/account/sign-in', passwordOf(account), { 'user-agent': 'A <strange> browser' });
    const page = await you(account.visitor);
    expect(page.html).toContain('A &lt;strange&gt; browser');
    const [, path = ''] = /action="(\/account\/you\/sessions\/\w+\/end)"/.exec(page.html) ?? [];
    await account.visitor.post(path);
    expect((await you(other)).status).toBe(303);
    expect((await you(account.visitor)).status).toBe(200);
    const stranger = await signUp(service);
    await you(stranger.visitor);
    await stranger.visitor.post(path);
    expect((await you(account.visitor)).status).toBe(200);
  });

  const codesOf = (html: string) =>
    Array.from(html.matchAll(/\b(\w{5}-\w{5})(?=\n|<\/pre>)/g), ([, code = '']) => code);

  /** Turns the second factor on, and returns its secret and recovery codes. */
  const turnOn = async ({ visitor, email, password: current }: SignedUp) => {
    const page = await visitor.get('/account/you/second-factor');
    const [, secret = ''] = /name="secret" value="(\w+)"/.exec(page.html) ?? [];
    const app = /<a href="(otpauth:[^"]+)">Open in your authenticator app</
      .exec(page.html)?.[1]
      ?.replaceAll('&amp;', '&');
    expect(app).toMatch(
      new RegExp(`^otpauth://totp/qrpress:${encodeURIComponent(email)}\\?issuer=qrpress&secret=${secret}&`),
    );
    const stolen = await visitor.post('/account/you/second-factor', { secret, code: codeOf(secret) });
    expect(stolen.status).toBe(422);
    expect(stolen.html).toContain('Type your current password.');
    const wrong = await visitor.post('/account/you/second-factor', { secret, code: '000000', current });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('This code is wrong.');
    const done = await visitor.post('/account/you/second-factor', { secret, code: codeOf(secret), current });
    const codes = codesOf(done.html);
    expect(codes).toHaveLength(10);
    expect((await service.nextMail(email)).subject).toBe('Two-factor authentication was turned on');
    return { secret, codes };
  };

  it('asks for a code beside the password, once it is turned on', async () => {
    const account = await signUp(service);
    const { secret, codes } = await turnOn(account);
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const step = await visitor.post('/account/sign-in', passwordOf(account));
    expect(step.html).toContain('Enter your code');
    expect((await you(visitor)).status).toBe(303);
    const token = tokenOf(step.html);
    expect((await visitor.post('/account/sign-in/code', { token, code: '123456' })).status).toBe(422);
    const [latest] = await auditEntries(service.admin.database, account.organisationId, 1);
    expect(latest).toMatchObject({ action: 'second-factor-refused', address: '127.0.0.1' });
    const code = codeOf(secret, 1);
    expect((await visitor.post('/account/sign-in/code', { token, code })).location).toBe('/account');
    expect((await you(visitor)).status).toBe(200);

    // A code works once, and so does a recovery code.
    const again = new Visitor(service);
    await again.get('/account/sign-in');
    const second = tokenOf((await again.post('/account/sign-in', passwordOf(account))).html);
    const twice = await again.post('/account/sign-in/code', { token: second, code });
    expect([twice.status, twice.html.includes('Wait for the next one.')]).toEqual([422, true]);
    const [recovery = ''] = codes;
    const { location } = await again.post('/account/sign-in/code', { token: second, code: recovery });
    const left = await again.get(location);
    expect(left.html).toContain('The recovery code that you used no longer works.');
    expect(left.html).toContain('9 codes left. New codes replace the old ones.');
    expect(left.html).toContain('<a href="/account">Go on without new codes</a>');
    const third = new Visitor(service);
    await third.get('/account/sign-in');
    const last = tokenOf((await third.post('/account/sign-in', passwordOf(account))).html);
    const used = await third.post('/account/sign-in/code', { token: last, code: recovery });
    expect([used.status, used.html.includes('Each recovery code works once: type another one.')]).toEqual([422, true]);

    const profile = await you(visitor);
    expect(profile.html).toContain('9 recovery codes left.');
    expect(profile.html).toContain(`href="${account.base}/jobs"`);
    const page = await visitor.get('/account/you/second-factor');
    expect(page.html).toContain(`href="${account.base}/jobs"`);
    const makeNew = (current: string) => visitor.post('/account/you/second-factor/recovery-codes', { current });
    const refused = await makeNew('not this one');
    expect([refused.status, refused.html.includes('not your current password')]).toEqual([422, true]);
    const made = codesOf((await makeNew(account.password)).html);
    expect(made).toHaveLength(10);
    const [, old = ''] = codes;
    expect((await visitor.post('/account/you/second-factor/off', { code: old })).status).toBe(422);
    const [spare = ''] = made;
    await visitor.get('/account/you/second-factor');
    expect((await visitor.post('/account/you/second-factor/off', { code: spare })).status).toBe(303);
    expect((await makeNew(account.password)).status).toBe(409);
    expect(await signIn(new Visitor(service), account)).toMatch(/^\/account\/o\//);
  });

  it('mails the person each change of the second factor, and has it in the audit log', async () => {
    const account = await signUp(service);
    const { visitor, email, base } = account;
    const [recovery = ''] = (await turnOn(account)).codes;
    const other = new Visitor(service);
    await other.get('/account/sign-in');
    const token = tokenOf((await other.post('/account/sign-in', passwordOf(account))).html);
    expect((await other.post('/account/sign-in/code', { token, code: recovery })).status).toBe(303);
    const used = await service.nextMail(email);
    expect(used.subject).toBe('A recovery code was used');
    expect(used.text).toContain('9 recovery codes are left.');

    await visitor.get('/account/you/second-factor');
    const made = await visitor.post('/account/you/second-factor/recovery-codes', { current: account.password });
    expect((await service.nextMail(email)).subject).toBe('New recovery codes were made');
    const [spare = ''] = codesOf(made.html);
    await visitor.get('/account/you/second-factor');
    await visitor.post('/account/you/second-factor/off', { code: spare });
    const off = await service.nextMail(email);
    expect(off.subject).toBe('Two-factor authentication was turned off');
    expect(off.text).toMatch(/Set a new password:\nhttp:\S+\/account\/forgot\n/);

    await passwordUrl(onMachine(), { email, removesSecondFactor: true });
    await turnOn(account);
    await passwordUrl(onMachine(), { email, removesSecondFactor: true });
    expect((await service.nextMail(email)).subject).toBe('Two-factor authentication was turned off');
    const log = await visitor.get(`${base}/settings`);
    const acts = Array.from(log.html.matchAll(/class="sentence">([^<]*)</g), ([, words]) => words);
    expect(acts.toReversed().slice(-8)).toEqual([
      'two-factor authentication turned on',
      'recovery code used',
      'signed in',
      'recovery codes made',
      'recovery code used',
      'two-factor authentication turned off',
      'two-factor authentication turned on',
      'two-factor authentication turned off',
    ]);
    const chosen = await visitor.get(`${base}/settings?action=second-factor-off`);
    expect(chosen.html).toContain('<option value="second-factor-off" selected>two-factor authentication turned off<');
    expect(chosen.html.match(/class="sentence">/g)).toHaveLength(2);
  });

  it('leaves nothing to somebody whose session and password a reset has just ended', async () => {
    const account = await signUp(service);
    const { visitor, email, password: current } = account;
    const known = new Visitor(service);
    const resetBefore = async (password: string) => {
      await known.get('/account/sign-in');
      await known.post('/account/forgot', { email });
      let link = '';
      while (!link.startsWith('/account/reset/')) link = await mailedPath(service, email);
      await known.get(link);
      return () => known.post(link, { password });
    };
    await you(visitor);
    const first = await resetBefore('difference engine no 2');
    // The password is known to be right when this is asked.
    const mayMail = vi.spyOn(Throttle.prototype, 'mayMail').mockImplementationOnce(async () => {
      expect((await first()).status).toBe(303);
      return true;
    });
    expect((await visitor.post('/account/you/address', { email: `eve-${email}`, current })).status).toBe(409);
    mayMail.mockRestore();
    expect(service.mails.filter(({ recipient }) => recipient === `eve-${email}`)).toEqual([]);

    const password = 'difference engine no 2';
    await signIn(visitor, { email, password });
    const page = await visitor.get('/account/you/second-factor');
    const [, secret = ''] = /name="secret" value="(\w+)"/.exec(page.html) ?? [];
    const second = await resetBefore('another engine altogether');
    const turning = vi.spyOn(SecondFactor.prototype, 'turnOn').mockImplementationOnce(async function (
      this: SecondFactor,
      ...request
    ) {
      expect((await second()).status).toBe(303);
      return this.turnOn(...request);
    });
    const fields = { secret, code: codeOf(secret, 1), current: password };
    expect((await visitor.post('/account/you/second-factor', fields)).status).toBe(409);
    turning.mockRestore();

    const latest = { email, password: 'another engine altogether' };
    await signIn(visitor, latest);
    await you(visitor);
    const third = await resetBefore(password);
    const removing = vi.spyOn(Profile.prototype, 'remove').mockImplementationOnce(async function (
      this: Profile,
      ...request
    ) {
      expect((await third()).status).toBe(303);
      return this.remove(...request);
    });
    const deleted = await visitor.post('/account/you/delete', { email, current: latest.password });
    removing.mockRestore();
    expect(deleted.status).toBe(409);
    expect(await signIn(new Visitor(service), { email, password })).toBe(account.base);
  });

  it('does not tell who sends the right code twice at once that it was wrong too often', async () => {
    const account = await signUp(service);
    const { codes } = await turnOn(account);
    for (const code of codes.slice(0, 5)) {
      const visitor = new Visitor(service);
      await visitor.get('/account/sign-in');
      const token = tokenOf((await visitor.post('/account/sign-in', passwordOf(account))).html);
      const pages = await Promise.all([1, 2].map(() => visitor.post('/account/sign-in/code', { token, code })));
      const ends = pages.map(({ location }) => location).toSorted();
      expect(ends[0]).toBe('/account/sign-in?done=step-ended');
      expect(ends[1]).toMatch(/^\/account\/you\/second-factor\?done=recovery-code-used&/);
    }
  });

  it('counts guesses at the code apart from those at the password', async () => {
    const account = await signUp(service);
    await turnOn(account);
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      // The right password does not make room for more codes, and wrong codes do not keep it out.
      const token = tokenOf((await visitor.post('/account/sign-in', passwordOf(account))).html);
      statuses.push((await visitor.post('/account/sign-in/code', { token, code: '123456' })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);

    // Wrong passwords do not keep out somebody who knew the right one.
    const other = await signUp(service);
    const { secret: another } = await turnOn(other);
    const page = new Visitor(service);
    await page.get('/account/sign-in');
    const step = tokenOf((await page.post('/account/sign-in', passwordOf(other))).html);
    for (let guess = 0; guess < 6; guess += 1) {
      await page.post('/account/sign-in', { ...passwordOf(other), password: `guess ${guess}` });
    }
    expect((await page.post('/account/sign-in', passwordOf(other))).status).toBe(429);
    expect((await page.post('/account/sign-in/code', { token: step, code: codeOf(another, 1) })).status).toBe(303);
  });

  it('takes ten wrong codes an hour from all addresses, ends the step and mails the person, until the password is reset', async () => {
    const account = await signUp(service);
    const { secret } = await turnOn(account);
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const from = (guess: number) => ({ 'x-forwarded-for': `2001:db8:0:${guess}::1` });
    const begin = async (guess: number) =>
      tokenOf((await visitor.post('/account/sign-in', passwordOf(account), from(guess))).html);
    const guess = (token: string, number: number) =>
      visitor.post('/account/sign-in/code', { token, code: '123456' }, from(number));
    const token = await begin(0);
    for (let number = 1; number <= 9; number += 1) {
      expect((await guess(token, number)).status).toBe(422);
    }
    expect((await guess(token, 10)).location).toBe('/account/sign-in?done=codes-refused');
    expect((await service.nextMail(account.email)).subject).toBe('Somebody typed wrong codes for your account');
    expect((await guess(token, 11)).location).toBe('/account/sign-in?done=step-ended');
    expect((await guess(await begin(12), 12)).status).toBe(429);
    await you(account.visitor);
    expect((await account.visitor.post('/account/you/second-factor/off', { code: '123456' }, from(13))).status).toBe(
      429,
    );

    await visitor.get('/account/sign-in');
    await visitor.post('/account/forgot', { email: account.email });
    const link = await mailedPath(service, account.email);
    await visitor.get(link);
    const password = 'difference engine no 2';
    await visitor.post(link, { password });
    await visitor.get('/account/sign-in');
    const step = tokenOf((await visitor.post('/account/sign-in', { email: account.email, password })).html);
    expect((await visitor.post('/account/sign-in/code', { token: step, code: codeOf(secret, 1) })).location).toBe(
      '/account',
    );
  });

  it('is opened by whoever runs the machine, for a person who has neither mail nor the second factor', async () => {
    const account = await signUp(service);
    await turnOn(account);
    const { email } = account;
    for (const removesSecondFactor of [false, true]) {
      const url = await passwordUrl(onMachine(), { email, removesSecondFactor });
      const path = url.slice(service.url.length);
      const password = `difference engine no ${removesSecondFactor ? 3 : 2}`;
      const visitor = new Visitor(service);
      await visitor.get(path);
      expect((await visitor.post(path, { password })).status).toBe(303);
      await visitor.get('/account/sign-in');
      const answer = await visitor.post('/account/sign-in', { email, password });
      expect(answer.html.includes('Enter your code')).toBe(!removesSecondFactor);
      expect((await you(visitor)).status).toBe(removesSecondFactor ? 200 : 303);
    }
    const nobody = passwordUrl(onMachine(), { email: 'nobody@example.org', removesSecondFactor: false });
    await expect(nobody).rejects.toThrow('Nobody has an account with the address nobody@example.org.');
  });

  it('makes an account that is signed in an operator, and leaves other accounts alone', async () => {
    const { visitor, email, password } = await signUp(service);
    const path = `/account/operator/${await service.admin.operators.issueLink()}`;
    const stranger = new Visitor(service);
    await stranger.get(path);
    const taken = await stranger.post(path, { name: 'Eve', email, password: 'run this service' });
    expect(taken.status).toBe(409);
    await visitor.get(path);
    expect((await visitor.post(path)).location).toBe('/account/operator');
    expect((await visitor.get('/account/operator')).status).toBe(200);
    expect(await signIn(new Visitor(service), { email, password })).toMatch(/^\/account\/o\//);
  });

  it('gives a person their own data, and nobody the secrets', async () => {
    const account = await signUp(service, 'Exported');
    const { visitor, base, email, organisationId } = account;
    await turnOn(account);
    await visitor.get(`${base}/keys`);
    await visitor.post(`${base}/keys`, { name: 'till' });
    // A full page of actions, and an empty one behind it.
    const { person_id: personId } = await service.admin.database
      .selectFrom('memberships')
      .select('person_id')
      .where('organisation_id', '=', organisationId)
      .executeTakeFirstOrThrow();
    const folded = { folded_name: '', folded_subject: '' };
    const signedIn = { action: 'signed-in', subject: '', address: '::1', ...folded };
    const done = { organisation_id: null, person_id: personId, ...signedIn };
    const known = await entriesOf(personId);
    const more = Array.from({ length: 499 - known.length }, () => ({ ...done, created_at: Date.now() }));
    await service.admin.database.insertInto('audit_entries').values(more).execute();

    const page = await visitor.get('/account/you/export.json');
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="qrpress-account.json"');
    const data = JSON.parse(page.html) as { actions: { action: string }[] };
    expect(data).toMatchObject({
      account: { email, hasPassword: true, hasSecondFactor: true, isOperator: false },
      organisations: [{ id: organisationId, name: 'Exported', role: 'owner' }],
      sessions: [{ address: '127.0.0.1' }],
      connectedAccounts: [],
      apiKeys: [{ organisationId, name: 'till' }],
      invitations: [],
    });
    expect(data.actions).toHaveLength(500);
    expect(data.actions[0]).toMatchObject({ action: 'data-exported' });
    expect(data.actions.at(-1)).toMatchObject({ action: 'signed-up', subject: email });
    expect(page.html).not.toMatch(/argon2|totp|hash/);
    expect((await new Visitor(service).get('/account/you/export.json')).status).toBe(303);
  });

  const entriesOf = (personId: string) =>
    service.admin.database.selectFrom('audit_entries').selectAll().where('person_id', '=', personId).execute();

  it('keeps no address and no sign-in of a deleted account', async () => {
    const { visitor, email, password, organisationId } = await signUp(service, 'Forgotten');
    const { database } = service.admin;
    const person = await database
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await you(visitor);
    await visitor.post('/account/you/name', { name: 'Somebody' });
    await visitor.post('/account/you/delete', { email, current: password });
    expect(await entriesOf(person.id)).toMatchObject([
      { organisation_id: organisationId, action: 'signed-up', subject: '' },
      { organisation_id: organisationId, action: 'left', subject: '' },
      { organisation_id: null, action: 'account-deleted', subject: '', address: '' },
    ]);
    expect((await service.admin.organisations.find(organisationId))?.ownerEmail).toBe('');
  });

  it('deletes the account, but not from under others', async () => {
    const owner = await signUp(service, 'Shared');
    const member = await signUp(service);
    await owner.visitor.get(`${owner.base}/members`);
    await owner.visitor.post(`${owner.base}/invitations`, { email: member.email, role: 'member' });
    const invitation = await mailedPath(service, member.email);
    await member.visitor.get(invitation);
    await member.visitor.post(invitation);
    const remove = async ({ visitor, email, password }: SignedUp) => {
      await you(visitor);
      return visitor.post('/account/you/delete', { email, current: password });
    };
    // The credits of an organisation with other members stay with them.
    const lost = async ({ visitor }: SignedUp) =>
      /cannot be opened again([^<]*)\.<\/p>/.exec((await you(visitor)).html)?.[1];
    expect([await lost(owner), await lost(member)]).toEqual(['', ', and their 500 unused credits are lost']);
    // Whoever cannot go is told before they fill in a form.
    const forms = async ({ visitor }: SignedUp) => (await you(visitor)).html.split('/account/you/delete"').length - 1;
    expect([await forms(owner), await forms(member)]).toEqual([0, 1]);
    expect((await you(owner.visitor)).html).toContain(`${owner.base}/members#ownership">Transfer ownership`);
    expect((await remove(owner)).status).toBe(409);
    expect((await member.visitor.post('/account/you/delete', { email: 'x', current: 'y' })).status).toBe(422);
    expect((await remove(member)).location).toBe('/account/sign-in?done=account-deleted');
    expect((await you(member.visitor)).status).toBe(303);
    expect((await remove(owner)).location).toBe('/account/sign-in?done=account-deleted');
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    expect((await visitor.post('/account/sign-in', passwordOf(owner))).status).toBe(422);
  });

  it('is deleted by whoever runs the machine, but not from under others', async () => {
    const [owner, member] = [await signUp(service), await signUp(service)];
    await owner.visitor.get(`${owner.base}/members`);
    await owner.visitor.post(`${owner.base}/invitations`, { email: member.email, role: 'member' });
    const invitation = await mailedPath(service, member.email);
    await member.visitor.get(invitation);
    await member.visitor.post(invitation);
    await expect(deleteAccount(onMachine(), owner.email)).rejects.toThrow(
      /^This person is the last owner of Engines, /,
    );
    for (const { email, visitor } of [member, owner]) {
      await deleteAccount(onMachine(), email);
      expect((await you(visitor)).status).toBe(303);
      await expect(deleteAccount(onMachine(), email)).rejects.toThrow('Nobody has an account');
    }
  });
});

/** Fields of the sign-in form. */
function passwordOf({ email, password }: SignedUp): Record<string, string> {
  return { email, password };
}

function tokenOf(html: string): string {
  return /name="token" value="([\w-]+)"/.exec(html)?.[1] ?? '';
}

/**
 * A code of the app, some steps from now. The service also takes the code of the step before: none of step 0 or 1 is refused
 * because its step ends while it is sent. Each code counts once, so the later ones are of step 1.
 */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}
