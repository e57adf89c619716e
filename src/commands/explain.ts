/** Errors for people at a terminal: without stacks, codes of the system or names of its calls. */

import { getSystemErrorMap } from 'node:util';
import { ApiError } from '../contract/errors.js';
import { SpreadsheetRefusal } from '../intake/spreadsheet.js';

/** An error's message, and its causes'; of an input that is refused, a line for each issue. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    return explainRefusal(error);
  }
  if (error instanceof SpreadsheetRefusal) {
    return explainSpreadsheet(error);
  }
  if (error instanceof AggregateError && error.message === '') {
    // A host with several addresses, none of which answers.
    return explain(error.errors[0]);
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  const message = explainSystemError(error) ?? error.message;
  return error.cause instanceof Error ? `${message}: ${explain(error.cause)}` : message;
}

function explainRefusal({ code, message, members }: ApiError): string {
  const { issues = [], issueCount = 0 } = members as {
    issues?: { path: string; line?: number; message: string }[];
    issueCount?: number;
  };
  const lines = issues.map(
    ({ path, line, message: what }) => `  ${line === undefined ? '' : `line ${line}: `}${path}: ${what}`,
  );
  const rest = issueCount > issues.length ? [`  and ${issueCount - issues.length} more`] : [];
  return [`${code}: ${message}`, ...lines, ...rest].join('\n');
}

function explainSpreadsheet({ report, problems, problemCount }: SpreadsheetRefusal): string {
  const rest = problemCount > problems.length ? [`and ${problemCount - problems.length} more`] : [];
  const hints = [
    ...(report.asksForHeader ? ['Where the first row is an item, add --no-header --column data=A.'] : []),
    ...(report.asksForColumns
      ? ['Say which column is which: --column data=NAME --column filename=NAME --column caption=NAME.']
      : []),
    ...(report.asksForColumns && report.sheets.length > 1 ? ['To read another sheet, add --sheet NAME.'] : []),
  ];
  return [...problems, ...rest, ...hints].join('\n');
}

/** The system's calls in words; a call that is not here keeps its own name. */
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

/** Undefined: it is none. */
function explainSystemError(error: NodeJS.ErrnoException): string | undefined {
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
  return `cannot ${VERBS[syscall] ?? syscall}${place === '' ? '' : ` ${place}`}: ${reason}`;
}
