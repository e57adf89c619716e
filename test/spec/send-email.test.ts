/** `sendEmail`: the owner gets the download link, once, and not before the job is complete. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

describeOnDatabases('sendEmail', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  it('mails the link that downloads the archive', { tags: ['1/mail', '6/mail'] }, async () => {
    const { jobId } = await service.submit({ sendEmail: true, items: [{ data: 'one' }, { data: 'two' }] });
    const mail = await service.nextMail('owner@example.org');
    expect(mail.subject).toBe('Your QR codes are ready: 2 codes');
    // Whatever the clock says: the mail was written by the transaction that completed the job.
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete' });
    const [link = ''] = /\/d\/\S+/.exec(mail.text) ?? [];
    const archive = await fetch(service.url + link);
    expect(archive.headers.get('content-type')).toBe('application/zip');
    expect(service.mails).toHaveLength(0);
  });

  it('mails the whole letter, whatever characters the name of the job has', async () => {
    await service.submit({ name: 'a\0b\r\n', sendEmail: true, items: [{ data: 'named' }] });
    const mail = await service.nextMail('owner@example.org');
    expect(mail.subject).toMatch(/^“a.b ” is ready: 1 code$/u);
    expect(mail.text).toMatch(/\/d\/\S+/);
    expect(mail.html).toMatch(/href="[^"]+\/d\//);
  });

  it('mails nothing unless asked', { tags: ['1/mail', '2.1/send-email', '6/mail'] }, async () => {
    const { jobId } = await service.submit({ items: [{ data: 'quiet' }] });
    await service.ended(jobId);
    const asked = await service.submit({ sendEmail: true, items: [{ data: 'loud' }] });
    expect((await service.nextMail('owner@example.org')).text).toContain(asked.jobId);
    expect(service.mails).toHaveLength(0);
  });
});
