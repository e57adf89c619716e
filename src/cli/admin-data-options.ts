/** The subcommands of `qrpress admin` on all data of a service: its check, backups and their restore. */

import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { counted } from '../platform/counted.js';
import type { Administer } from './administer.js';
import { EXIT, print } from './arguments.js';

export function defineData(admin: Command, administer: Administer): void {
  admin
    .command('verify')
    .description('Check that ledger, jobs and archives agree. Exits with 1 and a list of what does not.')
    .option('--repair', 'delete stored inputs that became no job within a day')
    .option(
      '--quick',
      'compare the sizes of files alone; by default every picture is read, and held against its CRC-32',
    )
    .option('--json', 'print the result as JSON')
    .action(async ({ json, repair = false, quick = false }: { json?: boolean; repair?: boolean; quick?: boolean }) => {
      const { verify } = await import('./verify.js');
      const violations = await administer(readConfig(), (context) => verify(context, { repair, contents: !quick }));
      const lines = violations.map(
        ({ subject, problem, repaired }) => `${subject}: ${problem}${repaired ? '; deleted' : ''}`,
      );
      print(json, { violations }, lines.length === 0 ? 'Everything holds.' : lines.join('\n'));
      if (violations.some(({ repaired }) => !repaired)) process.exitCode = EXIT.failed;
    });

  admin
    .command('backup')
    .description('Write a backup of everything that the service keeps. The service may run meanwhile.')
    .requiredOption('--to <path>', 'the folder to write, new or empty')
    .option('--without-archives', 'leave out the jobs that have ended; the ledger stays complete')
    .option('--json', 'print the result as JSON')
    .action(async ({ json, to, withoutArchives }: { json?: boolean; to: string; withoutArchives?: boolean }) => {
      const { writeBackup } = await import('./backup.js');
      const report = await writeBackup(administer, readConfig(), to, withoutArchives !== true);
      print(
        json,
        report,
        `${counted(report.files, 'file')}, ${report.bytes} bytes, ${counted(report.jobs, 'job')} in ${to}`,
      );
    });

  admin
    .command('restore')
    .description('Fill an empty database and data folder from a backup.')
    .requiredOption('--from <path>', 'the folder of the backup')
    .option('--json', 'print the result as JSON')
    .action(async ({ json, from }: { json?: boolean; from: string }) => {
      const { readBackup } = await import('./backup.js');
      const report = await readBackup(administer, readConfig(), from);
      const { version, createdAt, files, rows } = report;
      print(
        json,
        report,
        `Restored ${counted(files, 'file')} and ${counted(rows, 'row')} of version ${version}, ${createdAt}.`,
      );
    });
}
