/** The client in every runtime that it is for, as far as it is installed. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, launch, watch } from '../support/browser.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const run = promisify(execFile);
const JOURNEY = fileURLToPath(new URL('journey.js', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

const EXPECTED = {
  total: 3,
  last: 'complete',
  isWhole: true,
  references: ['row 1', 'row 2', 'row 3'],
  picture: '<svg',
  refusal: 'invalid_input',
  type: 'job.complete',
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

/** A message that another library signed. */
function signedMessage() {
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const now = new Date();
  const body = JSON.stringify({ type: 'job.complete', timestamp: now.toISOString(), data: {} });
  const headers = {
    'webhook-id': 'm',
    'webhook-timestamp': `${Math.floor(now.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(secret).sign('m', now, body),
  };
  return { body, headers, secret };
}

const isInstalled = async (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );

describe('the client', () => {
  it.for([
    ['Node.js', process.execPath],
    ['Deno', 'deno', 'run', '--allow-all', '--no-lock'],
    ['Bun', 'bun', 'run'],
  ])('works in %s', { timeout: 120_000 }, async ([, program = '', ...words], { skip }) => {
    if (!(await isInstalled(program))) {
      skip(`${program} is not installed`);
    }
    const env = {
      ...process.env,
      QRPRESS_URL: service.url,
      QRPRESS_KEY: service.key,
      WEBHOOK: JSON.stringify(signedMessage()),
    };
    const { stdout } = await run(program, [...words, JOURNEY], { env });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});

describeInBrowser('the client in a browser', () => {
  it('works on a page of the same origin', async () => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const complaints = watch(page, service.url);
      await page.route('**/page/**', async (route) => {
        const [, name = ''] = new URL(route.request().url()).pathname.split('/page/');
        const path = name === 'journey.js' ? JOURNEY : DIST + name;
        await route.fulfill(
          name === ''
            ? { contentType: 'text/html', body: '<!doctype html><title>page</title>' }
            : { contentType: 'text/javascript', body: await readFile(path, 'utf8') },
        );
      });
      await page.goto(`${service.url}/page/`);
      const options = { url: service.url, key: service.key, webhook: signedMessage() };
      // A text, since the compiler would take the imports for its own.
      const seen = await page.evaluate(`(async () => {
        const { journey } = await import('/page/journey.js');
        return journey(await import('/page/client/client.js'), ${JSON.stringify(options)});
      })()`);
      expect(seen).toEqual(EXPECTED);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  }, 120_000);
});
