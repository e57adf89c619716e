/** Monthly allowances: granted once in a month, whoever looks and however often. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Operators } from '../../src/accounts/operators.js';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { Allowances } from '../../src/credits/allowance-store.js';
import { type Database, openDatabase } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const JANUARY = Date.UTC(2026, 0, 31, 23, 59, 59);
const FEBRUARY = Date.UTC(2026, 1, 1);

describeOnDatabases('monthly allowances', (kind) => {
  let database: Database;
  let other: Database;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const opened = await openTestDatabase(kind);
    ({ database } = opened);
    // As another process has it.
    other = openDatabase(opened.url);
    close = async () => {
      await other.destroy();
      await opened.close();
    };
  });
  afterEach(() => close());

  const create = (name: string) =>
    new OrganisationStore(database).create({ name, ownerEmail: 'a@example.com', credits: 0 });
  const grants = (organisationId: string) =>
    database
      .selectFrom('ledger_entries')
      .select(['kind', 'amount', 'balance_after as balance', 'reason'])
      .where('organisation_id', '=', organisationId)
      .orderBy('id')
      .execute();

  test('are granted once a month, by however many processes', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      ids.push(await create(`Number ${number}`));
    }
    const looks = Array.from({ length: 6 }, (_, index) =>
      new Allowances(index % 2 === 0 ? database : other, 300).grantDue(JANUARY),
    );
    const granted = await Promise.all(looks);
    expect(granted.reduce((sum, each) => sum + each, 0)).toBe(5);
    expect(await new Allowances(database, 300).grantDue(JANUARY)).toBe(0);
    expect(await new Allowances(database, 300).grantDue(FEBRUARY)).toBe(5);
    // A clock that is late.
    expect(await new Allowances(other, 300).grantDue(JANUARY)).toBe(0);
    for (const id of ids) {
      expect(await grants(id)).toEqual([
        { kind: 'grant', amount: 300, balance: 300, reason: 'allowance of 2026-01' },
        { kind: 'grant', amount: 300, balance: 600, reason: 'allowance of 2026-02' },
      ]);
    }
  });

  test('are those of the service, or of the organisation', async () => {
    const [usual, none, own] = [await create('usual'), await create('none'), await create('own')] as const;
    const allowances = new Allowances(database, 100);
    const operators = new Operators(database);
    await operators.setAllowance(COMMAND_LINE, none, 0);
    await operators.setAllowance(COMMAND_LINE, own, 7);
    expect(await allowances.grantDue(JANUARY)).toBe(2);
    expect((await grants(usual)).map(({ amount }) => amount)).toEqual([100]);
    expect(await grants(none)).toEqual([]);
    expect((await grants(own)).map(({ amount }) => amount)).toEqual([7]);
    // Another number holds from the next month on.
    await operators.setAllowance(COMMAND_LINE, own, null);
    expect(await allowances.grantDue(JANUARY)).toBe(0);
    expect(await new Allowances(database, 0).grantDue(FEBRUARY)).toBe(0);
    await expect(operators.setAllowance(COMMAND_LINE, 'nobody', 5)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('come at once to a new organisation, whatever is due to others or fails', async () => {
    const [usual, fresh] = [await create('usual'), await create('fresh')] as const;
    const allowances = new Allowances(database, 300);
    const grantDue = vi.spyOn(allowances, 'grantDue').mockRejectedValueOnce(new Error('out of order'));
    await allowances.grantFirst(fresh);
    expect(await grants(fresh)).toEqual([]);
    grantDue.mockRestore();
    await allowances.grantFirst(fresh);
    await allowances.grantFirst(fresh);
    expect((await grants(fresh)).map(({ amount }) => amount)).toEqual([300]);
    expect(await grants(usual)).toEqual([]);
  });

  test('reach every organisation of many', async () => {
    const rows = Array.from({ length: 101 }, () => ({
      id: newRowId(),
      name: 'one of many',
      folded_name: 'ONE OF MANY',
      owner_email: 'a@example.com',
      balance: 0,
      low_balance: null,
      created_at: 0,
    }));
    await database.insertInto('organisations').values(rows).execute();
    expect(await new Allowances(database, 1).grantDue(JANUARY)).toBe(101);
  });

  test('wait while the clock is a year ahead, and come in their month once it is right', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: JANUARY });
    try {
      const id = await create('Acme');
      const allowances = new Allowances(database, 300);
      expect(await allowances.grantDue()).toBe(1);
      vi.setSystemTime(FEBRUARY + 365 * 86_400_000);
      expect(await allowances.grantDue()).toBe(0);
      vi.setSystemTime(FEBRUARY);
      expect(await allowances.grantDue()).toBe(1);
      expect((await grants(id)).map(({ reason }) => reason)).toEqual(['allowance of 2026-01', 'allowance of 2026-02']);
    } finally {
      vi.useRealTimers();
    }
  });
});
