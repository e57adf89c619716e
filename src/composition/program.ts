/** The commands of the command line, with their options. */

import { Command, CommanderError, Help, Option } from 'commander';
import { defineAdmin } from '../cli/admin-options.js';
import type { Administer } from '../cli/administer.js';
import { EXIT, print, serviceUrl, UsageError } from '../cli/arguments.js';
import { explain } from '../cli/explain.js';
import { archiveText } from '../cli/figures.js';
import { type InputFlags, inputOf, takesItems } from '../cli/input-options.js';
import { labelsOf } from '../cli/labels.js';
import { PROCESS_ROLES, type ProcessRole, readConfig } from '../config/config.js';
import { VERSION } from '../platform/version.js';

/** Loaded on demand: loading the whole service takes longer than most commands take. */
const commands = {
  administer: () => import('./administer.js'),
  doctor: () => import('../cli/doctor.js'),
  migrate: () => import('../cli/migrate.js'),
  render: () => import('../cli/render.js'),
  serve: () => import('./serve.js'),
  submit: () => import('../cli/submit.js'),
};

const administer: Administer = async (...given) => (await commands.administer()).administer(...given);

interface SubmitFlags extends InputFlags {
  url: string;
  key: string;
}

/** The error of standard output, once it has one. */
let outputError: unknown;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  outputError = Object.assign(error, { path: 'standard output' });
  // A reader may have read enough, as `head` does.
  if (error.code !== 'EPIPE') fail(error);
});

/**
 * Runs the command that the words name. Data goes to standard output, everything else to standard error; a failure sets the
 * exit code of the process.
 */
export async function run(words: string[]): Promise<void> {
  /** The command whose action runs. */
  let running: Command | undefined;
  const program = defineProgram((command) => {
    running = command;
  });
  try {
    await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
      // Commander says the sentence as it says its own errors, with the usage of the command.
      if (error instanceof UsageError) running?.error(`error: ${error.message}`);
      throw error;
    });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) process.exitCode = EXIT.usage;
    } else if (error !== outputError) {
      fail(error);
    }
  }
}

function fail(error: unknown): void {
  console.error(explain(error));
  process.exitCode = EXIT.failed;
}

/** @param onStart gets a command before its action runs */
function defineProgram(onStart: (command: Command) => void): Command {
  const program = new Command('qrpress')
    .description('Make QR codes in bulk: draw them here, send them to a service, or run the service.')
    .version(VERSION)
    .configureOutput({
      // One line, also where commander adds a guess at the word in a second one.
      outputError: (message, write) => write(`${message.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`),
    })
    .configureHelp({
      optionDescription(option) {
        return `${Help.prototype.optionDescription.call(this, option)}${option.mandatory ? ' (required)' : ''}`;
      },
    })
    .exitOverride()
    .hook('preAction', (_, command) => {
      onStart(command);
      // Files of the service are only for its own user. `render` and `submit` write the caller's files.
      if (!['render', 'submit'].includes(command.name())) {
        process.umask(0o077);
      }
    });

  defineServe(program);
  defineRender(program);
  defineSubmit(program);
  defineUpkeep(program);
  defineAdmin(program, administer);
  completeArguments(program);
  return program;
}

function defineServe(program: Command): void {
  program
    .command('serve')
    .description('Run the service. SIGTERM lets it finish what it is doing, then stops it.')
    .addOption(
      new Option('--role <role>', 'what this process does: answer requests (api), draw jobs (worker), or both (all)')
        .choices(PROCESS_ROLES)
        .default('all'),
    )
    .action(async ({ role }: { role: ProcessRole }) => (await commands.serve()).serve(readConfig(), role));
}

function defineRender(program: Command): void {
  takesItems(program.command('render'))
    .description('Draw the codes of a file without a service, and write a ZIP file.')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json, ...options }: InputFlags) => {
      const { renderThreads: threads, fontDir } = readConfig();
      const { render } = await commands.render();
      const labels = labelsOf(options);
      const report = await render(file, { ...options, ...inputOf(options), labels, threads, fontDir });
      const text = archiveText(report);
      // When the archive goes to standard output, the report goes to standard error.
      print(json, report, text, options.out === '-' ? process.stderr : process.stdout);
    });
}

function defineSubmit(program: Command): void {
  takesItems(program.command('submit'))
    .description('Send a file to a service, follow the job, and download its ZIP file. Run it again to continue.')
    .addOption(
      new Option('--url <url>', 'the address of the service, such as http://127.0.0.1:8080')
        .env('QRPRESS_URL')
        .argParser(serviceUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--key <key>', 'an API key. Prefer the environment: other users of the machine can see arguments')
        .env('QRPRESS_KEY')
        .makeOptionMandatory(),
    )
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json, ...options }: SubmitFlags) => {
      const { submit } = await commands.submit();
      const { chunkItems, fontDir } = readConfig();
      const labels = labelsOf(options);
      const report = await submit(file, { ...options, ...inputOf(options), labels, chunkItems, fontDir });
      print(json, report, ('jobs' in report ? report.jobs : [report]).map(archiveText).join('\n'));
    });
}

/** The commands that look after an installation. */
function defineUpkeep(program: Command): void {
  program
    .command('migrate')
    .description('Update the tables of the database to this version. The first start of the service does so too.')
    .action(async () => {
      const { migrateDatabase } = await commands.migrate();
      const done = await migrateDatabase(readConfig());
      print(false, done, done.length === 0 ? 'The database is up to date.' : `Migrated: ${done.join(', ')}`);
    });

  program
    .command('doctor')
    .description('Check settings, secrets, database, storage, mail server, engine and fonts, and say what to do.')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { doctor } = await commands.doctor();
      const findings = await doctor(readConfig(), administer);
      const lines = findings.map(
        ({ name, ok, isAdvice, detail }) => `${ok ? (isAdvice ? 'look' : 'ok  ') : 'FAIL'}  ${name}: ${detail}`,
      );
      print(json, findings, lines.join('\n'));
      if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.failed;
    });
}

/** Lets a command, and those below it, refuse options that are given twice, and print its usage after an error in its arguments. */
function completeArguments(command: Command): void {
  for (const option of command.options) {
    refuseSecond(command, option);
  }
  command.showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}; --help says more`);
  for (const below of command.commands) {
    completeArguments(below);
  }
}

/** Refuses the second value of an option that does not collect its values in a list. */
function refuseSecond(command: Command, option: Option): void {
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    const takesOne = option.required || option.optional;
    if (isGiven && takesOne && !Array.isArray(command.getOptionValue(option.attributeName()))) {
      command.error(`error: option '${option.flags}' is given twice`);
    }
    isGiven = true;
  });
}
