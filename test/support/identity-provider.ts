/** A real OpenID Connect provider for a test: its own port, people with groups, and a sign-in page that the test fills in. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims of a person, except the id. */
interface Claims {
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: string[];
  hasgroups?: boolean;
  _claim_names?: Record<string, string>;
  _claim_sources?: Record<string, object>;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** People by id. Tests may change them. */
  people: Map<string, Claims>;
  /** While true, the provider publishes other keys than it signs with. */
  publishesOtherKeys: boolean;
  /** Allows another redirect address. */
  allow: (redirectUri: string) => void;
  /**
   * Signs a person in on the provider's pages. @param url target of the service's redirect @returns path and query of the
   * redirect back
   */
  signIn: (url: string, personId: string) => Promise<string>;
  close: () => Promise<void>;
}

export async function startIdentityProvider(): Promise<TestProvider> {
  const people = new Map<string, Claims>();
  const redirectUris: string[] = [];
  const client = { client_id: 'qrpress', client_secret: 'a secret of the test', redirect_uris: redirectUris };
  // Listens first, because the issuer's name contains the port.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups', 'hasgroups'], openid: ['sub'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }),
    }),
    loadExistingGrant: async (ctx: GrantContext) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['cookie key of the test'] },
  });
  provider.Client.find = async (id: string) =>
    id === client.client_id ? new provider.Client({ ...client, redirect_uris: redirectUris }) : undefined;
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (tested.publishesOtherKeys && request.url === '/jwks') {
      response.setHeader('content-type', 'application/json').end(otherKeys());
      return;
    }
    void answer(request, response);
  });

  const signIn = async (url: string, personId: string): Promise<string> => {
    const cookies = new Map<string, string>();
    const request = async (to: string, init: RequestInit = {}) => {
      const response = await fetch(new URL(to, issuer), {
        ...init,
        redirect: 'manual',
        headers: { cookie: Array.from(cookies, (pair) => pair.join('=')).join('; '), ...init.headers },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      await response.arrayBuffer();
      return response.headers.get('location') ?? '';
    };
    const interaction = await request(url);
    const resume = await request(interaction, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt: 'login', login: personId, password: 'any' }),
    });
    const { pathname, search } = new URL(await request(resume));
    return pathname + search;
  };

  const tested: TestProvider = {
    issuer,
    publishesOtherKeys: false,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    people,
    allow: (redirectUri) => void redirectUris.push(redirectUri),
    signIn,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return tested;
}

/** A set of keys with which nothing was signed. */
function otherKeys(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] });
}

interface GrantContext {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    // biome-ignore lint/suspicious/noExplicitAny: the library has no types.
    provider: any;
  };
}
