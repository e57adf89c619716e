/** The samples of the reference: in every language the same request as in the others. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { OperationObject, RequestBodyObject } from 'openapi3-ts/oas31';
import { expect, it } from 'vitest';
import { createDocument } from '../../../src/api/docs/document.js';
import { type Sample, samples } from '../../../src/api/docs/page/samples.js';

const run = promisify(execFile);

/** Requests that the samples of one language send. */
type Requests = { method: string; url: string; key: string; type: string; body: unknown }[];

it('send the same request in curl, TypeScript and Python', async () => {
  const received: Requests = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const type = headers['content-type'] ?? '';
    const key = headers.authorization ?? '';
    received.push({ method, url, key, type, body: type === 'application/json' ? JSON.parse(body) : body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-samples-'));
  try {
    const all = allSamples(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const programs = {
      sh: ['bash', '-euc'],
      ts: [process.execPath, '--input-type=module', '-e'],
      py: ['python3', '-c'],
    };
    const byLanguage: Requests[] = [];
    for (const [language, [program = '', ...words]] of Object.entries(programs)) {
      const texts = all.map((each) => each.find((sample) => sample.language === language)?.text ?? '');
      await run(program, [...words, joined(language, texts)], {
        cwd: folder,
        env: { PATH: process.env['PATH'], QRPRESS_KEY: 'qrp_key' },
      });
      byLanguage.push(received.splice(0));
    }
    const [sh, ts, py] = byLanguage;
    expect(sh).toHaveLength(all.length);
    expect(sh?.filter(({ key }) => key === 'Bearer qrp_key').length).toBeGreaterThan(10);
    expect(ts).toEqual(sh);
    expect(py).toEqual(sh);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}, 120_000);

/** The samples of every operation, and of every example of its body. */
function allSamples(baseUrl: string): Sample[][] {
  const { paths = {} } = createDocument({ baseUrl, rateLimits: { create: 10, read: 60 }, retentionDays: 90 });
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).flatMap(([method, operation]) => {
      const call = { baseUrl, path, method, operation };
      const { content } = (operation.requestBody ?? {}) as Partial<RequestBodyObject>;
      const bodies = Object.entries(content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.values(examples).map((example) => ({ type, value: (example as { value: unknown }).value })),
      );
      return bodies.length === 0 ? [samples(call)] : bodies.map((body) => samples(call, body));
    }),
  );
}

/** One program of many: each keeps its names to itself. */
function joined(language: string, texts: readonly string[]): string {
  if (language !== 'ts') {
    return texts.join('\n');
  }
  const lines = texts.map((each) =>
    each
      .split('\n')
      .filter((line) => !line.startsWith('import '))
      .join('\n'),
  );
  return `import { writeFile } from 'node:fs/promises';\n${lines.map((each) => `{\n${each}\n}`).join('\n')}`;
}
