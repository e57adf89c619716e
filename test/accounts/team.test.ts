/** Roles, invitations and owners, also when several act at once. */

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiKeyStore } from '../../src/accounts/keys/api-key-store.js';
import type { AccountError } from '../../src/accounts/account-error.js';
import { type Actor, COMMAND_LINE } from '../../src/accounts/actor.js';
import { auditEntries } from '../../src/accounts/audit-store.js';
import { Operators } from '../../src/accounts/operators.js';
import { createInvitation } from '../../src/accounts/organisations/invitation-store.js';
import { WebhookStore } from '../../src/accounts/webhook-store.js';
import { AddressGuard } from '../../src/outbox/address-guard.js';
import { IdentityStore } from '../../src/accounts/people/identity-store.js';
import type { AccountDependencies } from '../../src/accounts/letters.js';
import {
  insertMembership,
  lockMembers,
  MembershipStore,
  membershipsOf,
  setRole,
  updateOwnerEmail,
} from '../../src/accounts/organisations/membership-store.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { insertPerson } from '../../src/accounts/people/person-store.js';
import { Profile } from '../../src/accounts/people/profile.js';
import { Registration } from '../../src/accounts/people/registration.js';
import { tokenHash } from '../../src/accounts/secret-token.js';
import { SessionStore } from '../../src/accounts/people/session-store.js';
import { Team } from '../../src/accounts/organisations/team.js';
import type { Database } from '../../src/database/connection.js';
import { isMysql } from '../../src/database/migrations/portable-tables.js';
import { newRowId } from '../../src/database/row-id.js';
import type { Role } from '../../src/database/schema.js';
import { isDangling, transact } from '../../src/database/transaction.js';
import { MailStore } from '../../src/outbox/mail-store.js';
import { signal } from '../jobs/jobs-fixture.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';
import { lineLog } from '../support/log.js';
import { claimMail } from '../support/mails.js';

describeOnDatabases('a team', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let dependencies: AccountDependencies;
  let team: Team;
  let registration: Registration;
  let organisationId: string;

  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    dependencies = { database, baseUrl: 'https://qr.example.com' };
    team = new Team(dependencies);
    registration = new Registration(dependencies);
    organisationId = await new OrganisationStore(database).create({
      name: 'Engines',
      ownerEmail: 'ada@example.org',
      credits: 0,
    });
  });
  afterEach(() => close());

  const add = (name: string, role?: Role) =>
    transact(database, async (transaction) => {
      const personId = await insertPerson(transaction, {
        name,
        email: `${name.toLowerCase()}@example.org`,
        passwordHash: 'none',
      });
      if (role !== undefined) await insertMembership(transaction, organisationId, personId, role);
      return { personId, address: '192.0.2.1' };
    });

  const deleteAccount = async (person: Actor) => {
    await new SessionStore(database).start('last', { ...person, browser: 'a browser' }, 60_000);
    await new Profile(dependencies).remove(person, tokenHash('last'));
  };

  const roles = async () =>
    Object.fromEntries(
      (await new MembershipStore(database).members(organisationId)).map(({ name, role }) => [name, role]),
    );

  const ownerEmail = async () => (await new OrganisationStore(database).find(organisationId))?.ownerEmail;

  test('nobody creates an organisation whose account was just deleted', async () => {
    const nobody = { personId: newRowId(), address: '192.0.2.1' };
    const refusal = await team.found(nobody, 'Own', 'nobody@example.org', newRowId()).catch((error: unknown) => error);
    expect(isDangling(refusal)).toBe(true);
  });

  async function invite(actor: { personId: string; address: string }, email: string, role: Role): Promise<string> {
    await team.invite(actor, 'Ada', organisationId, email, role);
    const mail = await claimMail(new MailStore(database));
    expect(mail?.recipient).toBe(email);
    return /invitation\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
  }

  test('grows by invitations, which work once and for their address', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace');
    const token = await invite(ada, 'grace@example.org', 'admin');
    expect(await team.invitation(token)).toMatchObject({ organisationName: 'Engines', role: 'admin' });
    await expect(team.join(ada, 'ada@example.org', token)).rejects.toMatchObject({ reason: 'forbidden' });
    await team.join(grace, 'grace@example.org', token);
    expect(await roles()).toEqual({ Ada: 'owner', Grace: 'admin' });
    await expect(team.join(grace, 'grace@example.org', token)).rejects.toMatchObject({ reason: 'link_ended' });
    await expect(invite(ada, 'grace@example.org', 'member')).rejects.toMatchObject({ reason: 'conflict' });
    expect((await auditEntries(database, organisationId, 10)).map(({ action }) => action)).toEqual([
      'joined',
      'invited',
      'organisation-created',
    ]);
  });

  test('takes in somebody new by the link alone, and nobody twice', async () => {
    const ada = await add('Ada', 'owner');
    const first = await invite(ada, 'new@example.org', 'member');
    const token = await invite(ada, 'new@example.org', 'member');
    const newcomer = { name: 'New', password: 'a long password' };
    const invitation = { email: 'new@example.org', token };
    await expect(
      registration.signUpInvited(newcomer, { ...invitation, token: first }, '192.0.2.1'),
    ).rejects.toMatchObject({ reason: 'link_ended' });
    // Somebody else, perhaps, typed the address into the form: that makes no account to be in the way.
    await registration.signUp('new@example.org');
    await registration.signUpInvited(newcomer, invitation, '192.0.2.1');
    expect(await roles()).toEqual({ Ada: 'owner', New: 'member' });
    await expect(registration.signUpInvited(newcomer, invitation, '192.0.2.1')).rejects.toMatchObject({
      reason: 'conflict',
    });
  });

  test('forgets an invitation that was withdrawn', async () => {
    const ada = await add('Ada', 'owner');
    const token = await invite(ada, 'grace@example.org', 'member');
    const [invitation] = await team.invitations(organisationId);
    await team.withdraw(ada, organisationId, invitation?.id ?? '');
    expect(await team.invitation(token)).toBeUndefined();
    expect(await team.invitations(organisationId)).toEqual([]);
    // Whoever is too late is told so, and the log says nothing of it.
    await expect(team.withdraw(ada, organisationId, invitation?.id ?? '')).rejects.toMatchObject({
      reason: 'not_found',
    });
    expect(await withdrawn()).toEqual(['grace@example.org']);
  });

  const withdrawn = async () =>
    (await auditEntries(database, organisationId, 20))
      .filter(({ action }) => action === 'invitation-withdrawn')
      .map(({ subject }) => subject)
      .toSorted();

  const open = async () => (await team.invitations(organisationId)).map(({ email }) => email).toSorted();

  test('voids what somebody offered when they may not any more', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const linus = await add('Linus', 'admin');
    await invite(ada, 'kept@example.org', 'owner');
    const token = await invite(grace, 'by-grace@example.org', 'admin');
    await invite(linus, 'by-linus@example.org', 'member');
    await team.changeRole(ada, organisationId, linus.personId, 'member');
    expect(await open()).toEqual(['by-grace@example.org', 'kept@example.org']);
    await team.remove(ada, organisationId, grace.personId);
    expect(await open()).toEqual(['kept@example.org']);
    const late = { email: 'by-grace@example.org', token };
    await expect(
      registration.signUpInvited({ name: 'Late', password: 'a long password' }, late, '192.0.2.1'),
    ).rejects.toMatchObject({ reason: 'link_ended' });
    expect(await withdrawn()).toEqual(['by-grace@example.org', 'by-linus@example.org']);
  });

  test('voids what somebody offered when the groups of the identity provider take their role', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const linus = await add('Linus', 'admin');
    await invite(ada, 'kept@example.org', 'owner');
    await invite(grace, 'by-grace@example.org', 'admin');
    await invite(linus, 'by-linus@example.org', 'member');
    const identities = new IdentityStore(
      dependencies,
      [{ group: 'printers', organisationId, role: 'member' }],
      lineLog(),
    );
    const enter = (name: string, groups: string[]) => identities.enter(identityOf(name, groups), '192.0.2.1');
    await enter('Linus', ['printers']);
    expect(await open()).toEqual(['by-grace@example.org', 'kept@example.org']);
    await enter('Grace', []);
    expect(await open()).toEqual(['kept@example.org']);
    expect(await roles()).toEqual({ Ada: 'owner', Linus: 'member' });
    expect(await withdrawn()).toEqual(['by-grace@example.org', 'by-linus@example.org']);
  });

  const identityOf = (name: string, groups: string[]) => {
    const person = { email: `${name.toLowerCase()}@example.org`, isEmailVerified: true, name };
    return { issuer: 'https://id.example.org', subject: name, ...person, groups };
  };

  test.each(['their manager', 'the groups of the provider', 'themselves', 'the deletion of their account'])(
    'tells the owners which keys still work when a member is removed by %s',
    async (by) => {
      const ada = await add('Ada', 'owner');
      await add('Linus', 'owner');
      const grace = await add('Grace', 'admin');
      const keys = new ApiKeyStore(database);
      await keys.create(grace, organisationId, 'till');
      const { keyId } = await keys.create(grace, organisationId, 'revoked');
      await keys.revoke(grace, keyId);
      await keys.create(ada, organisationId, 'website');
      const groups = [{ group: 'printers', organisationId, role: 'member' as const }];
      const leave = {
        'their manager': () => team.remove(ada, organisationId, grace.personId),
        'the groups of the provider': () =>
          new IdentityStore(dependencies, groups, lineLog()).enter(identityOf('Grace', []), '192.0.2.1'),
        themselves: () => team.leave(grace, organisationId),
        'the deletion of their account': () => deleteAccount(grace),
      }[by];
      await leave?.();
      const mails = await database
        .selectFrom('mails')
        .select(['recipient', 'text'])
        .where('subject', 'like', '%API keys still work')
        .execute();
      expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['ada@example.org', 'linus@example.org']);
      expect(mails[0]?.text).toContain(
        'Grace is no longer a member of Engines. The API keys that they created still work: till.',
      );
      const entries = await auditEntries(database, organisationId, 10);
      const subject = by === 'their manager' ? 'of Grace: till' : 'till';
      expect(entries.find(({ action }) => action === 'keys-still-active')?.subject).toBe(subject);
    },
  );

  test('voids invitations to be owner when the owner hands over', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    await invite(ada, 'an-owner@example.org', 'owner');
    await invite(ada, 'a-member@example.org', 'member');
    await team.handOver(ada, organisationId, grace.personId);
    expect(await open()).toEqual(['a-member@example.org']);
    await team.leave(ada, organisationId);
    expect(await open()).toEqual([]);
  });

  test('takes keys from those alone who manage at that moment', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const keys = new ApiKeyStore(database);
    const { keyId } = await keys.create(grace, organisationId, 'hers');
    expect(await keys.list(organisationId)).toMatchObject([{ name: 'hers', createdBy: 'Grace' }]);
    await team.changeRole(ada, organisationId, grace.personId, 'member');
    await expect(keys.create(grace, organisationId, 'late')).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(keys.revoke(grace, keyId)).rejects.toMatchObject({ reason: 'forbidden' });
    await team.remove(ada, organisationId, grace.personId);
    await expect(keys.create(grace, organisationId, 'late')).rejects.toMatchObject({ reason: 'not_found' });
    expect(await keys.list(organisationId)).toMatchObject([{ name: 'hers', revokedAt: null }]);
  });

  test('is changed by the command line with every right, and its log says so', async () => {
    const webhooks = new WebhookStore(database, new AddressGuard(['127.0.0.1']));
    const keys = new ApiKeyStore(database);
    const operators = new Operators(database);
    const { keyId } = await keys.create(COMMAND_LINE, organisationId, 'till');
    await keys.revoke(COMMAND_LINE, keyId);
    await keys.revoke(COMMAND_LINE, keyId);
    const url = 'http://127.0.0.1:9/';
    const { webhookId } = await webhooks.create(COMMAND_LINE, { organisationId, url, events: ['job.failed'] });
    await webhooks.remove(COMMAND_LINE, webhookId);
    await transact(database, (transaction) =>
      createInvitation(transaction, COMMAND_LINE, { organisationId, email: 'a@example.org', role: 'owner' }),
    );
    expect(await operators.grant(COMMAND_LINE, { organisationId, credits: 5, reason: 'goodwill' })).toBe(5);
    await operators.setAllowance(COMMAND_LINE, organisationId, 7);
    const entries = await auditEntries(database, organisationId, 20);
    expect(entries.toReversed().map(({ action, subject }) => [action, subject])).toEqual([
      ['organisation-created', 'Engines'],
      ['key-created', 'till'],
      ['key-revoked', 'till'],
      ['webhook-created', url],
      ['webhook-deleted', url],
      ['invited', 'a@example.org as owner'],
      ['credits-granted', '5: goodwill'],
      ['allowance-set', '7'],
    ]);
    expect(new Set(entries.map(({ address, personName }) => `${address} ${personName}`))).toEqual(
      new Set(['command line null']),
    );
  });

  test('has a key of a removed admin, or not, but never one that nobody may have made', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const keys = new ApiKeyStore(database);
    const [created] = await Promise.allSettled([
      keys.create(grace, organisationId, 'in the last moment'),
      team.remove(ada, organisationId, grace.personId),
    ]);
    const log = (await auditEntries(database, organisationId, 10)).map(({ action }) => action);
    // Newest first: a key that was made was made before.
    expect(log.slice(0, -1)).toEqual(
      created.status === 'fulfilled' ? ['keys-still-active', 'member-removed', 'key-created'] : ['member-removed'],
    );
    expect(await keys.list(organisationId)).toHaveLength(created.status === 'fulfilled' ? 1 : 0);
  });

  test('founds at most as many organisations as make fifty', async () => {
    const ada = await add('Ada', 'owner');
    for (let founded = 1; founded < 49; founded += 1) {
      await team.found(ada, `Organisation ${founded}`, 'ada@example.org', `form ${founded}`);
    }
    // Of several forms that arrive at once, one is the fiftieth.
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, (_, form) => team.found(ada, 'One more', 'ada@example.org', `late form ${form}`)),
    );
    const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as AccountError] : []));
    expect(refusals.map(({ reason }) => reason)).toEqual(Array.from({ length: 7 }, () => 'conflict'));
    expect((await membershipsOf(database, ada.personId)).length).toBe(50);
  });

  test('founds one organisation of a form that is sent twice', async () => {
    const ada = await add('Ada', 'owner');
    const ids = await Promise.all([1, 2, 3].map(() => team.found(ada, 'Second', 'ada@example.org', 'a form')));
    expect(ids.filter((id) => id !== undefined)).toHaveLength(1);
    expect(await membershipsOf(database, ada.personId)).toHaveLength(2);
  });

  test('lets admins manage, but not owners', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const linus = await add('Linus', 'member');
    const forbidden = { reason: 'forbidden' };
    await expect(invite(grace, 'x@example.org', 'owner')).rejects.toMatchObject(forbidden);
    await expect(team.changeRole(grace, organisationId, linus.personId, 'owner')).rejects.toMatchObject(forbidden);
    await expect(team.changeRole(grace, organisationId, ada.personId, 'member')).rejects.toMatchObject(forbidden);
    await expect(team.remove(grace, organisationId, ada.personId)).rejects.toMatchObject(forbidden);
    await expect(team.handOver(grace, organisationId, grace.personId)).rejects.toMatchObject(forbidden);
    await expect(team.rename(grace, organisationId, 'Mine')).rejects.toMatchObject(forbidden);
    await team.changeRole(grace, organisationId, linus.personId, 'admin');
    await team.remove(grace, organisationId, linus.personId);
    expect(await roles()).toEqual({ Ada: 'owner', Grace: 'admin' });
  });

  test('lets members leave and do no more; to others it is not there', async () => {
    const ada = await add('Ada', 'owner');
    const linus = await add('Linus', 'member');
    const stranger = await add('Stranger');
    await expect(invite(linus, 'x@example.org', 'member')).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(team.remove(linus, organisationId, ada.personId)).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(team.leave(stranger, organisationId)).rejects.toMatchObject({ reason: 'not_found' });
    await team.leave(linus, organisationId);
    expect(await roles()).toEqual({ Ada: 'owner' });
  });

  test('keeps an owner, however they go, and mails whoever it is', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    await expect(team.leave(ada, organisationId)).rejects.toMatchObject({ reason: 'conflict' });
    await expect(team.changeRole(ada, organisationId, ada.personId, 'member')).rejects.toMatchObject({
      reason: 'conflict',
    });
    await expect(team.remove(ada, organisationId, ada.personId)).rejects.toMatchObject({ reason: 'conflict' });
    await team.handOver(ada, organisationId, grace.personId);
    expect(await roles()).toEqual({ Ada: 'admin', Grace: 'owner' });
    expect(await ownerEmail()).toBe('grace@example.org');
    await team.leave(ada, organisationId);
    expect(await roles()).toEqual({ Grace: 'owner' });
  });

  test('has no name of a person who deleted their account in what they did themselves', async () => {
    await add('Ada', 'owner');
    const grace = await add('Grace', 'owner');
    await new ApiKeyStore(database).create(grace, organisationId, 'till');
    await team.changeRole(grace, organisationId, grace.personId, 'admin');
    await deleteAccount(grace);
    const entries = await auditEntries(database, organisationId, 10);
    expect(entries.map(({ personName }) => personName)).toEqual(entries.map(() => null));
    expect(await auditEntries(database, organisationId, 10, { search: 'Grace' })).toEqual([]);
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['left', ''],
      ['keys-still-active', 'till'],
      ['role-changed', 'admin'],
      ['key-created', 'till'],
      ['organisation-created', 'Engines'],
    ]);
  });

  /** Hands the organisation over, and commits once `other` waits for it. SQLite lets nobody else begin meanwhile. */
  async function handOverBefore<T>(from: Actor, to: Actor, other: () => Promise<T>): Promise<T> {
    const [waiting, ended] = [signal(), signal()];
    let result: Promise<T> | undefined;
    await transact(database, async (transaction) => {
      await lockMembers(transaction, organisationId);
      await setRole(transaction, organisationId, to.personId, 'owner');
      await setRole(transaction, organisationId, from.personId, 'admin');
      await updateOwnerEmail(transaction, organisationId);
      result = other();
      result.then(ended.reach, ended.reach);
      if (isMysql(database)) {
        void untilLocked(database).then(waiting.reach);
        await Promise.race([waiting.reached, ended.reached]);
      }
    });
    return result as Promise<T>;
  }

  /** Resolves when a transaction of this database waits for a lock. */
  async function untilLocked(watched: Database): Promise<void> {
    for (let isLocked = false; !isLocked; ) {
      const { rows } = await sql`select 1 from information_schema.innodb_trx
        join information_schema.processlist on id = trx_mysql_thread_id
        where trx_state = 'LOCK WAIT' and db = database()`.execute(watched);
      isLocked = rows.length > 0;
      // The server renews this table only when nobody has read it for a tenth of a second.
      await delay(150);
    }
  }

  test('keeps the owner who became it while they deleted their account', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const removed = handOverBefore(ada, grace, () => deleteAccount(grace));
    await expect(removed).rejects.toMatchObject({ reason: 'conflict' });
    expect(await roles()).toEqual({ Ada: 'admin', Grace: 'owner' });
  });

  test('keeps the owner who became it while their groups no longer named the organisation', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const identities = new IdentityStore(dependencies, [{ group: 'all', organisationId, role: 'member' }], lineLog());
    const identity = {
      issuer: 'https://id.example.org',
      subject: 's',
      email: 'grace@example.org',
      isEmailVerified: true,
      name: 'Grace',
    };
    await handOverBefore(ada, grace, () => identities.enter({ ...identity, groups: [] }, '192.0.2.1'));
    expect(await roles()).toEqual({ Ada: 'admin', Grace: 'owner' });
  });

  test('mails the new owner, also when the former one confirms another address meanwhile', async () => {
    const ada = await add('Ada', 'owner');
    const grace = await add('Grace', 'admin');
    const profile = new Profile(dependencies);
    await new SessionStore(database).start('known', { ...ada, browser: 'a browser' }, 60_000);
    await profile.requestAddress(ada, 'countess@example.org', tokenHash('known'));
    const mail = await claimMail(new MailStore(database));
    const token = /address\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
    await handOverBefore(ada, grace, () => profile.confirmAddress(token, '192.0.2.1'));
    expect(await ownerEmail()).toBe('grace@example.org');
  });

  test('of two owners who leave at once, one stays', async () => {
    const owners = [await add('Ada', 'owner'), await add('Grace', 'owner')];
    const ends = await Promise.allSettled(owners.map((owner) => team.leave(owner, organisationId)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await roles())).toEqual(['owner']);
  });
});
