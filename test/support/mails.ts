/** Mails that were posted, for tests without an outbox that sends them. */

import type { Mail, MailStore } from '../../src/outbox/mail-store.js';

/** Claims the mail that has been due longest. Undefined when none is due. */
export async function claimMail(mails: MailStore, leaseMs = 60_000): Promise<Mail | undefined> {
  const [due] = await mails.due();
  return due && mails.claim(due, leaseMs);
}
