/** The outbox: what a transaction posts is delivered once, later where it fails, to a server or a folder. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/database/connection.js';
import { transact } from '../../src/database/transaction.js';
import { type Delivery, folderDelivery, RefusedMailError, smtpDelivery } from '../../src/mail/delivery.js';
import { writeLetter } from '../../src/mail/letter.js';
import { type ClaimedMail, type Mail, MailStore, postMail } from '../../src/mail/mail-store.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';
import { lineLog } from '../support/log.js';

const FROM = 'QR codes <qr@example.com>';

const LETTER = writeLetter({
  subject: 'Grüße\r\nBcc: evil@example.com',
  paragraphs: ['For <b>Brühl & Söhne</b>.'],
  action: { label: 'Open', url: 'https://qr.example.com/open?a=1&b=2' },
  footnotes: [],
});

test('a letter holds text, whatever it is made of', () => {
  expect(LETTER.subject).toBe('Grüße Bcc: evil@example.com');
  expect(LETTER.text).toContain('https://qr.example.com/open?a=1&b=2\n');
  expect(LETTER.html).toContain('For &lt;b&gt;Brühl &amp; Söhne&lt;/b&gt;.');
  expect(LETTER.html).toContain('href="https://qr.example.com/open?a=1&amp;b=2"');
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

  /** Starts an outbox worker that tries again at once, and resolves with the mails once `count` were delivered. */
  async function deliver(delivery: Delivery['deliver'], count: number): Promise<Mail[]> {
    const mails: Mail[] = [];
    const outboxWorker = new OutboxWorker({
      store,
      delivery: { deliver: delivery, close: () => undefined },
      log: { ...lineLog(), error: () => outboxWorker.wake() },
      retryDelaysMs: [0, 0],
      onDelivered: (mail) => {
        mails.push(mail);
        if (mails.length === count) done();
      },
    });
    let done!: () => void;
    const delivered = new Promise<void>((resolve) => {
      done = resolve;
    });
    outboxWorker.start();
    await delivered;
    await outboxWorker.close();
    return mails;
  }

  test('holds nothing of a transaction that was rolled back', async () => {
    await expect(
      transact(database, async (transaction) => {
        await postMail(transaction, 'ada@example.org', LETTER);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await store.claim()).toBeUndefined();
  });

  test('gives a mail to one of many', async () => {
    await post();
    const claims = await Promise.all(Array.from({ length: 8 }, () => new MailStore(database).claim()));
    expect(claims.filter((mail) => mail !== undefined)).toMatchObject([{ recipient: 'ada@example.org', ...LETTER }]);
  });

  test('keeps a mail for who delivers it, however long that takes', async () => {
    await post();
    const leaseMs = 1_000;
    const slow = new MailStore(database, leaseMs);
    let finish!: () => void;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const outboxWorker = new OutboxWorker({
      store: slow,
      delivery: { deliver: () => (begin(), held), close: () => undefined },
      log: lineLog(),
    });
    outboxWorker.start();
    await begun;
    const leasedUntil = async () =>
      (await database.selectFrom('mails').select('next_attempt_at').executeTakeFirstOrThrow()).next_attempt_at ?? 0;
    const first = await leasedUntil();
    // Renewed when the first lease would have ended.
    await vi.waitFor(async () => expect(await leasedUntil()).toBeGreaterThan(first + leaseMs), { timeout: 20_000 });
    expect(await store.claim()).toBeUndefined();
    finish();
    await outboxWorker.close();
    expect(await database.selectFrom('mails').select('id').execute()).toEqual([]);
  });

  test('gives a mail of somebody who was killed to another, and is theirs from then on', async () => {
    await post();
    const killed = await new MailStore(database, -1).claim();
    const mail = await store.claim();
    expect(mail?.id).toBe(killed?.id);
    // They were slow, not dead: what they say does not count any more.
    await store.postpone(killed as ClaimedMail, 'too late', 0);
    expect(await store.renew(killed as ClaimedMail)).toBe(false);
    expect(await store.claim()).toBeUndefined();
    expect(await store.stuck(10)).toEqual([]);
  });

  test('forgets what was given up, with its secrets, after a month', async () => {
    await post();
    await store.postpone((await store.claim()) as ClaimedMail, 'refused', null);
    await store.sweep(Date.now() + 29 * 86_400_000);
    expect(await store.stuck(10)).toHaveLength(1);
    await store.sweep(Date.now() + 31 * 86_400_000);
    expect(await store.stuck(10)).toEqual([]);
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
      throw new RefusedMailError('550 no such mailbox');
    }, 1);
    expect(await store.stuck(10)).toMatchObject([
      { recipient: 'nobody@example.org', attempts: 1, lastError: '550 no such mailbox', nextAttemptAt: null },
    ]);
    expect(await store.claim()).toBeUndefined();
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

  test('goes out over SMTP; a mailbox that is not there is refused for good', async () => {
    const messages: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _session, next) =>
        next(address.startsWith('nobody') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
      onData: (stream, _session, next) => void text(stream).then((message) => next((messages.push(message), null))),
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.server.address() as AddressInfo;
    const delivery = smtpDelivery(`smtp://127.0.0.1:${port}`, FROM);
    try {
      await post();
      const [mail] = await deliver(delivery.deliver, 1);
      expect(messages[0]).toMatch(/^From: QR codes <qr@example.com>\r$/m);
      expect(messages[0]).toContain(`Message-ID: <${mail?.id}@example.com>`);
      expect(messages[0]).toContain('multipart/alternative');
      await post('nobody@example.org');
      const refused = (await store.claim()) as Mail;
      await expect(delivery.deliver(refused)).rejects.toBeInstanceOf(RefusedMailError);
    } finally {
      delivery.close();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    }
  });
});
