/** A form that was sent: its fields as text, and what is wrong with which. */

import type { Context } from 'koa';
import { emailAddress } from '../account/required-text.js';
import { passwordProblem } from '../account/password.js';

/** The values that a person typed, and the errors to show beside them. */
export class Form {
  readonly #values: Readonly<Record<string, string>>;
  readonly #errors = new Map<string, string>();

  constructor(values: Readonly<Record<string, string>> = {}) {
    this.#values = values;
  }

  /** A field's text, untrimmed; empty where it was not sent. */
  get(name: string): string {
    return this.#values[name] ?? '';
  }

  /** A field's text, trimmed, of 1 to `maxCharacters` characters; otherwise an error is noted. */
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

  /** Notes what is wrong with a field; its first error stays. */
  refuse(name: string, message: string): void {
    if (!this.#errors.has(name)) {
      this.#errors.set(name, message);
    }
  }

  error(name: string): string | undefined {
    return this.#errors.get(name);
  }

  /** Every error, in the order in which it was found. */
  get errors(): { name: string; message: string }[] {
    return Array.from(this.#errors, ([name, message]) => ({ name, message }));
  }

  get isValid(): boolean {
    return this.#errors.size === 0;
  }
}

/** The fields of a request that `readForm` has read; of a name that was sent twice, the last. */
export function formOf(ctx: Context): Form {
  const body = ctx.request['body'] as Record<string, unknown> | undefined;
  const fields = Object.entries(body ?? {}).map(([name, value]) => [name, [value].flat().at(-1)]);
  // A name with brackets comes as an object, which no form here has.
  return new Form(
    Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
  );
}

/** The address in the field `email`; an error is noted where it is none. */
export function addressOf(form: Form): string {
  const typed = form.text('email', 'Your email address', 254);
  const email = emailAddress(typed);
  if (email === undefined) {
    form.refuse('email', 'This is not an email address.');
  }
  return email ?? '';
}

/** The new password in the field `password`; an error is noted where it is not taken. */
export function passwordOf(form: Form, ...mustDiffer: string[]): string {
  const password = form.get('password');
  const problem = passwordProblem(password, ...mustDiffer);
  if (problem !== undefined) {
    form.refuse('password', problem);
  }
  return password;
}

/** Leads to a page after a form (RFC 9110, section 15.4.4). */
export function seeOther(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** A page of the account that was asked for before signing in; nothing else is led to. */
export function destination(next: unknown): string {
  return typeof next === 'string' && /^\/account\/[\w/-]*$/.test(next) ? next : '/account';
}
