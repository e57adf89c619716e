/** The letters about accounts, and what the flows that send them depend on. */

import { LIMITS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { type Letter, writeLetter } from '../mail/letter.js';

export interface AccountDependencies {
  database: Database;
  /** Origin of the links in letters. */
  baseUrl: string;
  /** Makes the outbox worker look for mails. Call it after committing a letter's transaction. */
  wakeOutboxWorker: () => void;
}

/** The URL of an account page, for a link in a letter. */
export function accountUrl({ baseUrl }: Pick<AccountDependencies, 'baseUrl'>, path: string): string {
  return `${baseUrl}/account/${path}`;
}

const IGNORE = 'If you did not ask for this, ignore this email. Nothing happens until somebody follows the link.';

/** The lifetime of a link, in words. */
export function linkLifetime(purpose: keyof typeof LIMITS.linkHours): string {
  const hours = LIMITS.linkHours[purpose];
  if (hours < 24) {
    return hours === 1 ? 'an hour' : `${hours} hours`;
  }
  return hours === 24 ? 'a day' : `${hours / 24} days`;
}

function worksFor(purpose: keyof typeof LIMITS.linkHours): string {
  return `The link works once, within ${linkLifetime(purpose)}.`;
}

/** Contains no text from the form: anybody can have this letter sent to anybody. */
export function signUpLetter(url: string): Letter {
  return writeLetter({
    subject: 'Create your qrpress account',
    paragraphs: [
      'Hello,',
      'Somebody asked for a qrpress account with this address. Follow the link to confirm the address and choose a password.',
    ],
    action: { label: 'Create your account', url },
    footnotes: [worksFor('sign-up'), IGNORE],
  });
}

/** For an address that already has an account: the sign-up form itself does not reveal that. */
export function alreadyRegisteredLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'You already have a qrpress account',
    paragraphs: [
      `Hello ${name},`,
      'Somebody, perhaps you, tried to create a qrpress account with your address. You already have one. Sign in, or set a new password on the sign-in page.',
    ],
    action: { label: 'Sign in', url },
    footnotes: ['If it was not you, ignore this email. Nothing was changed.'],
  });
}

export function passwordResetLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Set a new password for qrpress',
    paragraphs: [
      `Hello ${name},`,
      'Somebody asked for a new password for your qrpress account. Follow the link to set one. You will be signed out everywhere.',
    ],
    action: { label: 'Set a new password', url },
    footnotes: [worksFor('reset'), IGNORE],
  });
}

export function invitationLetter(
  { inviter, organisation, role }: { inviter: string; organisation: string; role: string },
  url: string,
): Letter {
  return writeLetter({
    subject: `${inviter} invites you to ${organisation}`,
    paragraphs: [
      `${inviter} invites you to join ${organisation} on qrpress as ${role}. Members make QR codes in bulk together.`,
    ],
    action: { label: 'See the invitation', url },
    footnotes: [worksFor('invitation'), 'If you do not know the sender, ignore this email.'],
  });
}

export function passwordChangedLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${name},`,
      'The password of your account was just changed. If it was you, there is nothing to do.',
    ],
    action: { label: 'Set a new password', url },
    footnotes: ['If it was not you, set a new password now: that signs everybody out.'],
  });
}

/** Sent to the new address. Contains no text from the form but the address itself. */
export function confirmAddressLetter(url: string): Letter {
  return writeLetter({
    subject: 'Confirm your new address',
    paragraphs: [
      'Hello,',
      'Somebody asked to use this address for their account. Follow the link to confirm that it is yours.',
    ],
    action: { label: 'Use this address', url },
    footnotes: [worksFor('address'), IGNORE],
  });
}

/** Sent to the account's previous address. */
export function addressChangedLetter(name: string, email: string, url: string): Letter {
  return writeLetter({
    subject: 'The address of your account was changed',
    paragraphs: [`Hello ${name},`, `Your account now has the address ${email}. Mail goes there from now on.`],
    action: { label: 'Open your account', url },
    footnotes: ['If it was not you, write to whoever runs this service.'],
  });
}
