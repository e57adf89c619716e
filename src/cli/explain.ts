/** Formats errors for people at a terminal: without stacks, system error codes or names of system calls. */

import { getSystemErrorMap } from 'node:util';
import { QrpressError } from '../client/client.js';
import { ApiError } from '../contract/errors.js';
import { columnTitle, SpreadsheetRefusal } from '../jobs/intake/spreadsheet.js';

/**
 * The message of an error and its causes. For a refused input, one line per issue.
 * @param remedies for system errors, by their codes. Empty: the caller says what to do
 */
export function explain(error: unknown, remedies = REMEDIES): string {
  if (error instanceof ApiError) {
    return explainRefusal(error);
  }
  if (error instanceof SpreadsheetRefusal) {
    return explainSpreadsheet(error);
  }
  if (error instanceof AggregateError && error.message === '') {
    // All addresses of a host failed. The first error stands for them.
    return explain(error.errors[0], remedies);
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error instanceof QrpressError && error.code === 'no_answer') {
    return explain(error.cause, remedies);
  }
  if (error.message === 'fetch failed' && error.cause instanceof Error) {
    return explain(error.cause, remedies) + (isUntrusted(error.cause) ? `. ${TRUST}` : '');
  }
  const message = explainSystemError(error, remedies) ?? explainConnection(error) ?? error.message;
  return error.cause instanceof Error ? `${message}: ${explain(error.cause, remedies)}` : message;
}

function explainRefusal({ code, message, members }: ApiError): string {
  const { issues = [], issueCount = 0 } = members as {
    issues?: { path: string; line?: number; message: string }[];
    issueCount?: number;
  };
  const lines = issues.map(({ path, line, message: what }) => {
    const place = [...(line === undefined ? [] : [`line ${line}`]), ...(path === '' ? [] : [path])];
    return `  ${[...place, what].join(': ')}`;
  });
  const rest = issueCount > issues.length ? [`  and ${issueCount - issues.length} more`] : [];
  return [
    `${code}: ${withHint(message)}`,
    // The message has the only issue, but not its line.
    ...(issueCount > 1 || issues[0]?.line !== undefined ? lines : []),
    ...rest,
  ].join('\n');
}

/** The message with what only those who run the server can do. */
export function withHint(message: string): string {
  const [, thing = ''] = /^There is no such (\w+)/.exec(message) ?? [];
  const hint = message.endsWith(' is private.') ? ALLOW : LISTS[thing];
  return hint === undefined ? message : `${message} ${hint}`;
}

const ALLOW = 'Where it may be called, list it in QRPRESS_WEBHOOK_ALLOW.';

/** Places where the IDs of things are found. */
const LISTS: Record<string, string> = {
  organisation: '`admin list-organisations` prints the IDs of all.',
  webhook: '`admin list-webhooks` prints the IDs of all.',
  key: '`admin list-keys` prints the IDs of all.',
};

const TRUST = 'If you trust the server, set NODE_EXTRA_CA_CERTS to the file of its certificate, or of its authority.';

/** True for a certificate whose authority Node.js does not know. */
function isUntrusted({ code = '' }: NodeJS.ErrnoException): boolean {
  return /SELF_SIGNED|^UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code);
}

const REMEDIES: Record<string, string> = {
  EADDRINUSE: 'Stop the program that uses it, or choose another QRPRESS_PORT.',
  ECONNREFUSED: 'Check the address, and that the server there runs.',
  ENOTFOUND: 'Check the address.',
};

function explainSpreadsheet({ report, problems, problemCount }: SpreadsheetRefusal): string {
  const rest = problemCount > problems.length ? [`and ${problemCount - problems.length} more`] : [];
  const hints = [
    ...(report.asksForHeader ? ['Where the first row is an item, add --no-header --column data=A.'] : []),
    ...(report.asksForColumns
      ? [
          'Say which column is which: --column data=NAME --column filename=NAME --column caption=NAME; with --kind, --column FIELD=NAME.',
        ]
      : []),
    ...(report.asksForLinks ? ['Say what the codes take of links: --links text or --links address.'] : []),
    ...(report.asksForDates ? ['Say which comes first in dates: --dates day or --dates month.'] : []),
    ...(report.asksForCountry
      ? [
          `Say which country numbers without + belong to: --calling-code 49, for Germany${
            report.countryColumn === undefined
              ? ''
              : `, or --calling-code row, for that in the column ${columnTitle(report, report.countryColumn)}`
          }.`,
        ]
      : []),
    ...(report.encoding === undefined ? [] : ['Say which encoding it is: --encoding NAME.']),
    ...(report.asksForColumns && report.sheets.length > 1 ? ['To read another sheet, add --sheet NAME.'] : []),
  ];
  return [...problems, ...rest, ...hints].join('\n');
}

/** Undefined for every error but two of `fetch` that say little by themselves. */
function explainConnection({ message, code, reason }: NodeJS.ErrnoException & { reason?: string }): string | undefined {
  if (code?.startsWith('ERR_SSL_')) {
    return `There is no TLS connection to the server: ${reason}. Check that it speaks HTTPS; the address may have to begin with http://.`;
  }
  return message === 'bad port'
    ? 'Node.js does not connect to this port, which other protocols use. Check the address, or choose another port.'
    : undefined;
}

/** System calls as verbs. A call that is not listed keeps its name. */
const VERBS: Record<string, string> = {
  access: 'use',
  connect: 'connect to',
  copyfile: 'copy',
  getaddrinfo: 'find the host',
  listen: 'listen on',
  lstat: 'read',
  mkdir: 'make the folder',
  mkdtemp: 'make the folder',
  rename: 'write',
  scandir: 'read the folder',
  stat: 'read',
  unlink: 'delete',
};

/** Undefined when it is not a system error. */
function explainSystemError(error: NodeJS.ErrnoException, remedies: Record<string, string>): string | undefined {
  const {
    errno = 0,
    syscall,
    path,
    dest,
    address,
    port,
    hostname,
  } = error as NodeJS.ErrnoException & {
    dest?: string;
    address?: string;
    port?: number;
    hostname?: string;
  };
  const [, reason] = getSystemErrorMap().get(errno) ?? [];
  if (reason === undefined || syscall === undefined) {
    return undefined;
  }
  const place = dest ?? path ?? hostname ?? [address, port].filter((part) => part !== undefined).join(':');
  const remedy = remedies[error.code ?? ''];
  const what = `cannot ${VERBS[syscall] ?? syscall}${place === '' ? '' : ` ${place}`}: ${reason}`;
  return remedy === undefined ? what : `${what}. ${remedy}`;
}
