/** A submitted form: its fields as text, and errors by field. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { emailAddress } from '../../accounts/required-text.js';
import { passwordProblem } from '../../accounts/people/password.js';

/** The values that a person typed, and the errors shown beside them. */
export class Form {
  readonly #values: Readonly<Record<string, string>>;
  readonly #errors = new Map<string, string>();

  constructor(values: Readonly<Record<string, string>> = {}) {
    this.#values = values;
  }

  /** A field's text, untrimmed. Empty when it was not sent. */
  get(name: string): string {
    return this.#values[name] ?? '';
  }

  /** The form with other values, and without errors. */
  with(values: Readonly<Record<string, string>>): Form {
    return new Form({ ...this.#values, ...values });
  }

  /** The names of all fields that were sent. */
  get names(): string[] {
    return Object.keys(this.#values);
  }

  /** A field's trimmed text, of 1 to `maxCharacters` characters. Otherwise records an error. */
  text(name: string, label: string, maxCharacters = 200): string {
    const text = this.get(name).trim();
    if (text === '') {
      this.refuse(name, `${label} is missing.`);
    } else if ([...text].length > maxCharacters) {
      this.refuse(name, `${label} has more than ${maxCharacters} characters.`);
    } else if (/\p{Cc}/u.test(text)) {
      this.refuse(name, `${label} has control characters.`);
    }
    return text;
  }

  /** A field's whole number. Records `problem` when it is none, or out of range. */
  wholeNumber(name: string, { minimum, maximum }: { minimum: number; maximum: number }, problem: string): number {
    const text = withoutGroups(this.get(name).trim());
    if (!/^\d{1,9}$/.test(text) || Number(text) < minimum || Number(text) > maximum) {
      this.refuse(name, problem);
    }
    return Number(text);
  }

  /** Records an error for a field. Only the first is kept. */
  refuse(name: string, message: string): void {
    if (!this.#errors.has(name)) {
      this.#errors.set(name, message);
    }
  }

  error(name: string): string | undefined {
    return this.#errors.get(name);
  }

  /** Every error, in order of detection. */
  get errors(): { name: string; message: string }[] {
    return Array.from(this.#errors, ([name, message]) => ({ name, message }));
  }

  get isValid(): boolean {
    return this.#errors.size === 0;
  }
}

/** `1,000`, `1.000`, `1 000` and `1’000` without their separators, which are all the same. A whole number has no decimals. */
function withoutGroups(text: string): string {
  return /^[1-9]\d{0,2}([,.\s'’])\d{3}(?:\1\d{3})*$/.test(text) ? text.replaceAll(/\D/g, '') : text;
}

/** The request's body, parsed: the fields of a form, or JSON. */
export function bodyOf(ctx: Context): unknown {
  return (ctx.state as { body?: unknown }).body;
}

export function keepBody(ctx: Context, body: unknown): void {
  ctx.state['body'] = body;
}

/** Hash of the form in the body, its id included, and of what it is `about`: a form that is sent twice makes one job. */
export function hashOfForm(ctx: Context, ...about: unknown[]): string {
  const { csrf: _, ...fields } = bodyOf(ctx) as Record<string, string>;
  return createHash('sha256')
    .update(JSON.stringify([about, fields]))
    .digest('hex');
}

/** The fields of the form in the body. */
export function formOf(ctx: Context): Form {
  // JSON may have other members.
  const fields = Object.entries(bodyOf(ctx) ?? {}).filter(([, value]) => typeof value === 'string');
  return new Form(Object.fromEntries(fields) as Record<string, string>);
}

/** The address in the field `email`. Records an error when it is not an address. */
export function addressOf(form: Form): string {
  const typed = form.text('email', 'Your email address', 254);
  const email = emailAddress(typed);
  if (email === undefined) {
    form.refuse('email', 'This is not an email address.');
  }
  return email ?? '';
}

/** The new password in the field `password`. Records an error when it is not acceptable. */
export function passwordOf(form: Form, ...mustDiffer: string[]): string {
  const password = form.get('password');
  const problem = passwordProblem(password, ...mustDiffer);
  if (problem !== undefined) {
    form.refuse('password', problem);
  }
  return password;
}

/** The account page that a form was on. Undefined where the browser does not say. */
export function pageOfForm(ctx: Context): URL | undefined {
  const referrer = ctx.get('Referer');
  const page = URL.canParse(referrer) ? new URL(referrer) : undefined;
  return page?.host === ctx.host && /^\/account(\/|$)/.test(page.pathname) ? page : undefined;
}

/** Redirects to a page after a form (RFC 9110, section 15.4.4). */
export function seeOther(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** The account page requested before signing in. Any other target is replaced, to prevent open redirects. */
export function destination(next: unknown): string {
  return typeof next === 'string' && /^\/account\/[\w/-]*$/.test(next) ? next : '/account';
}
