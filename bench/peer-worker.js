/** One thread of the peer: PNGs of version 4-M at scale 10, as `qrcode` makes them. */

import { toBuffer } from 'qrcode';

export default function render(data) {
  return Promise.all(data.map((text) => toBuffer(text, { errorCorrectionLevel: 'M', scale: 10, margin: 4 })));
}
