/** The front page: samples of what a visitor types, and the ways in. */

import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { EngineError } from '../../src/engine/engine.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

const BROWSER = { accept: 'text/html' };

describeOnDatabases('the front page', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => service.close());

  it('shows the ways in also while nothing can be drawn', async () => {
    // The service asks its engine whether it runs.
    const describe = vi.spyOn(EngineSupervisor.prototype, 'describe');
    expect((await service.fetch('/readyz')).status).toBe(200);
    const engine = describe.mock.contexts[0] as EngineSupervisor;
    vi.spyOn(engine, 'drawSamples').mockRejectedValue(new EngineError('down', 'exit code 1'));
    const visitor = new Visitor(service);
    for (const path of ['/', '/?text=mine']) {
      const { status, html } = await visitor.get(path, BROWSER);
      expect([status, html.includes('href="/account/sign-in"')]).toEqual([200, true]);
      expect(html).toContain('temporarily unavailable');
    }
    expect((await visitor.get('/account/samples?text=mine')).html).toContain('{"problem":"The service is temporarily');
    vi.restoreAllMocks();
    expect((await visitor.get('/', BROWSER)).html.match(/<img src="data:image\/svg/g)).toHaveLength(3);
  });

  it('shows what comes of a list, and says what the codes are not for', async () => {
    const visitor = new Visitor(service);
    const { html } = await visitor.get('/', BROWSER);
    expect(html).toContain('get every code as PNG or SVG, or as a PDF for your label sheets');
    expect(html).toContain('No dynamic links');
    expect(html).toMatch(/Links, texts, Wi-Fi, contacts, payments/);
    expect(html).toMatch(/<header.*<a href="\/account\/sign-in">Sign in<\/a>.*<\/header>/s);
    expect(html).not.toContain('This service is run by');
    // No mail is sent here, so nobody can sign up.
    expect(html).toMatch(
      /<a class="button" href="\/account\/sign-in">.*Accounts are given by whoever runs this server/s,
    );
    expect(html).not.toMatch(/sign-up|You start with|Start with/);
    expect((await visitor.get('/account/sign-in')).html).not.toContain('Create an account');
    const links = [...html.matchAll(/(?:src|href)="(\/(?:docs|account\/assets)\/[^"]+)"/g)].map(
      ([, link = '']) => link,
    );
    expect(links).toEqual(
      expect.arrayContaining(['codes', 'sheet', 'studio-small'].map((name) => `/docs/pictures/${name}.png`)),
    );
    for (const link of links) expect((await visitor.get(link, BROWSER)).status, link).toBe(200);
  });
});

describeOnDatabases('the front page of a service that sends mails', (kind) => {
  it('begins with the account that a visitor creates', async () => {
    const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'qrpress <qr@example.org>' };
    const service = await startTestService(kind, { mail });
    try {
      const { html } = await new Visitor(service).get('/', BROWSER);
      expect(html).toContain('<a class="button" href="/account/sign-up">Create an account</a>');
      expect(html).toContain('<a href="/account/sign-up">Start with 500 credits</a>');
      expect(html).not.toContain('Accounts are given');
      expect((await new Visitor(service).get('/account/sign-in')).html).toContain('>Create an account</a>');
    } finally {
      await service.close();
    }
  });
});

describeOnDatabases('the front page of a service whose credits are unlimited', (kind) => {
  it('names who runs it, and no credits', async () => {
    const brand = { name: 'City of Example', folder: undefined };
    const service = await startTestService(kind, { credits: 'unlimited', monthlyCredits: 7, brand });
    try {
      const visitor = new Visitor(service);
      const { html } = await visitor.get('/', BROWSER);
      expect(html).toContain('This service is run by City of Example.');
      expect(html).toContain('Codes cost nothing here.');
      for (const path of ['/', '/account/sign-up']) {
        expect((await visitor.get(path, BROWSER)).html).not.toMatch(/\d+ credits|costs one/);
      }
    } finally {
      await service.close();
    }
  });
});
