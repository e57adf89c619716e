/** The examples as they are: accepted, drawn, and read back by an independent decoder. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.js';
import { decodePng, rasterise, unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));
const examples = readdirSync(FOLDER).filter((name) => /\.(json|ndjson)$/.test(name));

/** Pictures of an example that are decoded; others have the same style. */
const DECODED = 20;

describe('Examples', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(sqlite);
  });
  afterAll(() => service.close());

  it.each(examples)('%s', async (name) => {
    const body = readFileSync(FOLDER + name, 'utf8');
    const items = name.endsWith('.json')
      ? (JSON.parse(body) as { items: { data: string }[] }).items
      : body
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => JSON.parse(line) as { data: string });
    const { jobId, downloadUrl } = await service.submit(body, {
      'content-type': name.endsWith('.json') ? 'application/json' : 'application/x-ndjson',
    });
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', completed: items.length, failed: 0 });
    const entries = await unzip(Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer()));
    const texts = new Set(items.map(({ data }) => data));
    for (const [entry, picture] of [...entries].slice(0, DECODED)) {
      const { text } = await decodePng(entry.endsWith('.svg') ? rasterise(picture) : picture);
      expect(texts).toContain(text);
    }
  });
});
