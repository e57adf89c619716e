/** Renders a page: its template, the frame around it, and data common to all pages. */

import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Context } from 'koa';
import { linkLifetime } from '../accounts/letters.js';
import { MANAGERS } from '../accounts/membership-store.js';
import { LIMITS } from '../contract/limits.js';
import type { Brand } from './brand.js';
import type { Form } from './form.js';
import type { FormGuard } from './form-guard.js';
import { type Formats, formatsFor } from './formats.js';
import { pageState } from './page-state.js';

// Relative to the package's root, so that sources and compiled files find the same templates.
const TEMPLATES = fileURLToPath(new URL('../../web/pages/', import.meta.url));

/** Messages after a form, by the code in the query. */
const NOTICES = new Map(
  Object.entries({
    'signed-up': `Welcome. Your address is confirmed, and ${LIMITS.welcomeCredits} credits are waiting for you.`,
    'signed-out': 'You are signed out.',
    'session-over': 'You were signed out. Sign in to go on where you were.',
    'signed-out-everywhere': 'You are signed out on every device.',
    'password-set': 'Your new password is set. Sign in with it.',
    'password-changed': 'Your password is changed. Your other devices are signed out.',
    'name-changed': 'Your name is changed.',
    'address-asked': 'We sent a link to the new address. It becomes yours here once you follow the link.',
    'address-changed': 'Your account has its new address.',
    'session-ended': 'The session is ended.',
    'second-factor-off': 'Two-factor authentication is off.',
    connected: 'Your company account is connected. You can sign in with it.',
    disconnected: 'The company account is disconnected. Your other devices are signed out.',
    'step-ended': 'That took too long. Sign in again.',
    'codes-refused': 'Too many wrong codes. We sent you an email. Try again in an hour.',
    'account-deleted': 'Your account is deleted.',
    renamed: 'The name is saved.',
    revoked: 'The key is revoked. It no longer works.',
    cancelled: 'The job is cancelled.',
    'ended-before': 'The job had already ended.',
    'not-ended': 'A job in progress cannot be deleted. Cancel it first.',
    'jobs-deleted': 'The jobs and their files are deleted.',
    deleted: 'The job and its files are deleted.',
    'style-saved': 'The style is saved.',
    'style-deleted': 'The style is deleted.',
    'low-balance-set': 'The low-balance alert is saved.',
    asked: 'Your message is sent. It stays with the operators until they grant credits.',
    'webhook-deleted': 'The webhook is deleted.',
    'webhook-changed': 'The webhook is changed.',
    'webhook-paused': 'The webhook is paused.',
    'webhook-resumed': 'The webhook is resumed. What waited is sent now.',
    'sent-now': 'The event is sent now.',
    'given-up': 'The event is given up.',
    'test-delivered': 'The test was delivered.',
    'test-failed': 'The test failed. The list of deliveries says why.',
    invited: 'The invitation is sent.',
    withdrawn: 'The invitation is withdrawn.',
    'role-changed': 'The role is changed.',
    removed: 'The member is removed. API keys that they created still work. Revoke the ones that they may have copied.',
    'handed-over': 'The organisation has a new owner. You are an admin now.',
    left: 'You have left the organisation.',
    joined: 'Welcome. You are a member now.',
    founded: 'The organisation is ready.',
    granted: 'The credits are granted.',
    'operator-withdrawn': 'They do not run this server any more. Their account stays.',
    'allowance-set': 'The monthly credits are saved.',
    'limits-set': 'The limits are saved.',
    suspended: 'The organisation is suspended.',
    resumed: 'The organisation can make codes again.',
  }),
);

interface PageOptions {
  /** Title of the document and the page. */
  title: string;
  /** HTTP status. Default: 422 for a form with errors, otherwise 200. */
  status?: number | undefined;
  /** The current entry of the navigation. */
  section?: string;
}

export class View {
  readonly #eta = new Eta({ views: TEMPLATES, cache: true, autoTrim: [false, 'nl'] });
  readonly #guard: FormGuard;
  readonly #assetVersion: string;

  readonly #brand: Brand;

  constructor(guard: FormGuard, assetVersion: string, brand: Brand) {
    this.#guard = guard;
    this.#brand = brand;
    this.#assetVersion = assetVersion;
  }

  show(
    ctx: Context,
    template: string,
    options: PageOptions,
    data: { form?: Form; [name: string]: unknown } = {},
  ): void {
    ctx.status = options.status ?? (data.form?.isValid === false ? 422 : 200);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = this.#eta.render(template, { site: this.#site(ctx, options), ...data });
  }

  /** The data that every template finds under `it.site`. */
  #site(ctx: Context, { title, section = '' }: PageOptions) {
    const guard = this.#guard;
    const { person, memberships = [], ...state } = pageState(ctx);
    // A person's own pages keep the navigation of the organisation that `/account` leads to.
    const membership = state.membership ?? (section === 'you' ? memberships[0] : undefined);
    return {
      title,
      section,
      // Evaluated only by pages with a form: other pages set no cookie.
      get csrf() {
        return guard.token(ctx);
      },
      formats: pageFormats(ctx),
      person: person && {
        name: person.name,
        email: person.email,
        isOperator: person.isOperator,
      },
      organisations: memberships.map(({ organisationId: id, organisationName: name }) => ({ id, name })),
      organisation: membership && {
        id: membership.organisationId,
        name: membership.organisationName,
        role: membership.role,
        isSuspended: membership.suspendedAt !== null,
        isManager: MANAGERS.includes(membership.role),
        isOwner: membership.role === 'owner',
      },
      notice: NOTICES.get(String(ctx.query['done'] ?? '')),
      assetVersion: this.#assetVersion,
      brand: this.#brand,
      base: membership === undefined ? '' : organisationPath(membership.organisationId),
      limits: LIMITS,
      linkLifetime,
    };
  }
}

export function pageFormats(ctx: Context): Formats {
  return formatsFor(ctx.get('Accept-Language'));
}

export function organisationPath(organisationId: string): string {
  return `/account/o/${organisationId}`;
}
