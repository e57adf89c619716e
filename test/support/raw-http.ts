/** Sends raw bytes as HTTP: requests that a correct client cannot send. */

import { connect } from 'node:net';

/** A response as received. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
  /** The code of an error object. */
  error?: string;
}

/** Maximum time without a response on an open connection. */
const PATIENCE_MS = 15_000;

/** Sends `bytes` (a string is Latin-1). Resolves with everything received until the service closes the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the service keeps the connection open')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The service may close before everything is sent.
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

/** A request's head with its empty line. It asks the service to close the connection after the response. */
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
