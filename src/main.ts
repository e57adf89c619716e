#!/usr/bin/env node
/** The command line: serve, render, submit, admin, migrate, doctor. Data on standard output, the rest on standard error. */

import { readFileSync } from 'node:fs';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import type { AdminContext } from './admin-context.js';
import { explain } from './commands/explain.js';
import { bytesText, countText } from './commands/figures.js';
import { type Config, PROCESS_ROLES, type ProcessRole, readConfig } from './config.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './contract/webhook-events.js';
import type { Role } from './database/schema.js';
import type { ChosenColumn, ColumnRole, SpreadsheetChoices } from './engine/engine.js';
import { VERSION } from './version.js';

/** Loaded when they are asked for: the whole service takes longer to load than most commands to run. */
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

/** Roles of a spreadsheet's columns. */
const COLUMN_ROLES: readonly ColumnRole[] = ['data', 'filename', 'caption', 'reference'];

const program = new Command('qrpress')
  .description('Presses QR codes in bulk.')
  .version(VERSION)
  .showHelpAfterError('usage: qrpress COMMAND [OPTIONS]; try --help')
  .exitOverride()
  .hook('preAction', (_, command) => {
    // What the service keeps is for its own user; what these two write is the caller's.
    if (!['render', 'submit'].includes(command.name())) {
      process.umask(0o077);
    }
  });

program
  .command('serve')
  .description('run the service until SIGTERM, which drains it')
  .addOption(
    new Option('--role <role>', 'what this process does: requests, chunks of jobs, or both')
      .choices(PROCESS_ROLES)
      .default('all'),
  )
  .action(async ({ role }: { role: ProcessRole }) => (await commands.serve()).serve(readConfig(), role));

takesItems(program.command('render'))
  .description('render items to an archive, without a service')
  .option('--json', 'print a JSON report')
  .action(async (file: string, { json, ...options }: RenderFlags) => {
    const { renderThreads: threads, fontDir } = readConfig();
    const { render } = await commands.render();
    const report = await render(file, { ...options, ...inputOf(options), threads, fontDir });
    const text = archiveText(report);
    // Standard output is the archive's, where it goes there.
    (options.out === '-' ? console.error : console.log)(json ? JSON.stringify(report) : text);
  });

takesItems(program.command('submit'))
  .description('post items to a service, follow the job, download its archive')
  .addOption(
    new Option('--url <url>', 'where the service is, such as http://127.0.0.1:8080')
      .env('QRPRESS_URL')
      .argParser(httpUrl)
      .makeOptionMandatory(),
  )
  .addOption(
    new Option('--key <key>', 'an API key; in the environment other users of the machine do not see it')
      .env('QRPRESS_KEY')
      .makeOptionMandatory(),
  )
  .option('--json', 'print a JSON report')
  .action(async (file: string, { json, ...options }: SubmitFlags) => {
    const { submit } = await commands.submit();
    const { chunkItems, fontDir } = readConfig();
    const report = await submit(file, { ...options, ...inputOf(options), chunkItems, fontDir });
    print(json, report, ('jobs' in report ? report.jobs : [report]).map(archiveText).join('\n'));
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
  .command('set-allowance')
  .description('set the credits that an organisation gets each month')
  .requiredOption('--organisation <id>', 'whose')
  .addOption(new Option('--credits <n>', 'how many; 0: none').argParser(wholeNumber).conflicts('standard'))
  .option('--standard', 'as many as QRPRESS_MONTHLY_CREDITS says')
  .option('--json', 'print JSON')
  .action(({ json, organisation, credits, standard }: AllowanceFlags, command: Command) => {
    if (credits === undefined && standard !== true) {
      command.error('error: expected --credits or --standard');
    }
    return administer(readConfig(), async ({ allowances }) => {
      const monthlyCredits = await allowances.set(organisation, credits ?? null);
      print(json, { organisationId: organisation, monthlyCredits }, `It gets ${monthlyCredits} credits a month.`);
    });
  });

admin
  .command('create-webhook')
  .description('make a webhook, and print its secret, once')
  .requiredOption('--organisation <id>', 'whose events')
  .requiredOption('--url <url>', 'where they are posted', httpUrl)
  .addOption(new Option('--event <name...>', 'which events; all when absent').choices(WEBHOOK_EVENTS))
  .option('--json', 'print JSON')
  .action(({ json, organisation, url, event }: WebhookFlags) =>
    administer(readConfig(), async ({ webhooks }) => {
      const webhook = { organisationId: organisation, url, events: event ?? WEBHOOK_EVENTS };
      const created = await webhooks.create(webhook);
      print(json, created, `Webhook ${created.webhookId}, its secret shown only now: ${created.secret}`);
    }),
  );

admin
  .command('list-webhooks')
  .description('list the webhooks of all organisations')
  .option('--json', 'print JSON')
  .action(({ json }: { json?: boolean }) =>
    administer(readConfig(), async ({ webhooks }) => {
      const list = (await webhooks.list()).map(({ id, organisationId, url, events }) => ({
        webhookId: id,
        organisationId,
        url,
        events,
      }));
      const lines = list.map((webhook) => `${webhook.webhookId}  ${webhook.url}  ${webhook.events.join(', ')}`);
      print(json, list, lines.join('\n'));
    }),
  );

admin
  .command('delete-webhook')
  .description('end a webhook, with what waits for it')
  .requiredOption('--webhook-id <id>', 'which webhook')
  .option('--json', 'print JSON')
  .action(({ json, webhookId }: { json?: boolean; webhookId: string }) =>
    administer(readConfig(), async ({ webhooks }) => {
      await webhooks.remove(webhookId);
      print(json, { webhookId }, `Webhook ${webhookId} is deleted.`);
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
  .command('withdraw-operator')
  .description('take the right to run the service from somebody; their account stays')
  .requiredOption('--email <address>', 'from whom')
  .option('--json', 'print JSON')
  .action(({ json, email }: { json?: boolean; email: string }) =>
    administer(readConfig(), async ({ operators }) => {
      await operators.withdraw(email);
      print(json, { email }, `${email} does not run this service any more.`);
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

interface Archive {
  completed: number;
  total: number;
  archiveBytes: number;
  archive: string;
}

interface InputFlags {
  out: string;
  format?: string;
  style?: string;
  sheet?: string;
  column: ChosenColumn[];
  header: boolean;
  json?: boolean;
}

type RenderFlags = InputFlags;

interface AllowanceFlags {
  organisation: string;
  credits?: number;
  standard?: boolean;
  json?: boolean;
}

interface WebhookFlags {
  organisation: string;
  url: string;
  event?: WebhookEvent[];
  json?: boolean;
}

interface InviteFlags {
  organisation: string;
  email: string;
  role: Role;
  json?: boolean;
}

interface SubmitFlags extends InputFlags {
  url: string;
  key: string;
}

/** The argument and the options of a command that reads items. */
function takesItems(command: Command): Command {
  return command
    .argument('<file>', 'a request body (JSON, NDJSON) or a spreadsheet (CSV, XLSX); - is standard input')
    .requiredOption(
      '--out <place>',
      'the ZIP file; of render also a folder/ for the pictures, or - for standard output',
    )
    .addOption(new Option('--format <format>', "instead of the body's own").choices(FORMATS))
    .option('--style <file>', "a JSON file with a style, instead of the body's own", readStyle)
    .option('--sheet <name>', 'the sheet of a workbook; the first one otherwise')
    .option('--column <role=name>', `a column by its name or letter; roles: ${COLUMN_ROLES.join(', ')}`, addColumn, [])
    .option('--no-header', 'the first row of a spreadsheet is an item');
}

function inputOf({ sheet, column, header }: InputFlags): {
  spreadsheet: SpreadsheetChoices;
  onNotice: (notice: string) => void;
} {
  const spreadsheet = {
    ...(sheet !== undefined && { sheet }),
    columns: column,
    recognise: true,
    layout: header ? ('header' as const) : ('rows' as const),
  };
  return { spreadsheet, onNotice: (notice) => console.error(notice) };
}

/** `data=URL`; without a name no column has the role. */
function addColumn(text: string, columns: ChosenColumn[]): ChosenColumn[] {
  const [, role, name = ''] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
  if (!COLUMN_ROLES.includes(role as ColumnRole)) {
    throw new InvalidArgumentError(`expected one of ${COLUMN_ROLES.map((each) => `${each}=NAME`).join(', ')}`);
  }
  return [...columns, { role: role as ColumnRole, ...(name !== '' && { name }) }];
}

async function administer(config: Config, work: (dependencies: AdminContext) => Promise<void>): Promise<void> {
  return (await commands.admin()).administer(config, work);
}

/** An archive that was written, in a line. */
function archiveText({ completed, total, archiveBytes, archive }: Archive): string {
  const place = archive === '-' ? 'standard output' : archive;
  return `${countText(completed)} of ${countText(total)} items, ${bytesText(archiveBytes)} in ${place}`;
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
