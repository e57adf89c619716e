/** The subcommands of `qrpress admin` on single organisations, keys and webhooks: their options and their output. */

import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../accounts/actor.js';
import type { AdminContext, Administer, AdministerOptions } from './administer.js';
import { defineData } from './admin-data-options.js';
import { type Config, readConfig } from '../config/config.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../contract/response-schema.js';
import { counted } from '../platform/counted.js';
import { shellWord } from '../platform/quoting.js';
import type { KeyAccess, Role } from '../database/schema.js';
import { withHint } from './explain.js';
import { countText } from './figures.js';
import { EXIT, emailAddress, futureTime, httpUrl, positiveNumber, print, shortText, wholeNumber } from './arguments.js';

/** Loaded on demand: loading takes longer than parsing the command. */
const load = () => import('./people.js');

/** A command's result: printed as the document with `--json`, otherwise as the text. */
interface Result {
  document: unknown;
  text: string;
  /** The next step, on standard error: scripts read the text. Not printed with `--json`. */
  hint?: string;
}

/** Completes a command that works beside a running service: adds `--json`, and prints the result of `work`. */
type Define = ReturnType<typeof definer>;

function definer(administer: Administer) {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- commander does not know the types of its flags
  return function define<Flags extends object>(
    command: Command,
    work: (context: AdminContext, flags: Flags, config: Config) => Promise<Result>,
    options?: AdministerOptions,
  ): void {
    command.option('--json', 'print the result as JSON').action(async ({ json, ...flags }: { json?: boolean }) => {
      const config = readConfig();
      const run = (context: AdminContext) => work(context, flags as Flags, config);
      const { document, text, hint } = await administer(config, run, options);
      print(json, document, text);
      if (hint !== undefined && !json) console.error(hint);
    });
  };
}

export function defineAdmin(program: Command, administer: Administer): void {
  const define = definer(administer);
  const admin = program
    .command('admin')
    .description('Manage organisations, keys, credits, webhooks, operators and backups.');
  defineOrganisations(admin, define);
  defineCredits(admin, define);
  defineKeys(admin, define);
  defineWebhooks(admin, define);
  defineWebhookTest(admin, define);
  definePeople(admin, define);
  defineOperators(admin, define);
  defineExplanation(admin, define);
  defineData(admin, administer);
}

function defineOrganisations(admin: Command, define: Define): void {
  define(
    admin
      .command('create-organisation')
      .description('Create an organisation, and print its ID.')
      .requiredOption('--name <name>', 'the name of the organisation', shortText)
      .requiredOption('--owner <email>', 'the mail address of its owner', emailAddress)
      .option('--credits <n>', 'the credits that it starts with', wholeNumber, 0),
    async ({ organisations }, { name, owner, credits }: { name: string; owner: string; credits: number }) => {
      const organisationId = await organisations.create({ name, ownerEmail: owner, credits });
      const hint = `Its owner gets in with: qrpress admin invite --organisation ${organisationId} --email ${shellWord(owner)}`;
      return { document: { organisationId }, text: `Organisation ${organisationId}`, hint };
    },
    { mayCreate: true },
  );

  define(
    admin.command('list-organisations').description('List all organisations with their balances.'),
    async ({ organisations }) => {
      const list = await organisations.list();
      return { document: list, text: list.map(({ id, name, balance }) => `${id}  ${balance}  ${name}`).join('\n') };
    },
  );

  define(
    admin
      .command('invite')
      .description(
        'Print a one-time link that makes whoever opens it a member. It is how an organisation created here gets its owner.',
      )
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .requiredOption('--email <address>', "the member's mail address", emailAddress)
      .addOption(
        new Option('--role <role>', "the member's role").choices(['owner', 'admin', 'member']).default('owner'),
      ),
    async ({ database }, invited: { organisation: string; email: string; role: Role }, { baseUrl }) => {
      const { organisation: organisationId, email, role } = invited;
      const { invitationUrl } = await load();
      const url = await invitationUrl(baseUrl, database, { organisationId, email, role });
      return { document: { url }, text: url };
    },
  );
}

function defineCredits(admin: Command, define: Define): void {
  define(
    admin
      .command('grant-credits')
      .description('Add credits to an organisation.')
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .requiredOption('--credits <n>', 'the number of credits to add', positiveNumber)
      .requiredOption('--reason <text>', 'the reason, which the ledger keeps', shortText),
    async ({ operators }, flags: { organisation: string; credits: number; reason: string }) => {
      const { organisation: organisationId, credits, reason } = flags;
      const balance = await operators.grant(COMMAND_LINE, { organisationId, credits, reason });
      return { document: { organisationId, balance }, text: `The balance is ${countText(balance)}.` };
    },
  );

  define(
    admin
      .command('take-back-credits')
      .description('Take granted credits back from an organisation. Its balance does not fall below zero.')
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .requiredOption('--credits <n>', 'the number of credits to take back', positiveNumber)
      .requiredOption('--reason <text>', 'the reason, which the ledger keeps', shortText),
    async ({ operators }, flags: { organisation: string; credits: number; reason: string }) => {
      const { organisation: organisationId, credits, reason } = flags;
      const balance = await operators.takeBack(COMMAND_LINE, { organisationId, credits, reason });
      return { document: { organisationId, balance }, text: `The balance is ${countText(balance)}.` };
    },
  );

  define(
    admin
      .command('set-allowance')
      .description('Set the credits that an organisation gets every month.')
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .addOption(
        new Option('--credits <n>', 'the number of credits; 0 for none').argParser(wholeNumber).conflicts('standard'),
      )
      .option('--standard', 'use QRPRESS_MONTHLY_CREDITS again')
      .hook('preAction', requireOneOf('--credits', '--standard')),
    async ({ operators, allowances }, { organisation, credits }: { organisation: string; credits?: number }) => {
      await operators.setAllowance(COMMAND_LINE, organisation, credits ?? null);
      const monthlyCredits = credits ?? allowances.standard;
      const document = { organisationId: organisation, monthlyCredits };
      return { document, text: `It gets ${counted(monthlyCredits, 'credit', countText)} a month.` };
    },
  );
}

function defineKeys(admin: Command, define: Define): void {
  define(
    admin
      .command('create-key')
      .description('Create an API key, and print it. It is shown only once.')
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .requiredOption('--name <name>', 'a name that says what uses the key', shortText)
      .option('--expires <time>', 'the time from which it does not work, such as 2027-01-31T12:00:00Z', futureTime)
      .addOption(
        new Option('--access <access>', 'what it may do: everything (full), or read and download (read)')
          .choices(['full', 'read'])
          .default('full'),
      ),
    async ({ keys }, flags: { organisation: string; name: string; expires?: number; access: KeyAccess }) => {
      const { organisation, name, expires: expiresAt, access } = flags;
      const created = await keys.create(COMMAND_LINE, organisation, name, { access, expiresAt });
      return { document: created, text: `Key ${created.keyId}, shown only now: ${created.key}` };
    },
  );

  define(
    admin.command('list-keys').description('List the keys of all organisations that work, by their first characters.'),
    async ({ keys }) => {
      const list = (await keys.listActive()).map(({ id, organisationId, prefix, name }) => ({
        keyId: id,
        organisationId,
        prefix,
        name,
      }));
      const lines = list.map(
        ({ keyId, organisationId, prefix, name }) => `${keyId}  ${organisationId}  ${prefix}…  ${name}`,
      );
      return { document: list, text: lines.join('\n') };
    },
  );

  define(
    admin
      .command('revoke-key')
      .description('Revoke a key. It stops working within a second.')
      .requiredOption('--key-id <id>', 'the ID of the key'),
    async ({ keys }, { keyId }: { keyId: string }) => {
      await keys.revoke(COMMAND_LINE, keyId);
      return { document: { keyId }, text: `Key ${keyId} is revoked.` };
    },
  );
}

function defineWebhooks(admin: Command, define: Define): void {
  define(
    admin
      .command('create-webhook')
      .description('Create a webhook, and print its secret. It is shown only once.')
      .requiredOption('--organisation <id>', 'the ID of the organisation')
      .requiredOption('--url <url>', 'the address to call', httpUrl)
      .addOption(new Option('--event <name...>', 'the events to send; by default all').choices(WEBHOOK_EVENTS)),
    async ({ webhooks }, flags: { organisation: string; url: string; event?: WebhookEvent[] }) => {
      const { organisation: organisationId, url, event: events = WEBHOOK_EVENTS } = flags;
      const created = await webhooks.create(COMMAND_LINE, { organisationId, url, events });
      return { document: created, text: `Webhook ${created.webhookId}, its secret shown only now: ${created.secret}` };
    },
  );

  define(
    admin.command('list-webhooks').description('List the webhooks of all organisations.'),
    async ({ webhooks }) => {
      const list = (await webhooks.list()).map(({ id, organisationId, url, events }) => ({
        webhookId: id,
        organisationId,
        url,
        events,
      }));
      const lines = list.map(
        ({ webhookId, organisationId, url, events }) => `${webhookId}  ${organisationId}  ${url}  ${events.join(', ')}`,
      );
      return { document: list, text: lines.join('\n') };
    },
  );

  define(
    admin
      .command('delete-webhook')
      .description('Delete a webhook, the list of its calls, and the events that wait for it.')
      .requiredOption('--webhook-id <id>', 'the ID of the webhook'),
    async ({ webhooks }, { webhookId }: { webhookId: string }) => {
      await webhooks.remove(COMMAND_LINE, webhookId);
      return { document: { webhookId }, text: `Webhook ${webhookId} is deleted.` };
    },
  );
}

function defineWebhookTest(admin: Command, define: Define): void {
  define(
    admin
      .command('test-webhook')
      .description('Call a webhook once with the event `test`. Exits with 1 if the call fails.')
      .requiredOption('--webhook-id <id>', 'the ID of the webhook'),
    async ({ webhooks }, { webhookId }: { webhookId: string }) => {
      const { isDelivered, ...outcome } = await webhooks.test(webhookId);
      if (!isDelivered) process.exitCode = EXIT.failed;
      const text = 'error' in outcome ? withHint(outcome.error) : `HTTP ${outcome.status} after ${outcome.seconds} s`;
      return { document: outcome, text };
    },
  );
}

function defineExplanation(admin: Command, define: Define): void {
  define(
    admin
      .command('explain')
      .description(
        'Read one code of a job back, and say why it is not read. Draws it in a PNG file: the picture on the left, the modules that were seen on the right.',
      )
      .requiredOption('--job-id <id>', 'the ID of the job')
      .requiredOption('--item <index>', 'the index of the item, from 0, as the manifest has it', wholeNumber)
      .option('--out <folder>', 'the folder for the pictures', '.'),
    async (context, asked: { jobId: string; item: number; out: string }, config) => {
      const { explainItem, explanationText } = await import('./explain-item.js');
      const document = await explainItem(config, context, asked);
      return { document, text: explanationText(document) };
    },
  );
}

function definePeople(admin: Command, define: Define): void {
  define(
    admin
      .command('password-link')
      .description(
        'Print a one-time link with which a person sets a new password, for one who gets no mail. It works for an hour.',
      )
      .requiredOption('--email <address>', "the person's mail address", emailAddress)
      .option('--remove-second-factor', 'remove the second factor at once, for a person who lost it'),
    async ({ database }, flags: { email: string; removeSecondFactor?: boolean }, { baseUrl }) => {
      const { email, removeSecondFactor = false } = flags;
      const { passwordUrl } = await load();
      const url = await passwordUrl({ database, baseUrl }, { email, removesSecondFactor: removeSecondFactor });
      return { document: { url }, text: url };
    },
  );

  define(
    admin
      .command('delete-account')
      .description('Delete the account of a person, as they can themselves. The last owner of other members keeps it.')
      .requiredOption('--email <address>', "the person's mail address", emailAddress),
    async ({ database }, { email }: { email: string }, { baseUrl }) => {
      const { deleteAccount } = await load();
      await deleteAccount({ database, baseUrl }, email);
      return { document: { email }, text: `The account of ${email} is deleted.` };
    },
  );
}

function defineOperators(admin: Command, define: Define): void {
  define(
    admin
      .command('operator-link')
      .description('Print a one-time link that makes whoever opens it an operator. Earlier links stop working.'),
    async ({ operators }, _, { baseUrl }) => {
      const { operatorUrl } = await load();
      const url = await operatorUrl(baseUrl, operators);
      return { document: { url }, text: url };
    },
    { mayCreate: true },
  );

  define(
    admin
      .command('withdraw-operator')
      .description('Withdraw the role of operator from a person. Their account stays.')
      .requiredOption('--email <address>', "the person's mail address", emailAddress),
    async ({ operators }, { email }: { email: string }) => {
      await operators.withdraw(COMMAND_LINE, email);
      return { document: { email }, text: `${email} does not run this service any more.` };
    },
  );
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
