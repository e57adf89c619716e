/** The subcommands of `qrpress admin`: their options and their output. */

import { type Command, Option } from 'commander';
import type { AdminContext } from '../admin-context.js';
import { type Config, readConfig } from '../config.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../contract/webhook-events.js';
import type { Role } from '../database/schema.js';
import { EXIT, httpUrl, positiveNumber, print, wholeNumber } from './arguments.js';

/** Loaded on demand: loading takes longer than parsing the command. */
const commands = { admin: () => import('./admin.js'), backup: () => import('./backup.js') };

interface AllowanceFlags {
  organisation: string;
  credits?: number;
  standard?: boolean;
  json?: boolean;
}

interface LimitFlags {
  organisation: string;
  create?: number;
  read?: number;
  atOnce?: number;
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

/** Adds `admin` to the program. */
export function defineAdmin(program: Command): void {
  const admin = program.command('admin').description('organisations, keys and credits');
  defineOrganisations(admin);
  defineCredits(admin);
  defineKeys(admin);
  defineWebhooks(admin);
  defineOperators(admin);
  defineData(admin);
}

function defineOrganisations(admin: Command): void {
  admin
    .command('create-organisation')
    .description('make an organisation')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--owner <email>', 'where mail to the owner goes')
    .option('--credits <n>', 'credits to begin with', wholeNumber, 0)
    .option('--json', 'print JSON')
    .action(({ json, name, owner, credits }: { json?: boolean; name: string; owner: string; credits: number }) =>
      administer(
        readConfig(),
        async ({ organisations }) => {
          const organisationId = await organisations.create({ name, ownerEmail: owner, credits });
          print(json, { organisationId }, `Organisation ${organisationId}`);
        },
        { mayCreate: true },
      ),
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

  defineLimits(admin);

  admin
    .command('invite')
    .description(
      'print a one-time link that makes its follower a member, such as the owner of an organisation made here',
    )
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
}

function defineLimits(admin: Command): void {
  const limit = (flags: string, description: string) =>
    new Option(flags, description).argParser(positiveNumber).conflicts('standard');
  admin
    .command('set-limits')
    .description("set an organisation's own limits; those that are left out stay as they are")
    .requiredOption('--organisation <id>', 'whose')
    .addOption(limit('--create <n>', 'jobs a minute, for each key'))
    .addOption(limit('--read <n>', 'other requests a minute, for each key and endpoint'))
    .addOption(limit('--at-once <n>', 'pieces of each kind of work at once, in each process'))
    .option('--standard', 'all as for every organisation')
    .option('--json', 'print JSON')
    .action(({ json, organisation, create, read, atOnce, standard }: LimitFlags, command: Command) => {
      if ([create, read, atOnce, standard].every((flag) => flag === undefined)) {
        command.error('error: expected --create, --read, --at-once or --standard');
      }
      const change =
        standard === true
          ? { createsPerMinute: null, readsPerMinute: null, atOnce: null }
          : {
              ...(create !== undefined && { createsPerMinute: create }),
              ...(read !== undefined && { readsPerMinute: read }),
              ...(atOnce !== undefined && { atOnce }),
            };
      return administer(readConfig(), async ({ organisationLimits }) => {
        const limits = await organisationLimits.set(organisation, change);
        const lines = Object.entries(limits).map(([name, own]) => `${name}: ${own ?? 'standard'}`);
        print(json, { organisationId: organisation, ...limits }, lines.join('\n'));
      });
    });
}

function defineCredits(admin: Command): void {
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
}

function defineKeys(admin: Command): void {
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
}

function defineWebhooks(admin: Command): void {
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
}

function defineOperators(admin: Command): void {
  admin
    .command('operator-link')
    .description('print a one-time link that makes its follower an operator; earlier ones end')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const config = readConfig();
      const printLink = async ({ operators }: AdminContext) => {
        const { operatorUrl } = await commands.admin();
        const url = await operatorUrl(config.baseUrl, operators);
        print(json, { url }, url);
      };
      return administer(config, printLink, { mayCreate: true });
    });

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
}

async function administer(
  config: Config,
  work: (dependencies: AdminContext) => Promise<void>,
  options?: { mayCreate: boolean },
): Promise<void> {
  return (await commands.admin()).administer(config, work, options);
}
