/** Sign-up, confirmation, passwords and sessions, as the pages use them. */

import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountError } from '../../src/accounts/account-error.js';
import { deleteExpiredOfAccounts } from '../../src/accounts/expiry.js';
import { audit, auditEntries, logEntries } from '../../src/accounts/audit-store.js';
import { Credentials } from '../../src/accounts/people/credentials.js';
import { emailAddress } from '../../src/accounts/required-text.js';
import { Operators } from '../../src/accounts/operators.js';
import { hashPassword, isPassword, passwordProblem } from '../../src/accounts/people/password.js';
import { Profile } from '../../src/accounts/people/profile.js';
import { Registration } from '../../src/accounts/people/registration.js';
import { tokenHash } from '../../src/accounts/secret-token.js';
import { newSecret } from '../../src/accounts/people/app-codes.js';
import { SecondFactor } from '../../src/accounts/people/second-factor-store.js';
import { SESSION_IDLE_MS, SessionStore } from '../../src/accounts/people/session-store.js';
import { Ledger } from '../../src/credits/ledger-store.js';
import type { Database } from '../../src/database/connection.js';
import { transact } from '../../src/database/transaction.js';
import { MailStore } from '../../src/outbox/mail-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';
import { claimMail } from '../support/mails.js';

const ADA = { organisation: 'Engines', name: 'Ada', email: 'ada@example.org', password: 'analytical engine' };
const FROM = '192.0.2.1';

test('an address has one spelling', () => {
  expect(emailAddress(' Ada@Example.ORG ')).toBe('ada@example.org');
  for (const text of [
    '',
    'ada',
    'a@b@c',
    'a b@c',
    'a@b\nBcc: c@d',
    '<a@b>',
    `${'a'.repeat(65)}@b`,
    `a@${'b'.repeat(260)}`,
  ]) {
    expect(emailAddress(text)).toBeUndefined();
  }
});

test('a password is kept as Argon2id, and told apart', async () => {
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword('correct horse', hash)).toBe(true);
  expect(await isPassword('correct house', hash)).toBe(false);
  expect(await isPassword('nobody has this password', undefined)).toBe(false);
});

test('a password that anybody would try is not taken', () => {
  expect(passwordProblem('short')).toContain('at least 10');
  const longest = Array.from({ length: 200 }, (_, index) => 'zqxjkvbpygfw'[(index * index * 5 + index) % 11]).join('');
  expect(passwordProblem(longest)).toBeUndefined();
  expect(passwordProblem(`${longest}x`)).toBe('Use at most 200 characters.');
  expect(passwordProblem('aaaaaaaaaaaa')).toBeDefined();
  expect(passwordProblem('Ada@Example.org', 'ada@example.org')).toBeDefined();
  expect(passwordProblem('vlxqorintbmzek')).toBeUndefined();
  expect(passwordProblem('vlxqorintbmzek', 'Tbmzek', 'vlxqorin@example.org')).toBeDefined();
  expect(passwordProblem('qrpressqrcode')).toBeDefined();
  expect(passwordProblem('analytical engine', 'Ada', '')).toBeUndefined();
  const year = new Date().getFullYear();
  for (const [word, end] of [
    ...['Summer', 'Sommer', 'Willkommen', 'Bienvenue', 'Benvenuto', 'Welkom', 'Witamy'].map((each) => [
      each,
      `${year}!!`,
    ]),
    ...['Passwort', 'contraseña', 'Acmepress', 'Haslo', 'Frühling'].map((each) => [each, '2026!']),
    ['Passwort', '123!'],
    ['contraseña', '2026'],
    ['qrpress', `-${year}!`],
  ]) {
    expect(passwordProblem(`${word}${end}`, 'Acmepress'), word).toBeDefined();
  }
  for (const fine of ['kxvqzjwpyt', 'turtle carbon mango', 'gkT4-pw9x-Lq2v', 'drei müde Pinguine']) {
    expect(passwordProblem(fine), fine).toBeUndefined();
  }
});

describeOnDatabases('an account', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let registration: Registration;
  let credentials: Credentials;
  let mails: MailStore;

  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    const dependencies = { database, baseUrl: 'https://qr.example.com' };
    registration = new Registration(dependencies);
    credentials = new Credentials(dependencies);
    mails = new MailStore(database);
  });
  afterEach(() => close());

  async function tokenFromMail(subject: string): Promise<string> {
    const mail = await claimMail(mails);
    expect(mail?.subject).toBe(subject);
    return /\/account\/[\w-]+\/([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? '';
  }

  /** The token of the link that an address was mailed. */
  async function askForLink(email = ADA.email): Promise<string> {
    await registration.signUp(email);
    return tokenFromMail('Create your account');
  }

  async function signUp(): Promise<{ personId: string; organisationId: string }> {
    return registration.complete(await askForLink(), ADA, FROM);
  }

  test('gets 500 credits once, however often and however fast the link is opened', {
    tags: ['2.10/welcome'],
  }, async () => {
    const token = await askForLink();
    const ends = await Promise.allSettled(Array.from({ length: 6 }, () => registration.complete(token, ADA, FROM)));
    const done = ends.find((end) => end.status === 'fulfilled');
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(ends.map((end) => (end.status === 'rejected' ? end.reason : undefined))).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: 'link_ended' })]),
    );
    expect(await new Ledger(database).balance(done?.value.organisationId ?? '')).toBe(500);
    expect(await registration.lookUp(token)).toEqual({ state: 'used' });
  });

  test('is one, whichever of several links is followed, and at once', async () => {
    const tokens = [await askForLink(), await askForLink(), await askForLink()];
    // Whoever asks for a link to somebody else's address does not void theirs.
    expect(await Promise.all(tokens.map((token) => registration.lookUp(token)))).toEqual(
      tokens.map(() => ({ state: 'open', email: ADA.email })),
    );
    const ends = await Promise.allSettled(tokens.map((token) => registration.complete(token, ADA, FROM)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) {
      if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(AccountError);
    }
    expect(await database.selectFrom('people').select('email').execute()).toEqual([{ email: ADA.email }]);
    expect(await database.selectFrom('memberships').select('role').execute()).toEqual([{ role: 'owner' }]);
  });

  test('a link of one purpose does not serve another', async () => {
    const token = await askForLink();
    await expect(credentials.reset(token, 'another password', FROM)).rejects.toMatchObject({ reason: 'link_ended' });
    await registration.complete(token, ADA, FROM);
    await credentials.requestReset(ADA.email);
    const reset = await tokenFromMail('Set a new password');
    await expect(registration.complete(reset, ADA, FROM)).rejects.toMatchObject({ reason: 'link_ended' });
  });

  test('an address that has an account is told by mail alone', async () => {
    const earlier = await askForLink();
    await signUp();
    await registration.signUp(ADA.email);
    await tokenFromMail('You already have an account');
    await expect(registration.complete(earlier, { ...ADA, password: 'something else' }, FROM)).rejects.toBeInstanceOf(
      AccountError,
    );
    expect(await credentials.check(ADA.email, 'something else')).toBeUndefined();
    expect(await database.selectFrom('organisations').select('name').execute()).toEqual([{ name: 'Engines' }]);
  });

  test('has at most fifty sessions: another one ends the oldest', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    const from = { personId, address: FROM, browser: 'a browser' };
    await sessions.start('the-oldest', from, 60_000);
    await database
      .updateTable('sessions')
      .set({ created_at: Date.now() - 1_000 })
      .execute();
    for (let times = 1; times < 50; times += 1) {
      await sessions.start(`browser-${times}`, from, 60_000);
    }
    expect(await sessions.find('the-oldest')).toBeDefined();
    await sessions.start('one-more', from, 60_000);
    expect(await sessions.find('the-oldest')).toBeUndefined();
    expect((await sessions.list(personId)).length).toBe(50);
  });

  test('a reset sets the password once, and ends every session', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    await sessions.start('a-browser', { personId, address: FROM, browser: 'a browser' }, 60_000);
    expect(await sessions.find('a-browser')).toMatchObject({ person: { name: 'Ada' } });
    await credentials.requestReset(ADA.email);
    const token = await tokenFromMail('Set a new password');
    const resets = await Promise.allSettled([
      credentials.reset(token, 'difference engine', FROM),
      credentials.reset(token, 'difference engine', FROM),
    ]);
    expect(resets.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await sessions.find('a-browser')).toBeUndefined();
    expect(await credentials.check(ADA.email, ADA.password)).toBeUndefined();
    expect(await credentials.check(ADA.email, 'difference engine')).toMatchObject({ name: 'Ada' });
  });

  test('a password that is changed voids the link that would have reset it', async () => {
    const { personId } = await signUp();
    await credentials.requestReset(ADA.email);
    const token = await tokenFromMail('Set a new password');
    const actor = { personId, address: FROM, browser: 'a browser' };
    expect(await credentials.change(actor, ADA.password, 'difference engine', '')).toBe(true);
    await expect(credentials.reset(token, 'another password', FROM)).rejects.toMatchObject({ reason: 'link_ended' });
  });

  test('a password that is changed voids the link to the address of somebody who knew the old one', async () => {
    const { personId } = await signUp();
    const profile = new Profile({ database, baseUrl: 'https://qr.example.com' });
    const actor = { personId, address: FROM, browser: 'a browser' };
    await new SessionStore(database).start('known', actor, 60_000);
    await profile.requestAddress(actor, 'eve@example.org', tokenHash('known'));
    const token = await tokenFromMail('Confirm your new email address');
    expect(await credentials.change(actor, ADA.password, 'difference engine', '')).toBe(true);
    await expect(profile.confirmAddress(token, FROM)).rejects.toMatchObject({ reason: 'link_ended' });
    expect(await credentials.check(ADA.email, 'difference engine')).toMatchObject({ id: personId });
  });

  test('a new address voids the link for a new password that the old one was mailed', async () => {
    const { personId } = await signUp();
    const profile = new Profile({ database, baseUrl: 'https://qr.example.com' });
    const actor = { personId, address: FROM, browser: 'a browser' };
    await new SessionStore(database).start('known', actor, 60_000);
    await profile.requestAddress(actor, 'countess@example.org', tokenHash('known'));
    const confirmation = await tokenFromMail('Confirm your new email address');
    await credentials.requestReset(ADA.email);
    const token = await tokenFromMail('Set a new password');
    await profile.confirmAddress(confirmation, FROM);
    await expect(credentials.reset(token, 'another password', FROM)).rejects.toMatchObject({ reason: 'link_ended' });
  });

  test('a new address leaves no link for a new password to the old one, also where that is asked for meanwhile', async () => {
    const { personId } = await signUp();
    const profile = new Profile({ database, baseUrl: 'https://qr.example.com' });
    const actor = { personId, address: FROM, browser: 'a browser' };
    await new SessionStore(database).start('known', actor, 60_000);
    let email = ADA.email;
    for (let round = 0; round < 10; round += 1) {
      await profile.requestAddress(actor, `ada${round}@example.org`, tokenHash('known'));
      const confirmation = await tokenFromMail('Confirm your new email address');
      await Promise.all([profile.confirmAddress(confirmation, FROM), credentials.requestReset(email)]);
      email = `ada${round}@example.org`;
      for (let mail = await claimMail(mails); mail !== undefined; mail = await claimMail(mails)) {
        const [, token] = /\/reset\/([\w-]{43})\s/.exec(mail.text) ?? [];
        expect(token === undefined ? { state: 'ended' } : await credentials.lookUpReset(token)).toEqual({
          state: 'ended',
        });
      }
    }
  });

  test('a reset of an address without an account does nothing', async () => {
    await credentials.requestReset('nobody@example.org');
    expect(await claimMail(mails)).toBeUndefined();
  });

  test('changing the password keeps this browser signed in, and no other', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    await sessions.start('here', { personId, address: FROM, browser: 'a browser' }, 60_000);
    await sessions.start('there', { personId, address: FROM, browser: 'a browser' }, 60_000);
    const actor = { personId, address: FROM, browser: 'a browser' };
    expect(await credentials.change(actor, 'wrong', 'difference engine', tokenHash('here'))).toBe(false);
    expect(await credentials.change(actor, ADA.password, 'difference engine', tokenHash('here'))).toBe(true);
    expect(await sessions.find('here')).toBeDefined();
    expect(await sessions.find('there')).toBeUndefined();
    await credentials.signOutEverywhere(actor);
    await sessions.extend('here', 60_000);
    expect(await sessions.list(personId)).toHaveLength(0);
  });

  test('sessions are stored without what opens them, and end', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    await sessions.start('secret-cookie', { personId, address: FROM, browser: 'a browser' }, 60_000);
    expect(JSON.stringify(await database.selectFrom('sessions').selectAll().execute())).not.toContain('secret-cookie');
    await deleteExpiredOfAccounts(database, Date.now() + 60_001);
    expect(await sessions.find('secret-cookie')).toBeUndefined();
  });

  test('sessions end 90 days after they began, however much they are used, and are not listed then', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    await sessions.start('old', { personId, address: FROM, browser: 'a browser' }, SESSION_IDLE_MS);
    const day = 86_400_000;
    const created = Date.now() - 89 * day;
    await database.updateTable('sessions').set({ created_at: created }).execute();
    await sessions.extend('old', SESSION_IDLE_MS);
    expect(await sessions.find('old')).toMatchObject({ expiresAt: created + 90 * day });
    vi.useFakeTimers({ toFake: ['Date'], now: created + 90 * day });
    try {
      await sessions.extend('old', SESSION_IDLE_MS);
      expect(await sessions.find('old')).toBeUndefined();
      expect(await sessions.list(personId)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a code of the second factor is used up for its own time step, also where that ends meanwhile', async () => {
    const { personId } = await signUp();
    const actor = { personId, address: FROM, browser: 'a browser' };
    await new SessionStore(database).start('known', actor, 60_000);
    const factor = new SecondFactor({ database, baseUrl: 'https://qr.example.com' });
    const { secret } = newSecret(ADA.email);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const end = Math.ceil(Date.now() / 30_000) * 30_000;
    let now = end - 1;
    // Each look at the clock is a millisecond later.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now++);
    try {
      expect(
        await factor.turnOn(actor, { secret, code: app.generate({ timestamp: end - 1 }) }, tokenHash('known')),
      ).toHaveLength(10);
      expect(await factor.finish(await factor.begin(personId), actor, app.generate({ timestamp: end }))).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });

  test('nobody is signed in without an entry in the log', async () => {
    const { personId, organisationId } = await signUp();
    const sessions = new SessionStore(database);
    await sessions.start('logged', { personId, address: FROM, browser: 'a browser' }, 60_000);
    const signedIn = () =>
      database.selectFrom('audit_entries').select(['person_id', 'address']).where('action', '=', 'signed-in').execute();
    expect(await signedIn()).toEqual([{ person_id: personId, address: FROM }]);
    const [latest] = await auditEntries(database, organisationId, 1);
    expect(latest).toMatchObject({ action: 'signed-in', personName: ADA.name });
    await database.schema.alterTable('audit_entries').renameTo('audit_entries_away').execute();
    await expect(
      sessions.start('unlogged', { personId, address: FROM, browser: 'a browser' }, 60_000),
    ).rejects.toThrow();
    expect(await sessions.find('unlogged')).toBeUndefined();
    expect(await sessions.find('logged')).toBeDefined();
  });

  test('nobody is signed in with a password that was changed meanwhile', async () => {
    const { personId } = await signUp();
    const sessions = new SessionStore(database);
    const checked = await credentials.check(ADA.email, ADA.password);
    const actor = { personId, address: FROM, browser: 'a browser' };
    await credentials.change(actor, ADA.password, 'difference engine', '');
    await expect(sessions.start('late', actor, 60_000, checked?.passwordHash ?? undefined)).rejects.toMatchObject({
      reason: 'conflict',
    });
    expect(await sessions.list(personId)).toHaveLength(0);
    const again = await credentials.check(ADA.email, 'difference engine');
    await sessions.start('late', actor, 60_000, again?.passwordHash ?? undefined);
    expect(await sessions.list(personId)).toHaveLength(1);
  });

  test('a line of the log tells of each entry, and of none that was undone', async () => {
    const { personId } = await signUp();
    const lines: object[] = [];
    const write = (details: object) => void lines.push(details);
    logEntries(database, { debug: write, info: write, warn: write, error: write, fatal: write });
    const actor = { personId, address: FROM };
    const undone = transact(database, async (transaction) => {
      await audit(transaction, actor, null, 'profile-changed', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await transact(database, (transaction) => audit(transaction, actor, null, 'profile-changed', 'Ada <a@b.example>'));
    const entry = { action: 'profile-changed', organisationId: null, personId, subject: 'Ada <…>', address: FROM };
    expect(lines).toEqual([{ audit: entry }]);
  });

  test('grants credits as an operator, once for a form, and with an entry in the log or not at all', async () => {
    const { personId, organisationId } = await signUp();
    const operators = new Operators(database);
    const actor = { personId, address: FROM, browser: 'a browser' };
    const grant = { organisationId, credits: 100, reason: 'thanks' };
    const balance = () => new Ledger(database).balance(organisationId);
    await expect(operators.grant(actor, grant, 'first form')).rejects.toMatchObject({ reason: 'not_found' });
    const link = await operators.issueLink();
    await operators.promote(link, actor);
    await Promise.all(Array.from({ length: 4 }, () => operators.grant(actor, grant, 'first form')));
    expect(await balance()).toBe(600);
    await operators.grant(actor, grant, 'second form');
    expect(await balance()).toBe(700);
    await expect(operators.grant(actor, grant, '')).rejects.toMatchObject({ reason: 'conflict' });
    const entries = await auditEntries(database, organisationId, 10);
    expect(entries.filter(({ action }) => action === 'credits-granted')).toHaveLength(2);
    await database.schema.alterTable('audit_entries').renameTo('audit_entries_away').execute();
    await expect(operators.grant(actor, grant, 'third form')).rejects.toThrow();
    expect(await balance()).toBe(700);
  });

  test('the operator link works once, and keeps an account that is there', async () => {
    const { personId } = await signUp();
    const operators = new Operators(database);
    expect(await operators.any()).toBe(false);
    const token = await operators.issueLink();
    const ada = { name: 'Ada', email: ADA.email, password: 'difference engine' };
    await expect(operators.becomeOperator(token, ada, FROM)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await operators.any()).toBe(false);
    await operators.promote(token, { personId, address: FROM });
    expect(await operators.any()).toBe(true);
    await expect(operators.promote(token, { personId, address: FROM })).rejects.toMatchObject({ reason: 'link_ended' });
    await expect(operators.becomeOperator(token, ada, FROM)).rejects.toMatchObject({ reason: 'link_ended' });
    expect(await credentials.check(ADA.email, ADA.password)).toMatchObject({ isOperator: true });
  });

  test('operators who withdraw each other at once leave one of them', async () => {
    const operators = new Operators(database);
    const become = async (name: string) => {
      const email = `${name}@example.org`;
      const account = { name, email, password: 'analytical engine' };
      return {
        email,
        actor: { personId: await operators.becomeOperator(await operators.issueLink(), account, FROM), address: FROM },
      };
    };
    await become('root');
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await become(`one${round}`), await become(`other${round}`)];
      // Opens a connection for each: who has to connect first comes too late to race.
      await Promise.all([operators.list(), operators.list()]);
      const outcomes = await Promise.allSettled([
        operators.withdraw(one.actor, other.email),
        operators.withdraw(other.actor, one.email),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await operators.list()).toHaveLength(round + 2);
    }
  });
});
