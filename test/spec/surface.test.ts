import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('every path', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  it.each(['/api', '/api/v1', '/api/v1/jobs/', '/API/v1/credits', '/api/v1/credits/', '/d/', '/%', '//', '/healthz/'])(
    'that is unknown answers 404: %s',
    { tags: ['2.11/error', '9/paths', 'errors/members', 'errors/unknown-paths'] },
    async (path) => {
      const response = await fetch(service.url + path);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toEqual({
        error: 'not_found',
        message: expect.any(String),
        requestId: response.headers.get('x-request-id'),
      });
    },
  );

  it.each([
    ['PUT', '/api/v1/jobs', 'HEAD, GET, POST, OPTIONS'],
    ['GET', '/api/v1/jobs/validate', 'POST, OPTIONS'],
    ['PUT', '/api/v1/jobs/x', 'HEAD, GET, DELETE, OPTIONS'],
    ['DELETE', '/api/v1/jobs/validate', 'POST, OPTIONS'],
    ['POST', '/api/v1/credits', 'HEAD, GET, OPTIONS'],
    ['PUT', '/api/v1/jobs/x/download', 'HEAD, GET, OPTIONS'],
    ['POST', '/d/x', 'HEAD, GET, OPTIONS'],
    ['PROPFIND', '/d/x/status', 'HEAD, GET, OPTIONS'],
    ['POST', '/healthz', 'HEAD, GET, OPTIONS'],
  ])('answers 405 to %s %s', { tags: ['errors/unknown-paths'] }, async (method, path, allow) => {
    const response = await fetch(service.url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await errorOf(response)).toMatchObject({ error: 'method_not_allowed' });
  });

  it.each([
    ['/api/v1/jobs', 'HEAD, GET, POST, OPTIONS'],
    ['/api/v1/jobs/x', 'HEAD, GET, DELETE, OPTIONS'],
    ['/api/v1/jobs/validate', 'POST, OPTIONS'],
    ['/d/x', 'HEAD, GET, OPTIONS'],
  ])(
    'answers OPTIONS of %s with its methods, and without a key',
    { tags: ['errors/unknown-paths'] },
    async (path, allow) => {
      const response = await fetch(service.url + path, { method: 'OPTIONS' });
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toBe(allow);
      expect(await response.text()).toBe('');
    },
  );

  it('answers HEAD like GET, without the body', async () => {
    const response = await service.fetch('/api/v1/credits', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  it('carries security headers and another id each time', async () => {
    const [first, second] = [await fetch(`${service.url}/nowhere`), await fetch(`${service.url}/nowhere`)];
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-frame-options': 'SAMEORIGIN',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('lets no other origin read it, takes no id from the client, and does not say what it is made of', {
    tags: ['errors/members', 'http/request-ids'],
  }, async () => {
    const headers = { origin: 'https://elsewhere.example', 'x-request-id': 'forged', 'x-forwarded-host': 'elsewhere' };
    for (const path of ['/api/v1/credits', '/healthz', '/nowhere']) {
      const response = await service.fetch(path, { headers });
      const names = [...response.headers.keys()];
      expect(names.filter((name) => /^access-control-|^server$|^x-powered-by$|^set-cookie$/.test(name))).toEqual([]);
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
      expect(await response.text()).not.toMatch(/forged|elsewhere/);
    }
  });

  it.each(['ENOSPC', 'EDQUOT'])(
    'answers 503 when there is no room on disk: %s',
    { tags: ['errors/server'] },
    async (code) => {
      const full = Object.assign(new Error('no space left on device'), { code });
      vi.spyOn(service.admin.ledger, 'balance').mockRejectedValueOnce(full);
      const response = await service.fetch('/api/v1/credits');
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('60');
      expect(await errorOf(response)).toMatchObject({ error: 'unavailable' });
      expect((await service.fetch('/api/v1/credits')).status).toBe(200);
    },
  );

  it('answers 503 when the engine cannot read or write a file', { tags: ['errors/server'] }, async () => {
    const { drafts } = service.admin.folder;
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const response = service.fetch('/api/v1/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body.readable,
      duplex: 'half',
    });
    await writer.write(Buffer.from('{"items":['));
    const [id = ''] = await vi.waitFor(
      async () => {
        const ids = await drafts.list();
        expect(ids).toHaveLength(1);
        return ids;
      },
      { timeout: 20_000 },
    );
    await drafts.remove(id);
    await writer.write(Buffer.from('{"data":"1"}]}'));
    await writer.close();
    expect((await response).status).toBe(503);
    expect((await response).headers.get('retry-after')).toBe('5');
    expect(await errorOf(await response)).toMatchObject({ error: 'unavailable' });
  });

  it('shows metrics by route, whatever paths are asked for', async () => {
    await service.fetch('/api/v1/jobs/some-id');
    await fetch(`${service.url}/no/such/path`);
    const response = await fetch(`${service.url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/);
    const text = await response.text();
    expect(text).toContain('qrpress_process_resident_memory_bytes');
    expect(text).toContain(
      'qrpress_http_request_duration_seconds_count{method="GET",route="/api/v1/jobs/:jobId",status="4xx"} 1',
    );
    expect(text).not.toMatch(/some-id|such/);
  });

  it('is healthy and ready', async () => {
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(200);
    const check = { state: 'ok', durationMs: expect.any(Number) };
    expect(await ready.json()).toEqual({
      status: 'ok',
      checks: { database: check, schema: check, storage: check, disk: check, engine: check },
    });
  });
});
