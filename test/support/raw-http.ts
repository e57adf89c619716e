/** HTTP by the byte, for what a well-behaved client cannot send. */

import { connect } from 'node:net';

/** A response as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
  /** The code of an error object. */
  error?: string;
}

/** A connection that is neither answered nor closed for so long is a failure. */
const PATIENCE_MS = 15_000;

/** Sends `bytes` (a string is Latin-1), and resolves with all that is answered until the service closes the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the service keeps the connection open')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The service may close while there is more to send.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') {
        reject(error);
      }
    });
    socket.on('close', () => resolve());
  });
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await closed;
  return answersOf(Buffer.concat(received));
}

/** A request's head with its empty line; the connection is closed behind its answer. */
export function head(requestLine: string, ...headers: string[]): string {
  return [requestLine, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
}

function answersOf(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine) ?? [];
    if (end < 0 || status === undefined) {
      throw new Error(`no response: ${JSON.stringify(rest.toString('latin1').slice(0, 200))}`);
    }
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.toString('utf8', end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    if (status !== '100') {
      answers.push({ status: Number(status), headers, body, ...errorOf(headers, body) });
    }
  }
  return answers;
}

function errorOf(headers: Headers, body: string): { error?: string } {
  const isJson = headers.get('content-type')?.startsWith('application/json') && body !== '';
  const { error } = isJson ? (JSON.parse(body) as { error?: string }) : {};
  return error === undefined ? {} : { error };
}
