/** Delivery of a mail: over SMTP, or into a file of the outbox folder when no server is configured. */

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Nodemailer from 'nodemailer';
import { framed, type Sender } from './letter.js';
import type { Mail } from './mail-store.js';
import { RefusedError } from './outbox.js';
import { smtpOptions } from './smtp-url.js';

export interface Delivery {
  /**
   * Resolves when the server or the folder has taken the mail. @throws RefusedError when it refused this mail for good;
   * DeferredMailError when it refused it for now; another error when the server cannot be used
   */
  deliver: (mail: Mail, signal: AbortSignal) => Promise<void>;
  close: () => void;
}

/** Delivers letters under the name, logo and colours of `sender`. */
export function framedDelivery({ deliver, close }: Delivery, sender: Sender): Delivery {
  return { deliver: (mail, signal) => deliver(framed(mail, sender), signal), close };
}

/** The server refused this mail for now: a 4yz reply to RCPT TO or DATA. */
export class DeferredMailError extends Error {
  override readonly name = 'DeferredMailError';
}

/** A server that stays silent for this long fails the attempt. */
const TIMEOUTS_MS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Replies about who connects, not about the mail (RFC 4954, section 6). A server may give them as late as to RCPT TO. */
const AUTHENTICATION_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** Sends mail through the server at `url` (see `smtp-url.ts`). @param from address, with or without a name */
export function smtpDelivery(url: string, from: string): Delivery {
  const transport = smtpTransport(url);
  return {
    deliver: async (mail, signal) => {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: messageId(mail, from),
          date: new Date(mail.createdAt),
          headers: AUTOMATIC,
          signal,
        });
      } catch (error) {
        throw judged(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

/** Connects to the mail server at `url` as for a mail, signs in, and sends nothing. Rejects where the server refuses it. */
export async function probeMailServer(url: string): Promise<void> {
  const transport = smtpTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

const require = createRequire(import.meta.url);

function smtpTransport(url: string) {
  // Loaded where there is a mail server.
  const { createTransport } = require('nodemailer') as typeof Nodemailer;
  return createTransport({ ...smtpOptions(url), ...TIMEOUTS_MS, disableFileAccess: true, disableUrlAccess: true });
}

/**
 * Members that nodemailer adds to an error: the command, the server's reply (RFC 5321, section 4.2.1), and `permanent` where a
 * retry is pointless.
 */
type SmtpError = Error & { command?: string; responseCode?: number; permanent?: boolean };

/**
 * Only a reply to RCPT TO or DATA is about the mail: all mails have one sender. A server that refuses all of them for a while
 * loses none.
 */
function judged(error: SmtpError): Error {
  const { message, command = '', responseCode, permanent } = error;
  const isAboutMail = ['RCPT TO', 'DATA'].includes(command) && responseCode !== undefined;
  if (!isAboutMail || AUTHENTICATION_REPLIES.has(responseCode)) {
    return error;
  }
  return new (permanent === true ? RefusedError : DeferredMailError)(message, { cause: error });
}

/** The folder inside the data folder for mails when no mail server is configured. */
export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/**
 * Writes each mail to its own file in `folder`, as an RFC 5322 message. The text is not encoded, so that a person can
 * read it and follow its link in any editor.
 */
export function folderDelivery(folder: string, from: string): Delivery {
  return {
    deliver: async (mail) => {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${new Date(mail.createdAt).toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`);
      await writeFile(`${path}.part`, messageText(mail, from), { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
    },
    close: () => undefined,
  };
}

/** Tells auto-responders not to answer (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };

function messageId({ id }: Mail, from: string): string {
  const [, domain = 'localhost'] = /@([^>\s]+)/.exec(from) ?? [];
  return `<${id}@${domain}>`;
}

function messageText(mail: Mail, from: string): string {
  const boundary = `part-${mail.id}`;
  const part = (type: string, content: string) => [
    `--${boundary}`,
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    ...content.split('\n'),
  ];
  return [
    `From: ${from}`,
    `To: ${mail.recipient}`,
    `Subject: ${mail.subject}`,
    `Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId(mail, from)}`,
    ...Object.entries(AUTOMATIC).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('plain', mail.text),
    ...part('html', mail.html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
