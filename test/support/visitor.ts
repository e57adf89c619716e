/** A minimal browser: keeps cookies, sends the forms of the pages it received, and follows no redirect. */

import type { TestService } from './service.js';

/** Headers of a request. A form's request has an Origin, as in a browser. */
type Headers = Record<string, string>;

export interface Page {
  status: number;
  /** The target of a redirect. */
  location: string;
  headers: globalThis.Headers;
  html: string;
}

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #service: Pick<TestService, 'url'>;
  /** The token of the forms on the latest page. */
  csrf = '';
  /** The id of the form on that page that may be sent only once, if there is one. */
  submission = '';

  constructor(service: Pick<TestService, 'url'>) {
    this.#service = service;
  }

  async get(path: string, headers: Headers = {}): Promise<Page> {
    return this.request(path, { headers });
  }

  /** Sends a form with the token and id of the last page. */
  async post(path: string, fields: Record<string, string> = {}, headers: Headers = {}): Promise<Page> {
    return this.request(path, {
      method: 'POST',
      headers: { origin: this.#service.url, ...headers },
      body: new URLSearchParams({ csrf: this.csrf, submission: this.submission, ...fields }),
    });
  }

  /** Sends a form with files, as `post` does. */
  async upload(
    path: string,
    fields: Record<string, string>,
    files: Record<string, File> = {},
    init: RequestInit = {},
  ): Promise<Page> {
    const body = new FormData();
    const all = { csrf: this.csrf, submission: crypto.randomUUID(), ...fields, ...files };
    for (const [name, value] of Object.entries(all)) body.append(name, value);
    return this.request(path, { method: 'POST', headers: { origin: this.#service.url }, body, ...init });
  }

  async request(path: string, init: RequestInit): Promise<Page> {
    const response = await fetch(this.#service.url + path, {
      ...init,
      redirect: 'manual',
      headers: { cookie: Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; '), ...init.headers },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') {
        this.cookies.delete(name);
      } else {
        this.cookies.set(name, value);
      }
    }
    const html = await response.text();
    this.csrf = /name="csrf" value="([\w-]+)"/.exec(html)?.[1] ?? this.csrf;
    this.submission = /name="submission" value="(\w+)"/.exec(html)?.[1] ?? this.submission;
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, headers: response.headers, html };
  }
}

export interface SignedUp {
  visitor: Visitor;
  name: string;
  email: string;
  password: string;
  /** Path of the organisation's pages. */
  base: string;
  organisationId: string;
}

let visitors = 0;

/** A visitor who has signed up by the mailed link and is signed in. */
export async function signUp(service: TestService, organisation = 'Engines'): Promise<SignedUp> {
  const visitor = new Visitor(service);
  visitors += 1;
  const account = { name: `Ada ${visitors}`, email: `ada${visitors}@example.org`, password: 'analytical engine' };
  await visitor.get('/account/sign-in');
  await visitor.post('/account/sign-up', { email: account.email });
  const link = await mailedPath(service, account.email);
  await visitor.get(link);
  const { location } = await visitor.post(link, { organisation, ...account });
  const [base = ''] = location.split('?');
  return { visitor, ...account, base, organisationId: base.split('/').at(-1) ?? '' };
}

/** Signs in, and returns the path of the first organisation. */
export async function signIn(visitor: Visitor, account: { email: string; password: string }): Promise<string> {
  await visitor.get('/account/sign-in');
  await visitor.post('/account/sign-in', { email: account.email, password: account.password });
  return (await visitor.get('/account')).location;
}

/** Path of the link in the next mail to an address. */
export async function mailedPath(service: TestService, email: string): Promise<string> {
  const { text } = await service.nextMail(email);
  return /\/account\/\S+/.exec(text)?.[0] ?? '';
}
