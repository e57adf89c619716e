/** The letters about accounts. */

import { type Letter, writeLetter } from '../mail/letter.js';

const IGNORE = 'If you did not ask for this, you can ignore this mail: nothing happens without the link.';

/** Says nothing that was typed into the form: anybody can have it sent to anybody. */
export function signUpLetter(url: string): Letter {
  return writeLetter({
    subject: 'Your account',
    paragraphs: [
      'Hello,',
      'follow the link to confirm that this address is yours, and to choose a password. Your first credits come with it.',
    ],
    action: { label: 'Create your account', url },
    footnotes: ['The link works once, and for 7 days.', IGNORE],
  });
}

/** To somebody whose address was typed into the sign-up form, and who has an account: the form itself does not tell. */
export function alreadyRegisteredLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'You already have an account',
    paragraphs: [
      `Hello ${name},`,
      'somebody, perhaps you, tried to sign up with your address. You have an account already: sign in with it, or set a new password there.',
    ],
    action: { label: 'Sign in', url },
    footnotes: ['If it was not you, you can ignore this mail: nothing was changed.'],
  });
}

export function passwordResetLetter(name: string, url: string): Letter {
  return writeLetter({
    subject: 'Set a new password',
    paragraphs: [`Hello ${name},`, 'follow the link to set a new password. It ends all your sessions.'],
    action: { label: 'Set a new password', url },
    footnotes: ['The link works once, and for an hour.', IGNORE],
  });
}

export function invitationLetter(
  { inviter, organisation, role }: { inviter: string; organisation: string; role: string },
  url: string,
): Letter {
  return writeLetter({
    subject: `${inviter} invites you to ${organisation}`,
    paragraphs: [`${inviter} invites you to join ${organisation}, as ${role}, to make QR codes in bulk.`],
    action: { label: 'See the invitation', url },
    footnotes: ['The link works once, and for 14 days.', 'If you do not know the sender, you can ignore this mail.'],
  });
}
