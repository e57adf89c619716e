/** A submitted form: its fields as text, and errors by field. */

import type { Context } from 'koa';
import { emailAddress } from '../account/required-text.js';
import { passwordProblem } from '../account/password.js';

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

/** The fields that `readForm` parsed. Of a repeated name, the last. */
export function formOf(ctx: Context): Form {
  const body = ctx.request['body'] as Record<string, unknown> | undefined;
  const fields = Object.entries(body ?? {}).map(([name, value]) => [name, [value].flat().at(-1)]);
  // A name with brackets is parsed as an object, which no form here uses.
  return new Form(
    Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
  );
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

/** Redirects to a page after a form (RFC 9110, section 15.4.4). */
export function seeOther(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** The account page requested before signing in. Any other target is replaced, to prevent open redirects. */
export function destination(next: unknown): string {
  return typeof next === 'string' && /^\/account\/[\w/-]*$/.test(next) ? next : '/account';
}
