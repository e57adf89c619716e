/** The letters about accounts, and what the flows that send them depend on. */

import { LIMITS } from '../contract/limits.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { type Letter, quotedName, writeLetter } from '../outbox/letter.js';
import { postMail } from '../outbox/mail-store.js';
import { counted, grouped } from '../platform/counted.js';
import { findPerson } from './people/person-store.js';

export interface AccountDependencies {
  database: Database;
  /** Origin of the links in letters. */
  baseUrl: string;
}

/** The URL of an account page, for a link in a letter. */
export function accountUrl({ baseUrl }: Pick<AccountDependencies, 'baseUrl'>, path: string): string {
  return `${baseUrl}/account/${path}`;
}

/** Mails somebody about their account, unless it was deleted in the meantime. */
export async function mailPerson(
  transaction: DatabaseTransaction,
  personId: string,
  letterTo: (name: string) => Letter,
): Promise<void> {
  const person = await findPerson(transaction, 'id', personId);
  if (person !== undefined) {
    await postMail(transaction, person.email, letterTo(person.name));
  }
}

const IGNORE = 'If you did not ask for this, ignore this email. Nothing happens until somebody follows the link.';
export const NOT_YOU = 'If this wasn’t you, set a new password now. That signs everybody out.';
const OWNER = 'You get this email because you own the organisation.';

export function linkLifetime(purpose: keyof typeof LIMITS.linkHours): string {
  const hours = LIMITS.linkHours[purpose];
  if (hours < 24) {
    return hours === 1 ? 'an hour' : `${hours} hours`;
  }
  return hours === 24 ? 'a day' : `${hours / 24} days`;
}

/** A person knows a provider by its host. */
function hostOf(issuer: string): string {
  return new URL(issuer).host;
}

function worksFor(purpose: keyof typeof LIMITS.linkHours): string {
  return `The link works once, within ${linkLifetime(purpose)}.`;
}

/** Contains no text from the form: anybody can have this letter sent to anybody. */
export function signUpLetter(url: string): Letter {
  return writeLetter({
    subject: 'Create your account',
    paragraphs: [
      'Hello,',
      'Somebody asked for an account with this email address. Follow the link to confirm the address and choose a password.',
    ],
    action: { label: 'Create your account', url },
    footnotes: [worksFor('sign-up'), IGNORE],
  });
}

/** For an address that already has an account: the sign-up form itself does not reveal that. */
export function alreadyRegisteredLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'You already have an account',
    paragraphs: [
      `Hello ${name},`,
      'Somebody, perhaps you, tried to create an account with your email address. You already have one. Sign in, or set a new password on the sign-in page.',
    ],
    action: { label: 'Sign in', url },
    footnotes: ['If this wasn’t you, ignore this email. Nothing was changed.'],
  });
}

/** For an address that a person asked to have, and that has an account: their page does not reveal that. */
export function addressTakenLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Your email address has an account already',
    paragraphs: [
      `Hello ${name},`,
      'Somebody, perhaps you, asked to use your email address for another account. It has an account already, and can have only one.',
      'If this was you, sign in to this account. Delete it, or change its address. Then ask again.',
    ],
    action: { label: 'Sign in', url },
    footnotes: ['If this wasn’t you, ignore this email. Nothing was changed.'],
  });
}

export function passwordResetLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Set a new password',
    paragraphs: [
      `Hello ${name},`,
      'Somebody asked for a new password for your account. Follow the link to set one. You will be signed out everywhere.',
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
    // Without the names: anybody can invite anybody, and could write the subject.
    subject: 'You are invited to an organisation',
    paragraphs: [
      `${quotedName(inviter)} invites you to join ${quotedName(organisation)} as ${role === 'member' ? 'a' : 'an'} ${role}, to make QR codes in bulk together.`,
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
      'The password of your account was just changed. If this was you, there is nothing to do.',
    ],
    action: { label: 'Set a new password', url },
    footnotes: [NOT_YOU],
  });
}

/** Sent to the new address. Contains no text from the form but the address itself. */
export function confirmAddressLetter(url: string): Letter {
  return writeLetter({
    subject: 'Confirm your new email address',
    paragraphs: [
      'Hello,',
      'Somebody asked to use this email address for their account. Follow the link to confirm that it is yours.',
    ],
    action: { label: 'Use this address', url },
    footnotes: [worksFor('address'), IGNORE],
  });
}

/** Sent to the account's previous address. */
export function addressChangedLetter(name: string, email: string, url: string): Letter {
  return writeLetter({
    subject: 'Your email address was changed',
    paragraphs: [`Hello ${name},`, `You now sign in with ${email}, and our emails go there.`],
    action: { label: 'Open your account', url },
    footnotes: ['If this wasn’t you, contact your administrator now.'],
  });
}

/** Sent for every connection, also one that the provider's verified address made. @param issuer of the identity provider */
export function identityConnectedLetter(name: string, issuer: string, url: string): Letter {
  return writeLetter({
    subject: 'A company account was connected to your account',
    paragraphs: [`Hello ${name},`, `You can now sign in with your company account at ${hostOf(issuer)}.`],
    action: { label: 'See connected accounts', url },
    footnotes: [
      'If this wasn’t you, disconnect it in your profile. If you can’t sign in, set a new password on the sign-in page: that disconnects every company account.',
    ],
  });
}

export function identityDisconnectedLetter(name: string, issuer: string, url: string): Letter {
  return writeLetter({
    subject: 'A company account was disconnected from your account',
    paragraphs: [`Hello ${name},`, `You can no longer sign in with your company account at ${hostOf(issuer)}.`],
    action: { label: 'See connected accounts', url },
    footnotes: [NOT_YOU],
  });
}

/** Sent to who becomes an owner. @param content.by the owner who made them one */
export function ownershipLetter(
  { organisation, name, by }: { organisation: string; name: string; by: string },
  url: string,
): Letter {
  return writeLetter({
    // Without names, which that owner may have chosen for it.
    subject: 'You own an organisation now',
    paragraphs: [
      `Hello ${name},`,
      `${quotedName(by)} made you an owner of ${quotedName(organisation)}. Owners can do everything in it.`,
    ],
    action: { label: 'See the members', url },
    footnotes: [OWNER],
  });
}

/** Sent to who is an owner no longer. @param content.by the owner who took the ownership back */
export function formerOwnerLetter(
  { organisation, name, by, role }: { organisation: string; name: string; by: string; role: string },
  url: string,
): Letter {
  return writeLetter({
    subject: 'You own an organisation no longer',
    paragraphs: [
      `Hello ${name},`,
      `${quotedName(by)} took the ownership of ${quotedName(organisation)} back from you. Your role there is ${role} now.`,
    ],
    action: { label: 'See the members', url },
    footnotes: ['You get this email because you owned the organisation.'],
  });
}

/** Sent to owners when a member leaves. The organisation decides what becomes of its keys. */
export function keysStillActiveLetter(
  { organisation, creator, keys }: { organisation: string; creator: string; keys: readonly string[] },
  url: string,
): Letter {
  return writeLetter({
    subject: `${creator} left ${organisation}, but their API keys still work`,
    paragraphs: [
      `${creator} is no longer a member of ${organisation}. The API keys that they created still work: ${keys.join(', ')}.`,
      'Revoke the ones that they may have copied.',
    ],
    action: { label: 'See the API keys', url },
    footnotes: [OWNER],
  });
}

/** Sent to owners at most once a day for each webhook. */
export function webhookPausedLetter(
  { organisation, address, isGone }: { organisation: string; address: string; isGone: boolean },
  url: string,
): Letter {
  return writeLetter({
    subject: `A webhook of ${organisation} is ${isGone ? 'paused' : 'failing'}`,
    paragraphs: [
      isGone
        ? `${address} answered 410 (Gone), so we paused the webhook until you resume it. Events wait for a day, then we give them up.`
        : `The last calls to ${address} failed, so we paused the webhook. We try again at least every 15 minutes. Events wait for a day, then we give them up.`,
      'The list of deliveries shows what your server answered.',
    ],
    action: { label: 'See deliveries', url },
    footnotes: [OWNER],
  });
}

/** Sent to owners each time that the balance falls below what they set. */
export function lowBalanceLetter(
  { organisation, balance, threshold }: { organisation: string; balance: number; threshold: number },
  url: string,
): Letter {
  return writeLetter({
    subject: `${organisation} has ${balance.toLocaleString('en')} credits left`,
    paragraphs: [
      `The balance of ${organisation} fell below ${threshold.toLocaleString('en')} credits. It is ${balance.toLocaleString('en')} now, and each code costs one.`,
    ],
    action: { label: 'Ask for credits', url },
    footnotes: [`${OWNER} You can change this alert on its page Webhooks.`],
  });
}

/** Sent to operators. @param content.text what the organisation wrote */
export function creditsAskedLetter(
  { organisation, person, text }: { organisation: string; person: string; text: string },
  url: string,
): Letter {
  return writeLetter({
    subject: `${organisation} asks for credits`,
    paragraphs: [`${person} asks for credits for ${organisation}:`, text],
    action: { label: 'Grant credits', url },
    footnotes: ['You get this email because you are an operator of this server.'],
  });
}

/** Sent to the person who asked. */
export function creditsGrantedLetter(
  { name, organisation, credits }: { name: string; organisation: string; credits: number },
  url: string,
): Letter {
  const granted = counted(credits, 'credit', grouped);
  return writeLetter({
    subject: 'You have new credits',
    paragraphs: [`Hello ${name},`, `${organisation} was granted ${granted}.`],
    action: { label: 'See the credits', url },
    footnotes: ['You get this email because you asked for credits.'],
  });
}
