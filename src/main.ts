#!/usr/bin/env node
/** The command line: serve, render, submit, admin, migrate, doctor. Data on standard output, the rest on standard error. */

import { readFileSync } from 'node:fs';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import type { Backoffice } from './backoffice.js';
import { explain } from './commands/explain.js';
import { type Config, PROCESS_ROLES, type ProcessRole, readConfig } from './config.js';
import type { Role } from './database/schema.js';
import { VERSION } from './version.js';

/** Loaded when they are asked for: all the rooms take longer to load than most commands to run. */
const commands = {
  admin: () => import('./commands/admin.js'),
  backup: () => import('./commands/backup.js'),
  doctor: () => import('./commands/doctor.js'),
  migrate: () => import('./commands/migrate.js'),
  render: () => import('./commands/render.js'),
  serve: () => import('./commands/serve.js'),
  submit: () => import('./commands/submit.js'),
};

/** Exit codes: 1, what was asked for did not work; 2, the arguments are wrong. */
const EXIT = { failed: 1, usage: 2 } as const;

const FORMATS = ['png', 'svg', 'both'];

const program = new Command('qrpress')
  .description('Presses QR codes in bulk.')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride();

program
  .command('serve')
  .description('run the service until SIGTERM, which drains it')
  .addOption(
    new Option('--role <role>', 'what this process does: requests, chunks of jobs, or both')
      .choices(PROCESS_ROLES)
      .default('all'),
  )
  .action(async ({ role }: { role: ProcessRole }) => (await commands.serve()).serve(readConfig(), role));

program
  .command('render')
  .description('render a request body (JSON, NDJSON) or a CSV file to an archive, without a service')
  .argument('<file>', 'input; - is standard input, as NDJSON')
  .requiredOption('--out <zip>', 'where the archive goes')
  .addOption(new Option('--format <format>', "instead of the body's own").choices(FORMATS))
  .option('--style <file>', "a JSON file with a style, instead of the body's own", readStyle)
  .option('--json', 'print a JSON report')
  .action(async (file: string, { json, ...options }: RenderFlags) => {
    const { renderThreads: threads, chunkItems, fontDir } = readConfig();
    const { render } = await commands.render();
    const report = await render(file, { ...options, threads, chunkItems, fontDir });
    print(
      json,
      report,
      `${report.completed} of ${report.total} items, ${report.archiveBytes} bytes in ${report.archive}`,
    );
  });

program
  .command('submit')
  .description('post a request body to a service, follow the job, download its archive')
  .argument('<file>', 'a .json body, or else NDJSON')
  .requiredOption('--url <url>', 'where the service is, such as http://127.0.0.1:8080', httpUrl)
  .requiredOption('--key <key>', 'an API key')
  .requiredOption('--out <zip>', 'where the archive goes')
  .option('--json', 'print a JSON report')
  .action(async (file: string, { json, ...options }: SubmitFlags) => {
    const { submit } = await commands.submit();
    const report = await submit(file, options);
    print(
      json,
      report,
      `${report.completed} of ${report.total} items, ${report.archiveBytes} bytes in ${report.archive}`,
    );
  });

program
  .command('migrate')
  .description('bring the database to the tables of this version')
  .action(async () => {
    const { migrateDatabase } = await commands.migrate();
    const done = await migrateDatabase(readConfig());
    console.log(done.length === 0 ? 'The database is up to date.' : `Migrated: ${done.join(', ')}`);
  });

program
  .command('doctor')
  .description('check configuration, database, storage, engine and fonts')
  .option('--json', 'print a JSON report')
  .action(async ({ json }: { json?: boolean }) => {
    const { doctor } = await commands.doctor();
    const findings = await doctor(readConfig());
    const lines = findings.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`);
    print(json, findings, lines.join('\n'));
    if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.failed;
  });

const admin = program.command('admin').description('organisations, keys and credits');

admin
  .command('create-organisation')
  .description('make an organisation')
  .requiredOption('--name <name>', 'its name')
  .requiredOption('--owner <email>', 'where mail to the owner goes')
  .option('--credits <n>', 'credits to begin with', wholeNumber, 0)
  .option('--json', 'print JSON')
  .action(({ json, name, owner, credits }: { json?: boolean; name: string; owner: string; credits: number }) =>
    administer(readConfig(), async ({ organisations }) => {
      const organisationId = await organisations.create({ name, ownerEmail: owner, credits });
      print(json, { organisationId }, `Organisation ${organisationId}`);
    }),
  );

admin
  .command('create-key')
  .description('make a key, and print it, once')
  .requiredOption('--organisation <id>', 'whose key')
  .requiredOption('--name <name>', 'what the key is for')
  .option('--json', 'print JSON')
  .action(({ json, organisation, name }: { json?: boolean; organisation: string; name: string }) =>
    administer(readConfig(), async ({ keys }) => {
      const created = await keys.create(organisation, name);
      print(json, created, `Key ${created.keyId}, shown only now: ${created.key}`);
    }),
  );

admin
  .command('revoke-key')
  .description('end a key at once')
  .requiredOption('--key-id <id>', 'which key')
  .option('--json', 'print JSON')
  .action(({ json, keyId }: { json?: boolean; keyId: string }) =>
    administer(readConfig(), async ({ keys }) => {
      await keys.revoke(keyId);
      print(json, { keyId }, `Key ${keyId} is revoked.`);
    }),
  );

admin
  .command('grant-credits')
  .description('add credits')
  .requiredOption('--organisation <id>', 'to whom')
  .requiredOption('--credits <n>', 'how many', wholeNumber)
  .requiredOption('--reason <text>', 'kept in the ledger')
  .option('--json', 'print JSON')
  .action(
    ({
      json,
      organisation,
      credits,
      reason,
    }: {
      json?: boolean;
      organisation: string;
      credits: number;
      reason: string;
    }) =>
      administer(readConfig(), async ({ ledger }) => {
        const balance = await ledger.grant(organisation, credits, reason);
        print(json, { organisationId: organisation, balance }, `The balance is ${balance}.`);
      }),
  );

admin
  .command('list-organisations')
  .description('list organisations with their balances')
  .option('--json', 'print JSON')
  .action(({ json }: { json?: boolean }) =>
    administer(readConfig(), async ({ organisations }) => {
      const list = await organisations.list();
      print(json, list, list.map(({ id, name, balance }) => `${id}  ${balance}  ${name}`).join('\n'));
    }),
  );

admin
  .command('invite')
  .description('print a one-time link that makes its follower a member, such as the owner of an organisation made here')
  .requiredOption('--organisation <id>', 'to where')
  .requiredOption('--email <address>', 'whom')
  .addOption(new Option('--role <role>', 'as what').choices(['owner', 'admin', 'member']).default('owner'))
  .option('--json', 'print JSON')
  .action(({ json, organisation, email, role }: InviteFlags) => {
    const config = readConfig();
    return administer(config, async ({ database }) => {
      const { invitationUrl } = await commands.admin();
      const url = await invitationUrl(config.baseUrl, database, { organisationId: organisation, email, role });
      print(json, { url }, url);
    });
  });

admin
  .command('operator-link')
  .description('print a one-time link that makes its follower an operator; earlier ones end')
  .option('--json', 'print JSON')
  .action(({ json }: { json?: boolean }) => {
    const config = readConfig();
    return administer(config, async ({ operators }) => {
      const { operatorUrl } = await commands.admin();
      const url = await operatorUrl(config.baseUrl, operators);
      print(json, { url }, url);
    });
  });

admin
  .command('verify')
  .description('check the invariants of ledger, jobs and archives')
  .option('--repair', 'delete inputs that no process made a job of for more than a day')
  .option('--json', 'print JSON')
  .action(async ({ json, repair = false }: { json?: boolean; repair?: boolean }) => {
    const { verifyInvariants } = await commands.admin();
    const violations = await verifyInvariants(readConfig(), { repair });
    const lines = violations.map(
      ({ subject, problem, repaired }) => `${subject}: ${problem}${repaired ? '; deleted' : ''}`,
    );
    print(json, { violations }, lines.length === 0 ? 'Everything holds.' : lines.join('\n'));
    if (violations.some(({ repaired }) => !repaired)) process.exitCode = EXIT.failed;
  });

admin
  .command('backup')
  .description('write all that the service keeps, also while it runs')
  .requiredOption('--to <path>', 'a folder, or a file where it ends in .tar; there must be nothing yet')
  .option('--without-archives', 'leave out the jobs that have ended; the ledger stays whole')
  .option('--json', 'print JSON')
  .action(async ({ json, to, withoutArchives }: { json?: boolean; to: string; withoutArchives?: boolean }) => {
    const { writeBackup } = await commands.backup();
    const report = await writeBackup(readConfig(), to, withoutArchives !== true);
    print(json, report, `${report.files} files, ${report.bytes} bytes, ${report.jobs} jobs in ${to}`);
  });

admin
  .command('restore')
  .description('fill an empty database and data folder from a backup')
  .requiredOption('--from <path>', 'the folder or file')
  .option('--json', 'print JSON')
  .action(async ({ json, from }: { json?: boolean; from: string }) => {
    const { readBackup } = await commands.backup();
    const report = await readBackup(readConfig(), from);
    const { version, createdAt, files, rows } = report;
    print(json, report, `Restored ${files} files and ${rows} rows of version ${version}, ${createdAt}.`);
  });

interface RenderFlags {
  out: string;
  format?: string;
  style?: string;
  json?: boolean;
}

interface InviteFlags {
  organisation: string;
  email: string;
  role: Role;
  json?: boolean;
}

interface SubmitFlags {
  url: string;
  key: string;
  out: string;
  json?: boolean;
}

async function administer(config: Config, work: (rooms: Backoffice) => Promise<void>): Promise<void> {
  return (await commands.admin()).administer(config, work);
}

function print(json: boolean | undefined, document: unknown, text: string): void {
  console.log(json ? JSON.stringify(document) : text);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('expected a whole number');
  return value;
}

function httpUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('expected a URL that begins with http:// or https://');
  }
  return text;
}

function readStyle(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
  }
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  } else {
    console.error(explain(error));
    process.exitCode = EXIT.failed;
  }
}
