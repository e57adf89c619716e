/** The kinds of codes and their fields, as people read them. `src/contract/kinds.ts` has what they mean. */

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
};

/** @type {Record<string, { label: string, fields: Record<string, string> }>} */
export const KINDS = {
  contact: { label: 'Contact', fields: CONTACT },
  'contact-v4': { label: 'Contact (vCard 4)', fields: CONTACT },
  wifi: {
    label: 'Wi-Fi',
    fields: { ssid: 'Network', password: 'Password', encryption: 'Encryption', hidden: 'Hidden' },
  },
  email: { label: 'Email', fields: { to: 'To', subject: 'Subject', body: 'Message' } },
  sms: { label: 'Text message', fields: { number: 'Number', text: 'Message' } },
  phone: { label: 'Phone call', fields: { number: 'Number' } },
  geo: { label: 'Place', fields: { latitude: 'Latitude', longitude: 'Longitude' } },
  event: {
    label: 'Event',
    fields: { title: 'Title', start: 'Start', end: 'End', location: 'Place', description: 'Description' },
  },
  payment: {
    label: 'Payment (SEPA)',
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
    fields: { gtin: 'GTIN', lot: 'Lot', serial: 'Serial number', expiry: 'Expiry date', domain: 'Domain' },
  },
};
