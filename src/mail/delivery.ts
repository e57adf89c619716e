/** Delivery of a mail: over SMTP, or into a file of the outbox folder when no server is configured. */

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail } from './mail-store.js';

export interface Delivery {
  /**
   * Resolves when the server or the folder has taken the mail. @throws RefusedMailError, or another error when a retry
   * may succeed
   */
  deliver: (mail: Mail) => Promise<void>;
  close: () => void;
}

/** The server refused the mail permanently (RFC 5321, section 4.2.1: a 5yz reply). */
export class RefusedMailError extends Error {
  override readonly name = 'RefusedMailError';
}

/** A server that stays silent for this long fails the attempt. */
const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends mail through the server at `url` (`smtp://user:password@host:port`, `smtps://…`). @param from address, with or
 * without a name
 */
export function smtpDelivery(url: string, from: string): Delivery {
  const transport = createTransport({ url, ...TIMEOUTS_MS, disableFileAccess: true, disableUrlAccess: true });
  return {
    deliver: async (mail) => {
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
        });
      } catch (error) {
        const { responseCode, message } = error as Error & { responseCode?: number };
        throw responseCode !== undefined && responseCode >= 500
          ? new RefusedMailError(message, { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
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
