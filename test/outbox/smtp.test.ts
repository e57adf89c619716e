/** Mail over SMTP: which replies end a mail, when a connection must be encrypted, and by which certificate. */

import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { type Delivery, DeferredMailError, smtpDelivery } from '../../src/outbox/delivery.js';
import type { Mail } from '../../src/outbox/mail-store.js';
import { RefusedError } from '../../src/outbox/outbox.js';
import { smtpOptions } from '../../src/outbox/smtp-url.js';

const FROM = 'QR codes <qr@example.com>';
const MAIL: Mail = {
  id: '01jd0000000000000000000000',
  recipient: 'ada@example.org',
  subject: 'S',
  text: 'T',
  html: '<p>T</p>',
  attempts: 0,
  leasedUntil: 0,
  createdAt: 1_700_000_000_000,
};

let server: SMTPServer | undefined;
let delivery: Delivery | undefined;
const messages: string[] = [];

afterEach(async () => {
  delivery?.close();
  await new Promise<void>((resolve) => {
    server?.close(resolve);
    if (server === undefined) resolve();
  });
  server = undefined;
  messages.splice(0);
});

/** Starts a mail server, and delivers through it. */
async function deliver(options: SMTPServerOptions, query = '', credentials = ''): Promise<void> {
  const onData: SMTPServerOptions['onData'] = (stream, _, next) =>
    void text(stream).then((message) => next((messages.push(message), null)));
  server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], onData, ...options });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server?.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  delivery = smtpDelivery(`smtp://${credentials}127.0.0.1:${port}${query}`, FROM);
  await delivery.deliver(MAIL, new AbortController().signal);
}

const reply = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

test('a mail goes out with its sender and id', async () => {
  await deliver({});
  expect(messages[0]).toMatch(/^From: QR codes <qr@example.com>\r$/m);
  expect(messages[0]).toContain(`Message-ID: <${MAIL.id}@example.com>`);
  expect(messages[0]).toContain('multipart/alternative');
});

test.each<[string, SMTPServerOptions]>([
  ['RCPT TO', { onRcptTo: (_address, _session, next) => next(reply(550)) }],
  ['DATA', { onData: (stream, _session, next) => void text(stream).then(() => next(reply(554))) }],
])('a mail that is refused at %s is refused for good', async (_, options) => {
  await expect(deliver(options)).rejects.toBeInstanceOf(RefusedError);
});

test('a recipient who is refused for now is tried again, and the server is not to blame', async () => {
  const greylisted: SMTPServerOptions = { onRcptTo: (_address, _session, next) => next(reply(451)) };
  await expect(deliver(greylisted)).rejects.toBeInstanceOf(DeferredMailError);
});

test.each<[string, SMTPServerOptions, string?]>([
  ['the greeting', { onConnect: (_session, next) => next(reply(554)) }],
  ['AUTH', { allowInsecureAuth: true, onAuth: (_auth, _session, next) => next(reply(535)) }, 'user:wrong@'],
  ['MAIL FROM, as for every sender', { onMailFrom: (_address, _session, next) => next(reply(550)) }],
  ['MAIL FROM, for now', { onMailFrom: (_address, _session, next) => next(reply(451)) }],
  ['RCPT TO, for want of AUTH', { onRcptTo: (_address, _session, next) => next(reply(530)) }],
])('a server that refuses everybody at %s loses no mail', async (_, options, credentials) => {
  const error = await deliver(options, '', credentials).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ responseCode: expect.any(Number) as number });
  expect(error).not.toBeInstanceOf(RefusedError);
  expect(error).not.toBeInstanceOf(DeferredMailError);
});

test('a server that offers no encryption gets nothing unless the URL allows it', async () => {
  await expect(deliver({}, '?tls=required')).rejects.toThrow(/STARTTLS|TLS/);
  expect(messages).toEqual([]);
});

test.each(['', '?tls=opportunistic', '?tls=off'])('a server on this machine may stay clear text: %j', async (query) => {
  await deliver({}, query);
  expect(messages).toHaveLength(1);
});

test.each(['', '?tls=opportunistic'])('any certificate will do where clear text would: %j', async (query) => {
  const isEncrypted: boolean[] = [];
  const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { secure }, next) => {
    isEncrypted.push(secure);
    next();
  };
  // Its certificate is the library's own, which no authority has signed.
  await deliver({ disabledCommands: [], onMailFrom }, query);
  expect([isEncrypted, messages.length]).toEqual([[true], 1]);
});

test('a server that must be encrypted needs a certificate that is trusted', async () => {
  await expect(deliver({ disabledCommands: [] }, '?tls=required')).rejects.toThrow(/certificate/);
  expect(messages).toEqual([]);
});

test.each([
  ['smtp://mail.example.com', { requireTLS: true, ignoreTLS: false }],
  ['smtp://user:p%40ss@mail.example.com:587', { requireTLS: true, ignoreTLS: false }],
  ['smtp://mail.example.com?tls=opportunistic', { requireTLS: false, ignoreTLS: false }],
  ['smtp://mail.example.com/?tls=off', { requireTLS: false, ignoreTLS: true }],
  ['smtp://localhost:1025', { requireTLS: false, ignoreTLS: false }],
  ['smtp://[::1]:25', { requireTLS: false, ignoreTLS: false }],
  ['smtp://127.0.0.1?tls=required', { requireTLS: true, ignoreTLS: false }],
  ['smtp://127.0.0.1.example.com', { requireTLS: true, ignoreTLS: false }],
  ['smtps://mail.example.com', { requireTLS: false, ignoreTLS: false }],
])('%s says how a connection is encrypted', (url, expected) => {
  const options = smtpOptions(url);
  expect(options).toMatchObject(expected);
  expect(options.url).not.toContain('tls=');
});

test.each(['smtp://mail.example.com?tls=no', 'smtps://mail.example.com?tls=off'])('%s is refused', (url) => {
  expect(() => smtpOptions(url)).toThrow('expected tls=required, opportunistic, off');
});
