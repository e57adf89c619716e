/** Buckets of the S3 services that are installed on this machine, and how long each takes for what a job stores and reads. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../scripts/service-process.js';

const MOTO = fileURLToPath(new URL('../../.tools/moto/bin/moto_server', import.meta.url));
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'only-for-this-benchmark' };
const BUCKET = 'qrpress-bench';
const PREFIX = 'measured';

/** Blobs that are stored or read at a time, as by two workers. */
const AT_ONCE = 6;

/** moto is a test server in one Python process, which holds all in memory; s3s-fs one in Rust, which keeps it in a folder. */
const SERVICES = [
  { name: 'moto', program: MOTO, words: (port) => ['-H', '127.0.0.1', '-p', port] },
  { name: 's3s-fs', program: onPath('s3s-fs'), words: s3sFsWords },
];

/** The services that are there, each as `{ name, open }`; what `open` needs is a folder. */
export function installedServices() {
  return SERVICES.filter(({ program }) => program !== undefined && existsSync(program)).map((service) => ({
    name: service.name,
    open: (parent) => openBucket(service, mkdtempSync(join(parent, 'bucket-'))),
  }));
}

async function openBucket({ program, words }, folder) {
  const port = String(await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  // s3s-fs takes a folder for a bucket; moto is told.
  mkdirSync(join(folder, 'blobs', BUCKET), { recursive: true });
  const server = spawn(program, words(port, join(folder, 'blobs')), { stdio: 'ignore' });
  while (!(await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' }).catch(() => undefined)))
    await new Promise((resolve) => setTimeout(resolve, 50));
  Object.assign(process.env, CREDENTIALS);
  const { openStorage } = await import('../../dist/storage/open-storage.js');
  const location = { kind: 'bucket', bucket: BUCKET, prefix: PREFIX, endpoint, region: 'us-east-1' };
  const store = await openStorage(location);
  return {
    pid: server.pid,
    environment: { ...CREDENTIALS, QRPRESS_STORAGE_URL: `s3://${BUCKET}/${PREFIX}?endpoint=${endpoint}` },

    /**
     * Seconds that it takes when nothing else is done: to store what a job has left in the bucket, again, and to read what is
     * read while a job runs, its spools.
     */
    async ownSeconds(jobId) {
      const job = `jobs/${jobId}`;
      const again = [];
      for await (const { key, bytes } of store.list(job)) {
        const name = key.slice(job.length + 1);
        again.push({ key: `own/${name}`, path: join(folder, name), bytes });
      }
      for (const { path, bytes } of again) writeFileSync(path, Buffer.alloc(bytes, 'qrpress'));
      const writeSeconds = await seconds(again, (blob) => store.adopt([blob]));
      const read = again.filter(({ key }) => key.includes('spool'));
      const readSeconds = await seconds(read, ({ key, path }) => store.materialise(key, path));
      return { writeSeconds, readSeconds };
    },

    async close() {
      await store.close();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of `work` on all blobs. */
async function seconds(blobs, work) {
  const started = performance.now();
  const queue = blobs.values();
  const workOn = async () => {
    for (const blob of queue) await work(blob);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  return (performance.now() - started) / 1000;
}

function s3sFsWords(port, folder) {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = CREDENTIALS;
  const keys = ['--access-key', AWS_ACCESS_KEY_ID, '--secret-key', AWS_SECRET_ACCESS_KEY];
  return ['--host', '127.0.0.1', '--port', port, ...keys, folder];
}

function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync);
}
