/** A bucket of a moto on this machine, where scripts/moto.js has installed one, and how long it takes for what a job stores. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MOTO = fileURLToPath(new URL('../../.tools/moto/bin/moto_server', import.meta.url));
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'only-for-this-benchmark' };
const BUCKET = 'qrpress-bench';

/** Files that are uploaded at a time, as by two workers. */
const UPLOADS = 4;

/** Undefined where there is no moto. */
export async function openBucket() {
  if (!existsSync(MOTO)) return undefined;
  const moto = spawn(MOTO, ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let endpoint;
  for await (const line of createInterface(moto.stderr)) {
    endpoint = /Running on (http:\S+)/.exec(line)?.[1];
    if (endpoint !== undefined) break;
  }
  moto.stderr.resume();
  await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
  return {
    environment: { ...CREDENTIALS, QRPRESS_STORAGE_URL: `s3://${BUCKET}/jobs?endpoint=${endpoint}` },

    /** Seconds that so many files of so many bytes take when nothing else is done. */
    async writeSeconds({ files, bytes, folder }) {
      Object.assign(process.env, CREDENTIALS);
      const { openStorage } = await import('../../dist/storage/open-storage.js');
      const store = await openStorage({ kind: 'bucket', bucket: BUCKET, prefix: 'own', endpoint, region: 'us-east-1' });
      const content = Buffer.alloc(bytes, 'qrpress');
      const parent = join(folder, 'own');
      mkdirSync(parent);
      const blobs = Array.from({ length: files }, (_, index) => ({
        key: `file-${index}`,
        path: join(parent, `${index}`),
      }));
      for (const { path } of blobs) writeFileSync(path, content);
      const started = performance.now();
      await Promise.all(
        Array.from({ length: UPLOADS }, async (_, turn) => {
          for (const blob of blobs.filter((each, index) => index % UPLOADS === turn)) await store.adopt([blob]);
        }),
      );
      const seconds = (performance.now() - started) / 1000;
      await store.close();
      rmSync(parent, { recursive: true });
      return seconds;
    },

    close: () => moto.kill(),
  };
}
