/** The kinds of codes whose data is put together from fields. The engine knows which of them a code cannot be without. */

const CONTACT = [
  'name',
  'firstName',
  'lastName',
  'organisation',
  'title',
  'phone',
  'mobile',
  'email',
  'url',
  'street',
  'city',
  'region',
  'postcode',
  'country',
  'note',
  'homePhone',
  'otherPhone',
  'fax',
  'otherEmail',
] as const;

export const KINDS = {
  text: ['text'],
  contact: CONTACT,
  'contact-v4': CONTACT,
  wifi: ['ssid', 'password', 'encryption', 'hidden'],
  email: ['to', 'subject', 'body'],
  sms: ['number', 'text'],
  phone: ['number'],
  geo: ['latitude', 'longitude', 'coordinates'],
  event: ['title', 'start', 'startTime', 'end', 'endTime', 'location', 'description'],
  payment: ['name', 'iban', 'bic', 'amount', 'reference', 'text'],
  'digital-link': ['gtin', 'lot', 'serial', 'productionDate', 'bestBefore', 'expiry', 'domain'],
} as const;

export type Kind = keyof typeof KINDS;
