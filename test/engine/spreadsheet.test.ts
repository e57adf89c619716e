/** The engine reading spreadsheets: for as long as somebody waits for the body. */

import { createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Engine, EngineError, type SpreadsheetRequest } from '../../src/engine/engine.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { readSpreadsheet } from '../../src/jobs/intake/spreadsheet.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';
import { BodyAbortedError } from '../../src/platform/body-aborted-error.js';

let fixture: EngineFixture;
let supervisor: EngineSupervisor;
let request: SpreadsheetRequest;

beforeEach(async () => {
  fixture = await openEngineFixture();
  supervisor = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
  const path = fixture.path('large.csv');
  request = { path, bodyPath: fixture.path('body'), meta: '{}', columns: [], recognise: true, layout: 'header' };
  const rows = Array.from({ length: 1_000 }, () => 'data,text\n').join('');
  await pipeline(
    Readable.from(['data,caption\n', ...Array.from({ length: 900 }, () => rows)]),
    createWriteStream(path),
  );
});
afterEach(async () => {
  await supervisor.close();
  await fixture.remove();
});

it('ends when the body is deleted, and goes on with what others ask', async () => {
  const reading = readSpreadsheet(supervisor, request).catch((error: unknown) => error);
  await expect
    .poll(async () => (await stat(request.bodyPath)).size, { interval: 1, timeout: 30_000 })
    .toBeGreaterThan(0);
  await rm(request.bodyPath);
  expect(await reading).toBeInstanceOf(BodyAbortedError);
  await writeFile(request.path, 'data,caption\ndata,text\n');
  expect(await readSpreadsheet(supervisor, request)).toMatchObject({ items: 1, problems: [] });
});

it('has a time, after which the person may try again', async () => {
  const outOfTime = () => Promise.reject(new EngineError('out_of_time', 'the reading took more time than it is given'));
  const slow = { readSpreadsheet: outOfTime } as Partial<Engine> as Engine;
  await expect(readSpreadsheet(slow, request)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
});
