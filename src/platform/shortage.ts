/** Failures that may pass by themselves. Each room says which of its errors are such ones. */

/** What is short: room on a disk, or a server, a process or a connection. */
export type Shortage = 'disk' | 'server';

/** Codes of errors. Others are no shortage. */
export type ShortageCodes = Readonly<Record<Shortage, ReadonlySet<string>>>;

export function shortageOfCode(error: unknown, codes: ShortageCodes): Shortage | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') {
    return undefined;
  }
  return codes.disk.has(code) ? 'disk' : codes.server.has(code) ? 'server' : undefined;
}

/** Codes of the operating system: for files, and for connections to servers of any kind. */
const SYSTEM_CODES: ShortageCodes = {
  disk: new Set(['ENOSPC', 'EDQUOT']),
  server: new Set([
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
    // A file system that fails or is mounted read-only, and no further open file for the process or the system.
    'EROFS',
    'EIO',
    'EMFILE',
    'ENFILE',
  ]),
};

export function systemShortage(error: unknown): Shortage | undefined {
  return shortageOfCode(error, SYSTEM_CODES);
}
