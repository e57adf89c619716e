/** The guides at `/docs/…`: readable without scripts, without dead links, and with commands that work as they are written. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideLinks } from '../../src/openapi/page/guide-pages.js';
import { sqlite } from '../support/databases.js';
import { commandsOf } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

describe('the guides', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService(sqlite);
    folder = await mkdtemp(join(tmpdir(), 'qrpress-guides-'));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const page = async (path: string) => {
    const response = await fetch(service.url + path);
    return { status: response.status, html: await response.text(), headers: response.headers };
  };

  it('are pages with a title, each linked from the reference and the others', async () => {
    const reference = await page('/docs');
    for (const { slug, title } of guideLinks()) {
      const { status, html, headers } = await page(`/docs/${slug}`);
      expect(status).toBe(200);
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).not.toContain('tested:');
      expect(html).not.toContain('<script');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(reference.html).toContain(`href="/docs/${slug}"`);
      for (const [, path = ''] of html.matchAll(/href="(\/docs[^"#]*)"/g)) {
        expect((await page(path)).status).toBe(200);
      }
    }
    expect((await page('/docs/nothing')).status).toBe(404);
  });

  it('have commands that work one after the other', async () => {
    const name = 'test/openapi/guides.test.ts';
    const commands = ['quick-start', 'logos', 'captions', 'waiting-and-webhooks']
      .flatMap((slug) => commandsOf(`docs/guides/${slug}.md`, name))
      .join('\n')
      .replace('http://127.0.0.1:8080', service.url)
      .replace('your-key', service.key);
    const { stdout } = await promisify(execFile)('bash', ['-euc', `${commands}\necho done`], { cwd: folder });
    expect(stdout).toMatch(/done\n$/);
    expect((await readFile(join(folder, 'codes.zip'))).subarray(0, 2).toString()).toBe('PK');
    expect(await readFile(join(folder, 'manifest.csv'), 'utf8')).toMatch(/^index,reference,data/);
  });
});
