/** The kinds of codes that the pages know, beside links and texts, in people's words. */

import type { Kind, KINDS } from '../../contract/kinds.js';

/** `list`: what a sheet of this kind looks like. `codes`: its codes, on a button. */
type KindWords<Name extends Kind> = Record<'label' | 'list' | 'codes', string> & {
  fields: Record<(typeof KINDS)[Name][number], string>;
};

const CONTACT = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  organisation: 'Organisation',
  title: 'Job title',
  phone: 'Phone',
  mobile: 'Mobile phone',
  email: 'Email',
  url: 'Website',
  street: 'Street',
  city: 'City',
  region: 'Region',
  postcode: 'Postcode',
  country: 'Country',
  note: 'Note',
  homePhone: 'Home phone',
  otherPhone: 'Other phone',
  fax: 'Fax',
  otherEmail: 'Other email',
};

export const KIND_WORDS: { [Name in Exclude<Kind, 'text'>]: KindWords<Name> } = {
  contact: { label: 'Contact', list: 'a list of contacts', codes: 'contact codes', fields: CONTACT },
  'contact-v4': { label: 'Contact (vCard 4)', list: 'a list of contacts', codes: 'contact codes', fields: CONTACT },
  wifi: {
    label: 'Wi-Fi',
    list: 'a Wi-Fi list',
    codes: 'Wi-Fi codes',
    fields: { ssid: 'Network', password: 'Password', encryption: 'Encryption', hidden: 'Hidden' },
  },
  email: {
    label: 'Email',
    list: 'a list of emails',
    codes: 'email codes',
    fields: { to: 'To', subject: 'Subject', body: 'Message' },
  },
  sms: {
    label: 'Text message',
    list: 'a list of text messages',
    codes: 'codes for text messages',
    fields: { number: 'Number', text: 'Message' },
  },
  phone: { label: 'Phone call', list: 'a phone list', codes: 'codes for calls', fields: { number: 'Number' } },
  geo: {
    label: 'Place',
    list: 'a list of places',
    codes: 'codes of places',
    fields: { latitude: 'Latitude', longitude: 'Longitude', coordinates: 'Coordinates' },
  },
  event: {
    label: 'Event',
    list: 'a list of events',
    codes: 'event codes',
    fields: {
      title: 'Title',
      start: 'Start',
      startTime: 'Start time',
      end: 'End',
      endTime: 'End time',
      location: 'Place',
      description: 'Description',
    },
  },
  payment: {
    label: 'Payment (SEPA)',
    list: 'a list of payments',
    codes: 'payment codes',
    fields: {
      name: 'Payee',
      iban: 'IBAN',
      bic: 'BIC',
      amount: 'Amount in euros',
      reference: 'Payment reference',
      text: 'Text for the payee',
    },
  },
  'digital-link': {
    label: 'GS1 Digital Link',
    list: 'a list of products',
    codes: 'GS1 codes',
    fields: {
      gtin: 'GTIN',
      lot: 'Lot',
      serial: 'Serial number',
      productionDate: 'Production date',
      bestBefore: 'Best-before date',
      expiry: 'Expiry date',
      domain: 'Domain',
    },
  },
};

/** The words of a kind by its name. Undefined for links and texts. */
export function kindWords(
  name = '',
): (Record<'label' | 'list' | 'codes', string> & { fields: Readonly<Record<string, string>> }) | undefined {
  return Object.hasOwn(KIND_WORDS, name) ? KIND_WORDS[name as keyof typeof KIND_WORDS] : undefined;
}
