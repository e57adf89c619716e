/** The data of a code of any kind. */

import type { Kind, KindValues } from '../../contract/kinds.js';
import { contactData, contactV4Data } from './contact.js';
import { digitalLinkData } from './digital-link.js';
import { eventData } from './event.js';
import { paymentData } from './payment.js';
import { emailData, geoData, phoneData, smsData, textData } from './uris.js';
import { wifiData } from './wifi.js';

const FUNCTIONS: { [K in Kind]: (values: KindValues<K>) => string } = {
  text: textData,
  contact: contactData,
  'contact-v4': contactV4Data,
  wifi: wifiData,
  email: emailData,
  sms: smsData,
  phone: phoneData,
  geo: geoData,
  event: eventData,
  payment: paymentData,
  'digital-link': digitalLinkData,
};

/** The data of a code of the kind: `kindData('wifi', { ssid: 'Guests', password: '…' })`. @throws KindError */
export function kindData<K extends Kind>(kind: K, values: KindValues<K>): string {
  return FUNCTIONS[kind](values);
}
