/** A wireless network, as phones read it: `WIFI:T:WPA;S:name;P:password;;`. */

import type { KindValues } from '../../contract/kinds.js';
import { bytesOf, KindError, oneLine, Values } from './values.js';

/** Bytes of a network's name (IEEE 802.11). */
const SSID_BYTES = 32;

const NAMES: Readonly<Record<string, string>> = { wpa: 'WPA', wep: 'WEP', none: 'nopass', nopass: 'nopass' };

/** @throws KindError */
export function wifiData(given: KindValues<'wifi'>): string {
  const values = new Values('wifi', given);
  // Spaces around a name or a password are part of it.
  const ssid = oneLine('ssid', values.text('ssid'));
  const password = oneLine('password', values.text('password'));
  if (bytesOf(ssid).length > SSID_BYTES) {
    throw new KindError('ssid', `the name of a network has at most ${SSID_BYTES} bytes.`);
  }
  const encryption = lower(values.trimmed('encryption')) || (password === '' ? 'none' : 'wpa');
  const type = Object.hasOwn(NAMES, encryption) ? NAMES[encryption] : undefined;
  if (type === undefined) {
    throw new KindError('encryption', 'write WPA (also for WPA2 and WPA3), WEP or none.');
  }
  if (type === 'nopass' && password !== '') {
    throw new KindError('password', 'a network without encryption has no password.');
  }
  if (type !== 'nopass' && password === '') {
    throw new KindError('password', 'the value is empty, but a network with encryption has a password.');
  }
  if (type === 'WPA' && !/^(?:[ -~]{8,63}|[\da-f]{64})$/i.test(password)) {
    throw new KindError('password', 'a password of WPA has 8 to 63 characters of ASCII.');
  }
  // Keys of 40 and 104 bits.
  if (type === 'WEP' && !/^(?:[ -~]{5}|[ -~]{13}|[\da-f]{10}|[\da-f]{26})$/i.test(password)) {
    const message = 'a password of WEP has 5 or 13 characters of ASCII, or 10 or 26 hexadecimal digits.';
    throw new KindError('password', message);
  }
  const hidden = isHidden(lower(values.trimmed('hidden')));
  const secret = password === '' ? '' : `P:${escaped(password)};`;
  return `WIFI:T:${type};S:${escaped(ssid)};${secret}${hidden ? 'H:true;' : ''};`;
}

function isHidden(text: string): boolean {
  if (['true', 'yes', '1'].includes(text)) return true;
  if (['', 'false', 'no', '0'].includes(text)) return false;
  throw new KindError('hidden', 'write true or false.');
}

/** ASCII letters in lower case. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,:"]/g, String.raw`\$&`);
}
