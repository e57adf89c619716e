/** Signing in by the company's identity provider, against a real one. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { invitationUrl, operatorUrl } from '../../src/cli/people.js';
import { describeOnDatabases } from '../support/databases.js';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, type SignedUp, signIn, signUp, Visitor } from '../support/visitor.js';

const START = '/account/sign-in/oidc';

/** The cookie of an attempt, where the base URL is HTTP. */
const ATTEMPT = 'qrpress-sign-in';

describeOnDatabases('single sign-on', (kind) => {
  let provider: TestProvider;
  let service: TestService;
  let groups: { group: string; organisationId: string; role: 'owner' | 'admin' | 'member' }[];

  beforeAll(async () => {
    provider = await startIdentityProvider();
    groups = [];
    const { issuer, clientId, clientSecret } = provider;
    service = await startTestService(kind, { oidc: { issuer, clientId, clientSecret, groups } });
    provider.allow(`${service.config.baseUrl}/account/sign-in/oidc/callback`);
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  /** Follows the button of the sign-in page as somebody whom the provider knows. */
  const enter = async (visitor: Visitor, personId: string, start = START) => {
    const { location } = await visitor.get(start);
    return visitor.get(await provider.signIn(location, personId));
  };

  it('makes an account for somebody new, and finds it again under another address', async () => {
    provider.people.set('grace', { email: 'grace@example.org', email_verified: true, name: 'Grace Hopper' });
    const visitor = new Visitor(service);
    expect((await visitor.get('/account/sign-in')).html).toContain('Sign in with your company account');
    expect((await enter(visitor, 'grace')).status).toBe(303);
    const you = await visitor.get('/account/you');
    expect(you.html).toContain('Grace Hopper');
    expect(you.html).toContain('grace@example.org');
    provider.people.set('grace', { email: 'hopper@example.org', email_verified: true, name: 'Grace Hopper' });
    const again = new Visitor(service);
    await enter(again, 'grace');
    expect((await again.get('/account/you')).html).toContain('grace@example.org');
  });

  it('takes a name without its control characters, with which letters could be forged', async () => {
    const email = 'forger@example.org';
    provider.people.set('forger', { email, email_verified: true, name: ' Eve\r\n\nPay here:\u0000 ' });
    await enter(new Visitor(service), 'forger');
    const { database } = service.admin;
    const nameOf = (address: string) => database.selectFrom('people').select('name').where('email', '=', address);
    expect(await nameOf(email).execute()).toEqual([{ name: 'Eve Pay here:' }]);
    provider.people.set('nameless', { email: 'nameless@example.org', email_verified: true, name: '\u0000\u0001' });
    await enter(new Visitor(service), 'nameless');
    expect(await nameOf('nameless@example.org').execute()).toEqual([{ name: 'nameless@example.org' }]);
  });

  it('makes one account for somebody new who signs in several times at once', async () => {
    provider.people.set('twins', { email: 'twins@example.org', email_verified: true, name: 'Twins' });
    const visitors = Array.from({ length: 6 }, () => new Visitor(service));
    const callbacks: string[] = [];
    for (const visitor of visitors) {
      callbacks.push(await provider.signIn((await visitor.get(START)).location, 'twins'));
    }
    const pages = await Promise.all(visitors.map((visitor, index) => visitor.get(callbacks[index] as string)));
    expect(pages.map(({ status }) => status)).toEqual(visitors.map(() => 303));
    expect(await identities('twins')).toHaveLength(1);
  });

  it('takes over an account only by an address that the provider has verified', async () => {
    const { email } = await signUp(service, 'Verified');
    provider.people.set('unverified', { email, name: 'Somebody' });
    expect((await enter(new Visitor(service), 'unverified')).status).toBe(409);
    provider.people.set('verified', { email, email_verified: 'true' });
    const visitor = new Visitor(service);
    await enter(visitor, 'verified');
    expect((await visitor.get('/account')).location).toMatch(/^\/account\/o\//);
  });

  // Some providers send texts.
  it.each([false, 'false'])('says of an unverified address only that it is not verified (%j)', async (isVerified) => {
    const { email: taken } = await signUp(service, 'Victim');
    const answers = await Promise.all(
      [taken, `no-${taken}`].map(async (email) => {
        provider.people.set(email, { email, email_verified: isVerified, name: 'Mallory' });
        const mallory = new Visitor(service);
        const { status, html } = await enter(mallory, email);
        expect((await mallory.get('/account/you')).status).toBe(303);
        return { status, html: html.replaceAll(/value="[\w-]{43}"/g, '') };
      }),
    );
    expect(answers[0]?.status).toBe(403);
    expect(answers[0]).toEqual(answers[1]);
  });

  /** Asks to connect a company account, and returns the provider's address. */
  const ask = async ({ visitor, password: current }: SignedUp) => {
    await visitor.get('/account/you');
    const page = await visitor.post('/account/you/identities', { current });
    expect(page.status).toBe(200);
    const url = decoded(/class="button" href="([^"]+)"/.exec(page.html)?.[1] ?? '');
    expect(decoded(/http-equiv="refresh" content="([^"]+)"/.exec(page.html)?.[1] ?? '')).toBe(`0; url=${url}`);
    return url;
  };

  /** Connects the company account of somebody whom the provider knows. */
  const connect = async (account: SignedUp, personId: string) =>
    account.visitor.get(await provider.signIn(await ask(account), personId));

  /** The first organisation of whoever signs in by the company account. */
  const organisationOf = async (personId: string) => {
    const visitor = new Visitor(service);
    await enter(visitor, personId);
    return (await visitor.get('/account')).location;
  };

  it('connects a company account to an account by a form, a password and a mail', async () => {
    const account = await signUp(service, 'Connected');
    const { visitor, base, email } = account;
    provider.people.set('connected', { email: 'connected@example.com', email_verified: true });
    // A link from elsewhere only signs in.
    const lured = new Visitor(service);
    await signIn(lured, account);
    await enter(lured, 'connected', `${START}?connect=1`);
    expect((await lured.get('/account/you')).html).toContain('connected@example.com');

    provider.people.set('other', { email: 'other@example.com' });
    await visitor.get('/account/you');
    const refused = await visitor.post('/account/you/identities', { current: 'not it' });
    expect([refused.status, refused.html.includes('not your current password')]).toEqual([422, true]);
    expect((await visitor.post('/account/you/identities', { csrf: '', current: account.password })).status).toBe(403);
    expect((await connect(account, 'other')).location).toBe('/account/you?done=connected');
    expect((await service.nextMail(email)).subject).toBe('A company account was connected to your account');
    expect(await organisationOf('other')).toBe(base);
  });

  it('connects nothing for somebody else, for an attempt that was signed out, or without having been asked', async () => {
    const [account, stranger] = [await signUp(service, 'Asked'), await signUp(service)];
    provider.people.set('asked', { email: 'asked@example.com' });
    // The attempt of one browser in another one.
    const taken = await provider.signIn(await ask(account), 'asked');
    keepAttempt(stranger.visitor, attemptOf(account.visitor));
    expect((await stranger.visitor.get(taken)).status).toBe(403);
    // An attempt that the browser made up.
    const made = await provider.signIn(await ask(account), 'asked');
    keepAttempt(account.visitor, { ...attemptOf(account.visitor), connection: 'made up' });
    expect((await account.visitor.get(made)).status).toBe(410);
    // Signing out everywhere ends what was begun.
    const late = await provider.signIn(await ask(account), 'asked');
    const begun = attemptOf(account.visitor);
    await account.visitor.post('/account/you/sign-out-everywhere');
    await signIn(account.visitor, account);
    keepAttempt(account.visitor, begun);
    expect((await account.visitor.get(late)).status).toBe(410);
    expect(await identities('asked')).toEqual([]);
  });

  it('lists and disconnects company accounts, with a mail, and ends the other sessions', async () => {
    const account = await signUp(service, 'Disconnected');
    const { visitor, password: current, email } = account;
    provider.people.set('leaver', { email: 'leaver@example.com' });
    await connect(account, 'leaver');
    await service.nextMail(email);
    const elsewhere = new Visitor(service);
    await enter(elsewhere, 'leaver');
    const page = await visitor.get('/account/you');
    expect(page.html).toContain(new URL(provider.issuer).host);
    const [path = ''] = /\/account\/you\/identities\/\w+\/disconnect/.exec(page.html) ?? [];
    expect((await visitor.post(path, { current: 'not it' })).status).toBe(422);
    const stranger = await signUp(service);
    await stranger.visitor.get('/account/you');
    expect((await stranger.visitor.post(path, { current: stranger.password })).status).toBe(404);
    await visitor.get('/account/you');
    expect((await visitor.post(path, { current })).location).toBe('/account/you?done=disconnected');
    expect((await service.nextMail(email)).subject).toBe('A company account was disconnected from your account');
    expect((await elsewhere.get('/account/you')).status).toBe(303);
    expect((await visitor.get('/account/you')).status).toBe(200);
    expect(await identities('leaver')).toEqual([]);
    // The organisation sees how its members may sign in.
    const log = await visitor.get(`${account.base}/settings`);
    const acts = Array.from(log.html.matchAll(/class="sentence">([^<]*)</g), ([, words]) => words?.trim());
    expect(acts.slice(0, 3)).toEqual(['company account disconnected', 'signed in', 'company account connected']);
  });

  it('keeps the only way in', async () => {
    provider.people.set('only', { email: 'only@example.com', email_verified: true });
    const visitor = new Visitor(service);
    await enter(visitor, 'only');
    const [path = ''] =
      /\/account\/you\/identities\/\w+\/disconnect/.exec((await visitor.get('/account/you')).html) ?? [];
    expect((await visitor.post(path)).status).toBe(409);
    expect(await identities('only')).toHaveLength(1);
  });

  it('disconnects what somebody else may have connected, when the password is reset', async () => {
    const account = await signUp(service, 'Reset');
    const { email } = account;
    provider.people.set('intruder', { email: 'intruder@example.com' });
    await connect(account, 'intruder');
    await service.nextMail(email);
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    await visitor.post('/account/forgot', { email });
    const link = await mailedPath(service, email);
    await visitor.get(link);
    await visitor.post(link, { password: 'difference engine no 2' });
    expect((await service.nextMail(email)).subject).toBe('Your password was changed');
    expect((await service.nextMail(email)).subject).toBe('A company account was disconnected from your account');
    expect(await identities('intruder')).toEqual([]);
  });

  it('mails a person whose account a verified address took over', async () => {
    const { email } = await signUp(service, 'Mailed');
    provider.people.set('taken', { email, email_verified: true });
    await enter(new Visitor(service), 'taken');
    expect((await service.nextMail(email)).subject).toBe('A company account was connected to your account');
  });

  const identities = (subject: string) =>
    service.admin.database.selectFrom('identities').selectAll().where('subject', '=', subject).execute();

  it('gives, changes and takes the roles that groups are mapped to, and keeps the last owner', async () => {
    const { organisationId } = await signUp(service, 'Mapped');
    groups.push(
      { group: 'printers', organisationId, role: 'member' },
      { group: 'print leads', organisationId, role: 'admin' },
    );
    const roleOf = async () => {
      const visitor = new Visitor(service);
      await enter(visitor, 'alan');
      const row = await service.admin.database
        .selectFrom('memberships')
        .innerJoin('people', 'people.id', 'memberships.person_id')
        .select('role')
        .where('email', '=', 'alan@example.org')
        .where('organisation_id', '=', organisationId)
        .executeTakeFirst();
      return row?.role;
    };
    const alan = { email: 'alan@example.org', email_verified: true, name: 'Alan' };
    provider.people.set('alan', { ...alan, groups: ['printers', 'others'] });
    expect(await roleOf()).toBe('member');
    provider.people.set('alan', { ...alan, groups: ['printers', 'print leads'] });
    expect(await roleOf()).toBe('admin');
    // So a provider marks that there are too many for a token.
    const elsewhere = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://example.com' } },
    };
    for (const [index, marks] of [elsewhere, { hasgroups: true }].entries()) {
      provider.people.set('alan', { ...alan, ...marks });
      expect(await roleOf()).toBe('admin');
      expect(service.log.filter((line) => line.includes('left out the groups of'))).toHaveLength(index + 1);
    }
    provider.people.set('alan', { ...alan, groups: ['others'] });
    expect(await roleOf()).toBeUndefined();
  });

  it('refuses answers that are not for this attempt, and those of nobody', async () => {
    provider.people.set('nobody', {});
    expect((await enter(new Visitor(service), 'nobody')).status).toBe(403);
    provider.people.set('eve', { email: 'eve@example.org', email_verified: true });
    const first = new Visitor(service);
    const back = await provider.signIn((await first.get(START)).location, 'eve');
    // Another browser has another attempt, or none.
    expect((await new Visitor(service).get(back)).status).toBe(403);
    const second = new Visitor(service);
    await second.get(START);
    expect((await second.get(back)).status).toBe(403);
    expect((await first.get(back)).status).toBe(303);
    expect((await first.get(back)).status).toBe(403);
    expect((await new Visitor(service).get(`${START}/callback?error=access_denied`)).status).toBe(403);
  });

  it('refuses an ID token that the provider has not signed', async () => {
    provider.people.set('signed', { email: 'signed@example.org', email_verified: true });
    const { issuer, clientId, clientSecret } = provider;
    const fresh = await startTestService(kind, { oidc: { issuer, clientId, clientSecret, groups: [] } });
    try {
      provider.allow(`${fresh.config.baseUrl}/account/sign-in/oidc/callback`);
      provider.publishesOtherKeys = true;
      expect((await enter(new Visitor(fresh), 'signed')).status).toBe(403);
    } finally {
      provider.publishesOtherKeys = false;
      await fresh.close();
    }
  });

  it('lets a whole office in from one address', async () => {
    for (let person = 0; person < 65; person += 1) {
      expect((await new Visitor(service).get(START)).status).toBe(303);
    }
  });

  it('asks the provider no more for an address whose sign-ins keep failing', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const guessed = await startTestService(kind, { oidc: { issuer, clientId, clientSecret, groups: [] } });
    try {
      const visitor = new Visitor(guessed);
      await visitor.get(START);
      const name = [...visitor.cookies.keys()].find((each) => each.endsWith('qrpress-sign-in')) ?? '';
      const made = Buffer.from(JSON.stringify({ state: 's', nonce: 'n', codeVerifier: 'v' })).toString('base64url');
      const finish = async () => {
        visitor.cookies.set(name, made);
        return (await visitor.get(`${START}/callback?code=x&state=s`)).status;
      };
      for (let times = 0; times < 60; times += 1) {
        expect(await finish()).toBe(403);
      }
      expect(await finish()).toBe(429);
      expect((await visitor.get(START)).status).toBe(429);
    } finally {
      await guessed.close();
    }
  });

  it('leads nowhere but to pages of the account', async () => {
    const visitor = new Visitor(service);
    expect((await enter(visitor, 'grace', `${START}?next=https://example.com/`)).location).toBe('/account');
    expect((await enter(visitor, 'grace', `${START}?next=/account/you`)).location).toBe('/account/you');
  });

  it('asks for no password where passwords are off, of those who had one either', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const strict = await startTestService(kind, {
      passwords: false,
      oidc: { issuer, clientId, clientSecret, groups: [] },
    });
    try {
      provider.allow(`${strict.config.baseUrl}/account/sign-in/oidc/callback`);
      provider.people.set('long-here', { email: 'long.here@example.org', email_verified: true });
      const visitor = new Visitor(strict);
      await enter(visitor, 'long-here');
      await strict.admin.database.updateTable('people').set({ password_hash: 'of earlier years' }).execute();
      expect((await visitor.get('/account/you')).html).not.toContain('type="password"');
      const { location } = await visitor.post('/account/you/address', { email: 'another@example.org' });
      expect(location).toBe('/account/you?done=address-asked');
    } finally {
      await strict.close();
    }
  });

  it('is the only way in where passwords are off', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const strict = await startTestService(kind, {
      passwords: false,
      oidc: { issuer, clientId, clientSecret, groups: [] },
    });
    try {
      const visitor = new Visitor(strict);
      const page = await visitor.get('/account/sign-in');
      expect(page.html).toContain('Sign in with your company account');
      expect(page.html).not.toContain('type="password"');
      for (const path of ['/account/sign-up', '/account/forgot', '/account/sign-up/x', '/account/reset/x']) {
        expect((await visitor.get(path)).status).toBe(403);
      }
      expect((await visitor.post('/account/sign-in', { email: 'a@example.org', password: 'b' })).status).toBe(403);
      const { database, operators } = strict.admin;
      const invited = { organisationId: strict.organisationId, email: 'guest@example.org', role: 'owner' } as const;
      const account = { name: 'Guest', email: invited.email, password: 'words of an honest guest' };
      for (const link of [await invitationUrl('', database, invited), await operatorUrl('', operators)]) {
        expect((await visitor.get(link)).html).not.toContain('type="password"');
        expect((await visitor.post(link, account)).status).toBe(403);
        expect((await visitor.get('/account/you')).status).toBe(303);
      }
    } finally {
      await strict.close();
    }
  });

  it('says so when the provider is away, and then looks for it so often only', async () => {
    const away = await startTestService(kind, {
      oidc: { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', groups: [] },
    });
    try {
      const visitor = new Visitor(away);
      for (let times = 0; times < 60; times += 1) {
        expect((await visitor.get(START)).status).toBe(503);
      }
      expect((await visitor.get(START)).status).toBe(429);
    } finally {
      await away.close();
    }
  });
});

/** A link of a page as its browser reads it. */
function decoded(href: string): string {
  return href.replaceAll('&amp;', '&');
}

/** The attempt that a browser keeps in its cookie. */
function attemptOf(visitor: Visitor): object {
  return JSON.parse(Buffer.from(visitor.cookies.get(ATTEMPT) ?? '', 'base64url').toString()) as object;
}

function keepAttempt(visitor: Visitor, attempt: object): void {
  visitor.cookies.set(ATTEMPT, Buffer.from(JSON.stringify(attempt)).toString('base64url'));
}
