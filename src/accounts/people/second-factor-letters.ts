/** The letters about a second factor: its changes, and guesses at its codes. */

import { type Letter, writeLetter } from '../../outbox/letter.js';
import { counted } from '../../platform/counted.js';
import { NOT_YOU } from '../letters.js';

const NEW_CODES = 'Then make new recovery codes, on the page behind your name.';

/** Changes of a person's second factor, as the audit log names them: the subject, what is new, and what to do about it. */
const SECOND_FACTOR_CHANGES = {
  'second-factor-on': {
    subject: 'Two-factor authentication was turned on',
    news: () => 'Signing in to your account with your password now also asks for a code.',
    footnotes: [NOT_YOU, 'Then ask your administrator to turn two-factor authentication off.'],
  },
  'second-factor-off': {
    subject: 'Two-factor authentication was turned off',
    news: () => 'Signing in to your account with your password no longer asks for a code.',
    footnotes: [NOT_YOU],
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    news: (codesLeft: number) =>
      `Somebody just used a recovery code to sign in to your account. ${counted(codesLeft, 'recovery code')} ${codesLeft === 1 ? 'is' : 'are'} left.`,
    footnotes: [NOT_YOU, NEW_CODES],
  },
  'recovery-codes-made': {
    subject: 'New recovery codes were made',
    news: (codesLeft: number) =>
      `Your account has ${counted(codesLeft, 'new recovery code')}. The old ones no longer work.`,
    footnotes: [NOT_YOU, NEW_CODES],
  },
} as const;

export type SecondFactorChange = keyof typeof SECOND_FACTOR_CHANGES;

export function secondFactorLetter(
  change: SecondFactorChange,
  { name, codesLeft }: { name: string; codesLeft: number },
  url: string,
): Letter {
  const { subject, news, footnotes } = SECOND_FACTOR_CHANGES[change];
  return writeLetter({
    subject,
    paragraphs: [`Hello ${name},`, `${news(codesLeft)} If this was you, all is well.`],
    action: { label: 'Set a new password', url },
    footnotes,
  });
}

/** Sent when an hour's wrong codes of a second factor are used up. The sender knows the password. */
export function wrongCodesLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Somebody typed wrong codes for your account',
    paragraphs: [
      `Hello ${name},`,
      'Somebody who is signed in to your account, or knows its password, typed ten wrong codes within an hour. We accept no more codes for the rest of the hour.',
      'If this wasn’t you, set a new password now. Codes are then accepted again.',
    ],
    action: { label: 'Set a new password', url },
    footnotes: ['If this was you, try again in an hour, with one of your recovery codes if need be.'],
  });
}
