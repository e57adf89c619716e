/** A server whose settings are not those that the service needs: it sets what it can for its own sessions and tables, and asks for the rest. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineSurroundings } from '../../src/cli/doctor.js';
import { administer } from '../../src/composition/administer.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/database/connection.js';
import { sql } from 'kysely';
import { ROOT } from '../packages/tool.js';
import { snippetsOf } from '../support/pages.js';
import { describeWithOwnMariadb, startMariadb } from '../support/own-mariadb.js';
import { startTestService } from '../support/service.js';

/** A certificate that its own key has signed, for this machine's name and address. */
function makeCertificate(folder: string): string[] {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=qrpress', '-addext', names];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return [`--ssl-key=${key}`, `--ssl-cert=${certificate}`];
}

describeWithOwnMariadb('a server with settings of its own', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startMariadb>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-settings-'));
    server = await startMariadb([
      '--autocommit=0',
      '--innodb-default-row-format=compact',
      '--character-set-server=utf8mb4',
      '--max-allowed-packet=1M',
      '--sql-mode=',
      ...makeCertificate(folder),
    ]);
    await onServer('create database qrpress character set utf8mb4');
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  async function onServer(statement: string): Promise<void> {
    const { port } = new URL(server.url);
    const connection = await createConnection({ host: '127.0.0.1', port: Number(port), user: 'root' });
    await connection.query(statement);
    await connection.end();
  }

  test('takes tables, and many small jobs at once whose pictures are longer than its packets', async () => {
    const kind = { name: 'MariaDB', create: () => prepare(), prepare: () => prepare() };
    const prepare = async () => ({ url: server.url, drop: async () => undefined });
    const path = join(folder, 'storage');
    const service = await startTestService(kind, { storage: { kind: 'folder', path } });
    const body = (job: number) => ({
      items: Array.from({ length: 100 }, (_, item) => ({
        data: `https://example.com/${job}/${item}/${'x'.repeat(80)}`,
      })),
    });
    const answers = await Promise.all(Array.from({ length: 64 }, (_, job) => service.post(body(job))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await service.close();
    const settings = {
      QRPRESS_DATA_DIR: join(folder, 'data'),
      QRPRESS_DATABASE_URL: server.url,
      QRPRESS_STORAGE_URL: `file://${path}`,
    };
    expect((await examineSurroundings(readConfig(settings), administer)).filter(({ ok }) => !ok)).toEqual([]);
    await onServer('set global max_allowed_packet = 524288');
    expect((await examineSurroundings(readConfig(settings), administer)).filter(({ ok }) => !ok)).toEqual([
      { name: 'database', ok: false, detail: expect.stringContaining('max_allowed_packet') },
    ]);
  }, 60_000);

  test('takes the user, the grants and the URL of docs/run/database.md', async () => {
    const page = 'docs/run/database.md';
    const [grants = ''] = snippetsOf(page, 'grants', 'sql');
    const rename = (text: string) => text.replaceAll(/\bqrpress(?=[ ;.@?:]|$)/g, 'granted');
    for (const statement of rename(grants).trim().split('\n')) await onServer(statement);
    const [, url = ''] = /^QRPRESS_DATABASE_URL=(mysql:.*)$/m.exec(await readFile(join(ROOT, page), 'utf8')) ?? [];
    const { port } = new URL(server.url);
    const database = rename(url).replace('db.internal:3306', `127.0.0.1:${port}`).replace('tls=verify', 'tls=required');
    expect(database).toContain('//granted:p%40ss%2Fword@');
    const prepare = async () => ({ url: database as Config['databaseUrl'], drop: async () => undefined });
    const service = await startTestService({ name: 'MariaDB', create: prepare, prepare });
    const { jobId } = await service.submit({ items: [{ data: 'x' }] });
    await service.ended(jobId);
    expect((await service.fetch(`/api/v1/jobs/${jobId}`, { method: 'DELETE' })).status).toBe(204);
    await service.close();
  }, 60_000);

  test.each([
    ['', ''],
    ['?tls=off', ''],
    ['?tls=required', 'TLS_AES_256_GCM_SHA384'],
    ['?tls=verify&ca=certificate.pem', 'TLS_AES_256_GCM_SHA384'],
  ])('is asked by %s: cipher %j', async (parameters, cipher) => {
    const url = `${server.url}${parameters.replace('certificate', `${folder}/certificate`)}`;
    const database = openDatabase(url as Config['databaseUrl']);
    const { rows } = await sql`show session status like 'Ssl_cipher'`.execute(database);
    await database.destroy();
    expect(rows).toEqual([{ Variable_name: 'Ssl_cipher', Value: cipher }]);
  });

  test('is refused by ?tls=verify while no authority that is trusted vouches for it', async () => {
    const database = openDatabase(`${server.url}?tls=verify` as Config['databaseUrl']);
    await expect(sql`select 1`.execute(database)).rejects.toThrow(/self-signed/);
    await database.destroy();
  });
});
