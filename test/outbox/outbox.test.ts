/** The outbox: what a transaction posts is delivered once, later where it fails, to a server or a folder. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import type { Database } from '../../src/database/connection.js';
import { transact } from '../../src/database/transaction.js';
import { DeferredMailError, type Delivery, folderDelivery } from '../../src/outbox/delivery.js';
import { framed, writeLetter } from '../../src/outbox/letter.js';
import { mailKind } from '../../src/outbox/mail-kind.js';
import { type Mail, MailStore, postMail } from '../../src/outbox/mail-store.js';
import { Outbox, RefusedError } from '../../src/outbox/outbox.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';
import { lineLog } from '../support/log.js';
import { claimMail } from '../support/mails.js';

const HOUR_MS = 3_600_000;

const FROM = 'QR codes <qr@example.com>';

const LETTER = writeLetter({
  subject: 'Grüße\u202E\r\nBcc: evil@example.com',
  paragraphs: ['For <b>Brühl & \u2067Söhne</b>.'],
  action: { label: 'Open', url: 'https://qr.example.com/open?a=1&b=2' },
  footnotes: [],
});

test('a letter holds text, whatever it is made of', () => {
  expect(LETTER.subject).toBe('Grüße Bcc: evil@example.com');
  expect(LETTER.text).toContain('https://qr.example.com/open?a=1&b=2\n');
  expect(LETTER.html).toContain('For &lt;b&gt;Brühl &amp; Söhne&lt;/b&gt;.');
  expect(LETTER.html).toContain('href="https://qr.example.com/open?a=1&amp;b=2"');
});

test('a letter has the name, logo and colours of its sender', () => {
  const sender = {
    name: 'Acme & Co',
    url: 'https://qr.example.com',
    accent: '#224488',
    logoUrl: 'https://qr.example.com/l.png',
  };
  const { html, text } = framed(LETTER, sender);
  expect(html).toMatch(
    /^<!doctype html>.*<img src="https:\/\/qr.example.com\/l.png" alt="Acme &amp; Co".*background:#224488;color:#ffffff/s,
  );
  expect(text).toMatch(/\n-- \nAcme & Co\nhttps:\/\/qr.example.com\n$/);
  expect(framed(LETTER, { name: 'qrpress', url: 'https://qr.example.com' }).html).toContain('>qrpress</p>');
});

describeOnDatabases('the outbox', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  let store: MailStore;

  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
    store = new MailStore(database);
  });
  afterEach(() => close());

  const post = (recipient = 'ada@example.org') =>
    transact(database, (transaction) => postMail(transaction, recipient, LETTER));

  /** Starts an outbox that tries again at once, and resolves with the mails once `count` were delivered. */
  async function deliver(delivery: Delivery['deliver'], count: number): Promise<Mail[]> {
    const mails: Mail[] = [];
    const outbox = new Outbox({
      kind: mailKind(store, { deliver: delivery, close: () => undefined }, [0, 0]),
      log: { ...lineLog(), error: () => outbox.wake() },
      onAttempt: (outcome, mail) => {
        if (outcome === 'delivered') mails.push(mail);
        if (mails.length === count) done();
      },
    });
    let done!: () => void;
    const delivered = new Promise<void>((resolve) => {
      done = resolve;
    });
    outbox.start();
    await delivered;
    await outbox.close();
    return mails;
  }

  test('holds nothing of a transaction that was rolled back', async () => {
    await expect(
      transact(database, async (transaction) => {
        await postMail(transaction, 'ada@example.org', LETTER);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await store.due()).toEqual([]);
  });

  test('gives a mail to one of many', async () => {
    await post();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimMail(new MailStore(database))));
    expect(claims.filter((mail) => mail !== undefined)).toMatchObject([{ recipient: 'ada@example.org', ...LETTER }]);
  });

  test('ends a send before its lease does', async () => {
    await post();
    let leasedUntil = 0;
    const sending = mailKind(store, { deliver: () => new Promise(() => undefined), close: () => undefined });
    const outcomes: string[] = [];
    const outbox = new Outbox({
      kind: {
        ...sending,
        timeoutMs: 50,
        claim: async (due, leaseMs) => {
          const mail = await sending.claim(due, leaseMs);
          leasedUntil = mail?.leasedUntil ?? leasedUntil;
          return mail;
        },
      },
      log: lineLog(),
      onAttempt: (outcome) => {
        outcomes.push(`${outcome} ${Date.now() < leasedUntil}`);
      },
    });
    outbox.start();
    await vi.waitFor(() => expect(outcomes).toEqual(['failed true']), { timeout: 20_000 });
    await outbox.close();
    expect(await store.stuck(1)).toMatchObject([{ lastError: 'no answer within 0.05 s' }]);
  });

  test('sends nothing whose lease was used up by a database that stood still', async () => {
    await post();
    const sending = mailKind(store, { deliver: async () => expect.unreachable(), close: () => undefined });
    let claims = 0;
    let giveBack!: () => void;
    const givenBack = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    const outbox = new Outbox({
      kind: {
        ...sending,
        claim: async (due) => ((claims += 1) === 1 ? sending.claim(due, sending.timeoutMs - 1) : undefined),
        due: async () => (claims === 0 ? sending.due() : []),
        release: async (mail) => sending.release(mail).then(giveBack),
      },
      log: lineLog(),
    });
    outbox.start();
    await givenBack;
    await outbox.close();
    expect(await store.due()).toHaveLength(1);
    expect(await store.stuck(1)).toEqual([]);
  });

  test('gives a mail of somebody who was killed to another, and is theirs from then on', async () => {
    await post();
    const killed = (await claimMail(store, -1)) as Mail;
    // A lease ends a millisecond after the mail was due, however short it is.
    await expect.poll(async () => (await claimMail(store))?.id).toBe(killed.id);
    // They were slow, not dead: what they say does not count any more.
    await store.settle(killed, { outcome: 'failed', text: 'too late', nextAttemptAt: 0 });
    await store.release(killed);
    expect(await store.due()).toEqual([]);
    expect(await store.stuck(10)).toEqual([]);
  });

  test('forgets what was given up, with its secrets, after a month', async () => {
    await post();
    const mail = (await claimMail(store)) as Mail;
    await store.settle(mail, { outcome: 'given_up', text: 'refused', nextAttemptAt: null });
    await store.sweep(Date.now() + 29 * 86_400_000);
    expect(await store.stuck(10)).toHaveLength(1);
    await store.sweep(Date.now() + 31 * 86_400_000);
    expect(await store.stuck(10)).toEqual([]);
  });

  test('sends what a clock put off that has jumped back since', async () => {
    for (const [recipient, afterHours] of [
      ['ada@example.org', 365 * 24],
      ['grace@example.org', 6],
    ] as const) {
      await post(recipient);
      const nextAttemptAt = Date.now() + afterHours * HOUR_MS;
      await store.settle((await claimMail(store)) as Mail, { outcome: 'failed', text: 'away', nextAttemptAt });
    }
    await store.sweep();
    expect((await store.due()).map(({ receiver }) => receiver)).toEqual(['ada@example.org']);
  });

  test('is empty after the delivery', async () => {
    await post();
    await post('grace@example.org');
    const mails = await deliver(async () => undefined, 2);
    // Those of one millisecond have no order.
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['ada@example.org', 'grace@example.org']);
    expect(await database.selectFrom('mails').select('id').execute()).toEqual([]);
  });

  test('tries again what failed, under the same id', async () => {
    await post();
    const ids: string[] = [];
    const [mail] = await deliver(async ({ id }) => {
      ids.push(id);
      if (ids.length < 3) throw new Error('the line is dead');
    }, 1);
    expect(ids).toEqual([mail?.id, mail?.id, mail?.id]);
    expect(mail?.attempts).toBe(2);
  });

  test('gives up what is refused for good, and shows it', async () => {
    await post('nobody@example.org');
    await deliver(async ({ recipient }) => {
      if (!recipient.startsWith('nobody')) return;
      await post('ada@example.org');
      throw new RefusedError('550 no such mailbox');
    }, 1);
    expect(await store.stuck(10)).toMatchObject([
      { recipient: 'nobody@example.org', attempts: 1, lastError: '550 no such mailbox', nextAttemptAt: null },
    ]);
    expect(await store.due()).toEqual([]);
  });

  test('tells operators the reply of a server, and the log no address of it', async () => {
    await post("o'brien@example.org");
    const lines: string[] = [];
    const refuse = async () => {
      throw new RefusedError("550 5.1.1 <o'brien@example.org>: unknown, says postmaster@mail.example.com");
    };
    const outbox = new Outbox({
      kind: mailKind(store, { deliver: refuse, close: () => undefined }),
      log: lineLog((line) => lines.push(line)),
    });
    outbox.start();
    await vi.waitFor(() => expect(lines.join()).toContain('550 5.1.1 <…>: unknown, says …'), { timeout: 20_000 });
    await outbox.close();
    expect(lines.join()).not.toContain('@');
    expect((await store.stuck(1))[0]?.lastError).toContain("o'brien@example.org");
  });

  test('pauses for a server that refuses everybody, so that mails keep their attempts, and goes on after it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await post();
      let isAway = true;
      const sending = mailKind(store, {
        deliver: async () => {
          if (isAway) throw new Error('Invalid login: 535 5.7.8 try later');
        },
        close: () => undefined,
      });
      const mail = (await claimMail(store)) as Mail;
      await store.release(mail);
      vi.setSystemTime(Date.now() + HOUR_MS);
      const { signal } = new AbortController();
      for (let failures = 1; failures <= 5; failures += 1) {
        expect(await sending.due()).toHaveLength(1);
        await expect(sending.send(mail, signal)).rejects.toThrow('535');
      }
      expect(await sending.due()).toEqual([]);
      expect(
        await sending.claim({ id: mail.id, organisationId: '', receiver: '', isFailing: false }, 1_000),
      ).toBeUndefined();
      // A clock that is set does not make the pause longer.
      vi.setSystemTime(Date.now() - HOUR_MS);
      vi.advanceTimersByTime(5_000);
      expect(await sending.due()).toHaveLength(1);
      isAway = false;
      await sending.send(mail, signal);
      isAway = true;
      await expect(sending.send(mail, signal)).rejects.toThrow('535');
      expect(await sending.due()).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not pause for a server that refused or deferred a mail meanwhile', async () => {
    await post();
    const away = new Error('connect ECONNREFUSED');
    const failures = [away, away, away, away, new RefusedError('550'), away, new DeferredMailError('451'), away];
    const sending = mailKind(store, {
      deliver: () => Promise.reject(failures.shift() ?? away),
      close: () => undefined,
    });
    const mail = (await claimMail(store)) as Mail;
    await store.release(mail);
    while (failures.length > 0) {
      await sending.send(mail, new AbortController().signal).catch(() => undefined);
    }
    expect(await sending.due()).toHaveLength(1);
  });

  test('becomes files that a person can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-outbox-'));
    try {
      await post();
      await deliver(folderDelivery(folder, FROM).deliver, 1);
      const [name = ''] = await readdir(folder);
      const message = await readFile(join(folder, name), 'utf8');
      expect(message).toMatch(/^From: QR codes <qr@example.com>\r\nTo: ada@example.org\r\nSubject: Grüße Bcc/);
      expect(message).toContain('\r\nhttps://qr.example.com/open?a=1&b=2\r\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('lets organisations and people take turns, however many mails of one were first', async () => {
    const organisations = new OrganisationStore(database);
    const create = (name: string) => organisations.create({ name, ownerEmail: 'a@example.org', credits: 0 });
    const [many, few] = [await create('many'), await create('few')];
    const postOf = async (organisationId: string | null, count: number, name: string) =>
      transact(database, async (transaction) => {
        for (let mail = 0; mail < count; mail += 1) {
          await postMail(transaction, `${name}-${mail}@example.org`, LETTER, organisationId);
        }
      });
    await postOf(many, 450, 'many');
    await database
      .updateTable('mails')
      .set({ next_attempt_at: Date.now() - 60_000 })
      .execute();
    await postOf(few, 1, 'few');
    await postOf(null, 1, 'person');
    const mails = await deliver(async () => undefined, 452);
    const places = mails.map(({ recipient }) => recipient);
    expect(places.indexOf('few-0@example.org')).toBeLessThan(12);
    expect(places.indexOf('person-0@example.org')).toBeLessThan(12);
  });
});
