/** The subcommands of `qrpress admin`: their options and their output. */

import { type Command, Option } from 'commander';
import type { AdminContext } from './admin-context.js';
import { type Config, readConfig } from '../config/config.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../contract/response-schema.js';
import { counted } from '../platform/counted.js';
import type { KeyAccess, Role } from '../database/schema.js';
import { EXIT, emailAddress, futureTime, httpUrl, positiveNumber, print, shortText, wholeNumber } from './arguments.js';

/** Loaded on demand: loading takes longer than parsing the command. */
const commands = { admin: () => import('./admin.js'), backup: () => import('./backup.js') };

/** A command's result: printed as the document with `--json`, otherwise as the text. */
interface Result {
  document: unknown;
  text: string;
}

export function defineAdmin(program: Command): void {
  const admin = program.command('admin').description('organisations, keys and credits');
  defineOrganisations(admin);
  defineLimits(admin);
  defineCredits(admin);
  defineKeys(admin);
  defineWebhooks(admin);
  defineWebhookTest(admin);
  defineOperators(admin);
  defineData(admin);
}

function defineOrganisations(admin: Command): void {
  defineCommand(
    admin
      .command('create-organisation')
      .description('make an organisation')
      .requiredOption('--name <name>', 'its name', shortText)
      .requiredOption('--owner <email>', 'where mail to the owner goes', emailAddress)
      .option('--credits <n>', 'credits to begin with', wholeNumber, 0),
    async ({ organisations }, { name, owner, credits }: { name: string; owner: string; credits: number }) => {
      const organisationId = await organisations.create({ name, ownerEmail: owner, credits });
      return { document: { organisationId }, text: `Organisation ${organisationId}` };
    },
    { mayCreate: true },
  );

  defineCommand(
    admin.command('list-organisations').description('list organisations with their balances'),
    async ({ organisations }) => {
      const list = await organisations.list();
      return { document: list, text: list.map(({ id, name, balance }) => `${id}  ${balance}  ${name}`).join('\n') };
    },
  );

  defineCommand(
    admin
      .command('invite')
      .description(
        'print a one-time link that makes its follower a member, such as the owner of an organisation made here',
      )
      .requiredOption('--organisation <id>', 'to where')
      .requiredOption('--email <address>', 'whom', emailAddress)
      .addOption(new Option('--role <role>', 'as what').choices(['owner', 'admin', 'member']).default('owner')),
    async ({ database }, invited: { organisation: string; email: string; role: Role }, { baseUrl }) => {
      const { organisation: organisationId, email, role } = invited;
      const { invitationUrl } = await commands.admin();
      const url = await invitationUrl(baseUrl, database, { organisationId, email, role });
      return { document: { url }, text: url };
    },
  );
}

function defineLimits(admin: Command): void {
  const limit = (flags: string, description: string) =>
    new Option(flags, description).argParser(positiveNumber).conflicts('standard');
  defineCommand(
    admin
      .command('set-limits')
      .description("set an organisation's own limits; those that are left out stay as they are")
      .requiredOption('--organisation <id>', 'whose')
      .addOption(limit('--create <n>', 'jobs a minute, for each key'))
      .addOption(limit('--read <n>', 'other requests a minute, for each key and endpoint'))
      .addOption(limit('--at-once <n>', 'pieces of each kind of work at once, in each process'))
      .option('--standard', 'all as for every organisation')
      .hook('preAction', requireOneOf('--create', '--read', '--at-once', '--standard')),
    async (
      { organisationLimits },
      flags: { organisation: string; create?: number; read?: number; atOnce?: number; standard?: boolean },
    ) => {
      const { organisation: organisationId, create, read, atOnce, standard } = flags;
      const change =
        standard === true
          ? { createsPerMinute: null, readsPerMinute: null, atOnce: null }
          : {
              ...(create !== undefined && { createsPerMinute: create }),
              ...(read !== undefined && { readsPerMinute: read }),
              ...(atOnce !== undefined && { atOnce }),
            };
      const limits = await organisationLimits.set(organisationId, change);
      const lines = Object.entries(limits).map(([name, own]) => `${name}: ${own ?? 'standard'}`);
      return { document: { organisationId, ...limits }, text: lines.join('\n') };
    },
  );
}

function defineCredits(admin: Command): void {
  defineCommand(
    admin
      .command('grant-credits')
      .description('add credits')
      .requiredOption('--organisation <id>', 'to whom')
      .requiredOption('--credits <n>', 'how many', wholeNumber)
      .requiredOption('--reason <text>', 'kept in the ledger', shortText),
    async ({ ledger }, flags: { organisation: string; credits: number; reason: string }) => {
      const { organisation: organisationId, credits, reason } = flags;
      const balance = await ledger.grant(organisationId, credits, reason);
      return { document: { organisationId, balance }, text: `The balance is ${balance}.` };
    },
  );

  defineCommand(
    admin
      .command('set-allowance')
      .description('set the credits that an organisation gets each month')
      .requiredOption('--organisation <id>', 'whose')
      .addOption(new Option('--credits <n>', 'how many; 0: none').argParser(wholeNumber).conflicts('standard'))
      .option('--standard', 'as many as QRPRESS_MONTHLY_CREDITS says')
      .hook('preAction', requireOneOf('--credits', '--standard')),
    async ({ allowances }, { organisation, credits }: { organisation: string; credits?: number }) => {
      const monthlyCredits = await allowances.set(organisation, credits ?? null);
      const document = { organisationId: organisation, monthlyCredits };
      return { document, text: `It gets ${counted(monthlyCredits, 'credit')} a month.` };
    },
  );
}

function defineKeys(admin: Command): void {
  defineCommand(
    admin
      .command('create-key')
      .description('make a key, and print it, once')
      .requiredOption('--organisation <id>', 'whose key')
      .requiredOption('--name <name>', 'what the key is for', shortText)
      .option('--expires <time>', 'when it ends, such as 2027-01-31T12:00:00Z; never when absent', futureTime)
      .addOption(
        new Option('--access <access>', 'everything, or reading and downloading')
          .choices(['full', 'read'])
          .default('full'),
      ),
    async ({ keys }, flags: { organisation: string; name: string; expires?: number; access: KeyAccess }) => {
      const { organisation, name, expires: expiresAt, access } = flags;
      const created = await keys.create(organisation, name, { access, expiresAt });
      return { document: created, text: `Key ${created.keyId}, shown only now: ${created.key}` };
    },
  );

  defineCommand(
    admin.command('revoke-key').description('end a key at once').requiredOption('--key-id <id>', 'which key'),
    async ({ keys }, { keyId }: { keyId: string }) => {
      await keys.revoke(keyId);
      return { document: { keyId }, text: `Key ${keyId} is revoked.` };
    },
  );
}

function defineWebhooks(admin: Command): void {
  defineCommand(
    admin
      .command('create-webhook')
      .description('make a webhook, and print its secret, once')
      .requiredOption('--organisation <id>', 'whose events')
      .requiredOption('--url <url>', 'where they are posted', httpUrl)
      .addOption(new Option('--event <name...>', 'which events; all when absent').choices(WEBHOOK_EVENTS)),
    async ({ webhooks }, flags: { organisation: string; url: string; event?: WebhookEvent[] }) => {
      const { organisation: organisationId, url, event: events = WEBHOOK_EVENTS } = flags;
      const created = await webhooks.create({ organisationId, url, events });
      return { document: created, text: `Webhook ${created.webhookId}, its secret shown only now: ${created.secret}` };
    },
  );

  defineCommand(
    admin.command('list-webhooks').description('list the webhooks of all organisations'),
    async ({ webhooks }) => {
      const list = (await webhooks.list()).map(({ id, organisationId, url, events }) => ({
        webhookId: id,
        organisationId,
        url,
        events,
      }));
      const lines = list.map(({ webhookId, url, events }) => `${webhookId}  ${url}  ${events.join(', ')}`);
      return { document: list, text: lines.join('\n') };
    },
  );

  defineCommand(
    admin
      .command('delete-webhook')
      .description('end a webhook, with what waits for it')
      .requiredOption('--webhook-id <id>', 'which webhook'),
    async ({ webhooks }, { webhookId }: { webhookId: string }) => {
      await webhooks.remove(webhookId);
      return { document: { webhookId }, text: `Webhook ${webhookId} is deleted.` };
    },
  );
}

function defineWebhookTest(admin: Command): void {
  defineCommand(
    admin
      .command('test-webhook')
      .description('call a webhook once with the event `test`; exit 1 where it fails')
      .requiredOption('--webhook-id <id>', 'which webhook'),
    async ({ webhooks }, { webhookId }: { webhookId: string }) => {
      const { isDelivered, ...outcome } = await webhooks.test(webhookId);
      if (!isDelivered) process.exitCode = EXIT.failed;
      const text = 'error' in outcome ? outcome.error : `HTTP ${outcome.status} after ${outcome.seconds} s`;
      return { document: outcome, text };
    },
  );
}

function defineOperators(admin: Command): void {
  defineCommand(
    admin
      .command('operator-link')
      .description('print a one-time link that makes its follower an operator; earlier ones end'),
    async ({ operators }, _, { baseUrl }) => {
      const { operatorUrl } = await commands.admin();
      const url = await operatorUrl(baseUrl, operators);
      return { document: { url }, text: url };
    },
    { mayCreate: true },
  );

  defineCommand(
    admin
      .command('withdraw-operator')
      .description('take the right to run the service from somebody; their account stays')
      .requiredOption('--email <address>', 'from whom', emailAddress),
    async ({ operators }, { email }: { email: string }) => {
      await operators.withdraw(email);
      return { document: { email }, text: `${email} does not run this service any more.` };
    },
  );
}

function defineData(admin: Command): void {
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
      print(
        json,
        report,
        `${counted(report.files, 'file')}, ${report.bytes} bytes, ${counted(report.jobs, 'job')} in ${to}`,
      );
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
      print(
        json,
        report,
        `Restored ${counted(files, 'file')} and ${counted(rows, 'row')} of version ${version}, ${createdAt}.`,
      );
    });
}

/** Completes a command that works beside a running service: adds `--json`, and prints the result of `work`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- commander does not know the types of its flags
function defineCommand<Flags extends object>(
  command: Command,
  work: (context: AdminContext, flags: Flags, config: Config) => Promise<Result>,
  options?: { mayCreate: boolean },
): void {
  command.option('--json', 'print JSON').action(async ({ json, ...flags }: { json?: boolean }) => {
    const config = readConfig();
    const admin = await commands.admin();
    const run = (context: AdminContext) => work(context, flags as Flags, config);
    const { document, text } = await admin.administer(config, run, options);
    print(json, document, text);
  });
}

/** A hook that refuses a command with none of these options, as they are written. */
function requireOneOf(...names: string[]): (command: Command) => void {
  return (command) => {
    const options = command.options.filter(({ long }) => names.includes(long ?? ''));
    if (options.every((option) => command.getOptionValue(option.attributeName()) === undefined)) {
      command.error(`error: expected one of ${names.join(', ')}`);
    }
  };
}
