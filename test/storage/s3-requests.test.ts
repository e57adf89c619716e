/** What the S3 store sends, to a service that takes it only so. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { S3_TIMEOUTS } from '../../src/storage/s3-connection.js';
import { S3Store } from '../../src/storage/s3-store.js';

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
beforeEach(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'tests';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret-of-the-tests';
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const open = (timeouts = S3_TIMEOUTS) =>
  new S3Store(
    {
      kind: 'bucket',
      bucket: 'bucket',
      prefix: '',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
    },
    timeouts,
  );

test('deletes many objects at a service that wants them named by MD5 and takes no other checksum', async () => {
  const deleted: string[] = [];
  answer = async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const body = await text(request);
    response.setHeader('content-type', 'application/xml');
    if (searchParams.has('uploads')) {
      response.end('<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>');
    } else if (searchParams.has('list-type')) {
      response.end(
        '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>jobs/a/spool</Key></Contents></ListBucketResult>',
      );
    } else if (
      request.headers['content-md5'] === createHash('md5').update(body).digest('base64') &&
      !Object.keys(request.headers).some((name) => name.includes('checksum'))
    ) {
      deleted.push(...[...body.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key as string));
      response.end('<DeleteResult/>');
    } else {
      response.statusCode = 400;
      response.end('<Error><Code>InvalidRequest</Code><Message>Missing required header: Content-MD5</Message></Error>');
    }
  };
  const store = open();
  await store.deleteAll('jobs/a');
  expect(deleted).toEqual(['jobs/a/spool']);
  await store.close();
});

test('gives up a check in time though all requests before it are without an answer, and sends nothing for it later', async () => {
  const held: ServerResponse[] = [];
  const probes: string[] = [];
  answer = (request, response) => {
    if (request.url?.includes('.probe')) {
      probes.push(request.method ?? '');
      response.end();
    } else {
      held.push(response);
    }
  };
  const store = open({ ...S3_TIMEOUTS, checkMs: 200 });
  const asked = Array.from({ length: 64 }, (_, each) => store.size(`jobs/${each}`));
  await expect.poll(() => held.length).toBe(64);
  await expect(store.check()).rejects.toThrow('within 200 ms');
  for (const response of held) response.setHeader('content-length', '1').end();
  expect(await Promise.all(asked)).toHaveLength(64);
  expect(probes).toEqual([]);
  await store.close();
});
