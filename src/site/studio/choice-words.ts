/** Words of the choices for a file, for the page with scripts and without. */

import { CALLING_CODES } from '../../contract/calling-codes.js';
import { ENCODINGS } from '../../contract/encodings.js';
import { KIND_WORDS } from '../shell/kind-words.js';

/** Labels of choices. The other lists are names of fields, or their values, each with its words. */
export const CHOICE_WORDS = {
  labels: {
    sheet: 'Sheet',
    encoding: 'Encoding of the file',
    kind: 'The codes are',
    open: 'Are the networks without a password open?',
    links: 'Cells that are links',
    dates: 'Dates such as 01/02/2026 begin with',
    callingCode: 'Numbers such as 0171… belong to',
  },
  encodingQuestion: 'Are all letters of the values above right? If not, choose another encoding.',
  kinds: KIND_WORDS,
  encodings: ENCODINGS,
  callingCodes: CALLING_CODES,
  roles: [
    ['data', 'Link or text'],
    ['filename', 'File name'],
    ['caption', 'Caption'],
    ['reference', 'Reference'],
  ],
  patterns: [
    ['dataPattern', 'Link or text'],
    ['captionPattern', 'Caption'],
    ['filenamePattern', 'File name'],
  ],
  /** Fields that all codes of a kind share, for a list that has none of them, each with its words and its type. */
  once: {
    payment: {
      label: 'One account for all codes',
      hint: 'For fees, tickets or donations: type where all payments go. Names in the list are those of payers then.',
      fields: [
        ['payeeName', 'Payee', 'text'],
        ['payeeIban', 'IBAN', 'text'],
        ['payeeBic', 'BIC, if you like', 'text'],
      ],
    },
    event: {
      label: 'One day for all events',
      hint: 'For the programme of one day, which has times alone.',
      fields: [['eventDay', 'Day', 'date']],
    },
  },
  /** The part of a cell that is a link: the codes take it. */
  links: [
    ['', 'Choose'],
    ['text', 'Use their texts'],
    ['address', 'Use their addresses'],
  ],
  /** The first number of dates such as 01/02/2026. */
  dates: [
    ['day', 'The day: 1 February 2026'],
    ['month', 'The month: January 2, 2026'],
  ],
  /** Networks without a password. */
  open: [
    ['', 'Choose'],
    ['yes', 'Yes, anyone may join them'],
    ['no', 'No, they have a password'],
  ],
} as const;
