/** The kinds of codes whose data is put together from fields, with those that a code cannot be without. */

export const KINDS = {
  text: { fields: ['text'], required: ['text'] },
  contact: contact(),
  'contact-v4': contact(),
  wifi: { fields: ['ssid', 'password', 'encryption', 'hidden'], required: ['ssid'] },
  email: { fields: ['to', 'subject', 'body'], required: ['to'] },
  sms: { fields: ['number', 'text'], required: ['number'] },
  phone: { fields: ['number'], required: ['number'] },
  geo: { fields: ['latitude', 'longitude'], required: ['latitude', 'longitude'] },
  event: { fields: ['title', 'start', 'end', 'location', 'description'], required: ['title', 'start'] },
  payment: { fields: ['name', 'iban', 'bic', 'amount', 'reference', 'text'], required: ['name', 'iban'] },
  'digital-link': { fields: ['gtin', 'lot', 'serial', 'expiry', 'domain'], required: ['gtin'] },
} as const;

export type Kind = keyof typeof KINDS;

/** Fields of either version of a vCard. */
function contact() {
  return {
    fields: [
      'name',
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
    ],
    required: ['name'],
  } as const;
}
