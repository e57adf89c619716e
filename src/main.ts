#!/usr/bin/env node
/**
 * The command line: serve, render, submit, admin, migrate, doctor. Data goes to standard output, everything else to
 * standard error.
 */

import { Command, CommanderError, Option } from 'commander';
import { defineAdmin } from './cli/admin-options.js';
import { EXIT, httpUrl, print } from './cli/arguments.js';
import { explain } from './cli/explain.js';
import { archiveText } from './cli/figures.js';
import { type InputFlags, inputOf, takesItems } from './cli/input-options.js';
import { labelsOf } from './cli/labels.js';
import { PROCESS_ROLES, type ProcessRole, readConfig } from './config/config.js';
import { VERSION } from './platform/version.js';

/** Loaded on demand: loading the whole service takes longer than most commands take. */
const commands = {
  doctor: () => import('./cli/doctor.js'),
  migrate: () => import('./cli/migrate.js'),
  render: () => import('./cli/render.js'),
  serve: () => import('./cli/serve.js'),
  submit: () => import('./cli/submit.js'),
};

interface SubmitFlags extends InputFlags {
  url: string;
  key: string;
}

const program = new Command('qrpress')
  .description('Presses QR codes in bulk.')
  .version(VERSION)
  .configureOutput({
    // One line, also where commander adds a guess at the word in a second one.
    outputError: (message, write) => write(`${message.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`),
  })
  .exitOverride()
  .hook('preAction', (_, command) => {
    // Files of the service are only for its own user. `render` and `submit` write the caller's files.
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
  .action(async (file: string, { json, ...options }: InputFlags) => {
    const { renderThreads: threads, fontDir } = readConfig();
    const { render } = await commands.render();
    const labels = labelsOf(options);
    const report = await render(file, { ...options, ...inputOf(options), labels, threads, fontDir });
    const text = archiveText(report);
    // When the archive goes to standard output, the report goes to standard error.
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
    const labels = labelsOf(options);
    const report = await submit(file, { ...options, ...inputOf(options), labels, chunkItems, fontDir });
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
  .description('check configuration, secrets, database, storage, engine and fonts')
  .option('--json', 'print a JSON report')
  .action(async ({ json }: { json?: boolean }) => {
    const { doctor } = await commands.doctor();
    const findings = await doctor(readConfig());
    const lines = findings.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`);
    print(json, findings, lines.join('\n'));
    if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.failed;
  });

defineAdmin(program);
showUsage(program);

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

/** Lets a command, and those below it, print its usage after an error in its arguments. */
function showUsage(command: Command): void {
  command.showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}; --help says more`);
  for (const below of command.commands) {
    showUsage(below);
  }
}
