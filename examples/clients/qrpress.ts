// From two items to a ZIP file with the client of this package.
//
// Usage, with Node.js 22.18 or later: QRPRESS_URL=http://127.0.0.1:8080 QRPRESS_KEY=qrp_… node qrpress.ts codes.zip

import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { Client } from 'qrpress/client';

const client = new Client({ url: process.env['QRPRESS_URL'] ?? '', key: process.env['QRPRESS_KEY'] ?? '' });
const { jobId } = await client.createJob({
  name: 'from TypeScript',
  style: { ecLevel: 'Q' },
  items: [
    { data: 'https://example.org/1', reference: 'row 1' },
    { data: 'https://example.org/2', reference: 'row 2' },
  ],
});
for await (const { completed, total, status } of client.progress(jobId)) {
  console.log(`${completed} of ${total}: ${status}`);
}
const { stream } = await client.download(jobId);
await stream.pipeTo(Writable.toWeb(createWriteStream(process.argv[2] ?? 'codes.zip')));
for await (const { reference, files } of client.manifest(jobId)) {
  console.log(reference, files.map(({ name }) => name).join(', '));
}
