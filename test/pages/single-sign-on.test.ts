/** Signing in by the company's identity provider, against a real one. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { invitationUrl, operatorUrl } from '../../src/commands/admin.js';
import { describeOnDatabases } from '../support/databases.js';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.js';
import { startTestService, type TestService } from '../support/service.js';
import { signUp, Visitor } from '../support/visitor.js';

const START = '/account/sign-in/oidc';

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
  it.each([false, 'false'])('makes no account for an address that is not verified (%j)', async (isVerified) => {
    provider.people.set('mallory', { email: 'victim@example.org', email_verified: isVerified, name: 'Mallory' });
    const mallory = new Visitor(service);
    expect((await enter(mallory, 'mallory')).status).toBe(403);
    expect((await mallory.get('/account/you')).status).toBe(303);
  });

  it('connects a company account to the account that is signed in', async () => {
    const { visitor, base } = await signUp(service, 'Connected');
    provider.people.set('connected', { email: 'other@example.org' });
    await enter(visitor, 'connected', `${START}?connect=1`);
    const elsewhere = new Visitor(service);
    await enter(elsewhere, 'connected');
    expect((await elsewhere.get('/account')).location).toBe(base);
  });

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
