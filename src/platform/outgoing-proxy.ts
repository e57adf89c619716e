/** Calls through an HTTP proxy: a tunnel by CONNECT (RFC 9110, section 9.3.6) for each, also to addresses with `http:`. */

import { Agent, type ClientRequestArgs, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { HostList, isLoopback } from './network.js';

export interface ProxySettings {
  /** `http://`, with name and password where the proxy asks for them. */
  url: string;
  /** Hosts, addresses and networks that are called directly. */
  except: readonly string[];
}

/** What `fetch` takes, as far as a library for sign-in uses it. */
interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: ConstructorParameters<typeof Response>[0] | undefined;
  signal?: AbortSignal | undefined;
}

/** Time for the proxy to open a tunnel. */
const TUNNEL_TIMEOUT_MS = 10_000;

/** Statuses whose responses have no body, not even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

export class OutgoingProxy {
  readonly #url: URL;
  readonly #except: HostList;

  constructor({ url, except }: ProxySettings) {
    this.#url = new URL(url);
    this.#except = new HostList(except);
  }

  /**
   * The agent for a call of `url`. Undefined: it is called directly, as are this machine's own addresses.
   * @param addresses those of its name, where they are known
   */
  agentFor({ hostname, protocol }: URL, addresses: readonly string[] = []): Agent | undefined {
    const host = hostname.replace(/^\[|\]$/g, '');
    const known = isIP(host) === 0 ? addresses : [host];
    const isDirect =
      isLoopback(host) ||
      this.#except.hasHost(host) ||
      (known.length > 0 && known.every((address) => this.#except.hasAddress(address)));
    return isDirect ? undefined : tunnelAgent(this.#url, protocol);
  }

  /** `fetch` that uses the proxy. Follows no redirect. */
  async fetch(address: string, { method, headers, body, signal }: FetchOptions): Promise<Response> {
    const url = new URL(address);
    const agent = this.agentFor(url) ?? false;
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const content = await new Response(body ?? null).text();
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent, ...(signal && { signal }) });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const { statusCode: status = 0 } = response;
        const fields = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        resolve(
          new Response(WITHOUT_BODY.has(status) ? null : Readable.toWeb(response), {
            status,
            headers: fields,
          }),
        );
      });
      sent.end(content);
    });
  }

  /** Resolves when the proxy takes connections. */
  async probe(): Promise<void> {
    const { hostname, port } = this.#url;
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) || 80, timeout: TUNNEL_TIMEOUT_MS });
      socket.once('connect', () => resolve(void socket.destroy()));
      socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
      socket.once('error', reject);
    });
  }
}

/** An agent whose connections are tunnels to the host of their request, encrypted for `https:`. */
function tunnelAgent(proxy: URL, protocol: string): Agent {
  const isSecure = protocol === 'https:';
  const createConnection = (
    options: ClientRequestArgs,
    connected: (error: Error | null, socket?: Socket) => void,
  ): void => {
    openTunnel(proxy, options).then(
      (socket) => connected(null, isSecure ? connectSecurely({ ...(options as object), socket }) : socket),
      connected,
    );
  };
  return Object.assign(new Agent(), { protocol, defaultPort: isSecure ? 443 : 80, createConnection });
}

function openTunnel({ hostname, port, username, password }: URL, target: ClientRequestArgs): Promise<Socket> {
  const host = target.host ?? '';
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${target.port}`;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return new Promise((resolve, reject) => {
    const asked = requestPlain({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || 80,
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...(username !== '' && { 'Proxy-Authorization': `Basic ${login}` }) },
      agent: false,
      timeout: TUNNEL_TIMEOUT_MS,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        socket.setTimeout(0);
        resolve(socket);
      } else {
        socket.destroy();
        reject(new Error(`The proxy refused to connect: HTTP ${statusCode}.`));
      }
    });
    asked.once('timeout', () => asked.destroy(new Error('it does not answer')));
    asked.once('error', (cause) => reject(new Error(`The proxy cannot be reached: ${cause.message}`, { cause })));
    asked.end();
  });
}
