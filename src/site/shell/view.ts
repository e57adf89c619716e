/** Renders a page: its template, the frame around it, and data common to all pages. */

import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Context } from 'koa';
import { linkLifetime } from '../../accounts/letters.js';
import { KEPT_PAGE_MINUTES } from '../../accounts/kept-page-store.js';
import { MANAGERS } from '../../accounts/organisations/membership-store.js';
import { LIMITS } from '../../contract/limits.js';
import type { Brand } from '../../config/brand.js';
import type { Page, PageView } from './page-dependencies.js';
import type { FormGuard } from './form-guard.js';
import { pageFormats } from './formats.js';
import { organisationPath, pageState } from './page-state.js';

// Relative to the package's root, so that sources and compiled files find the same templates.
const TEMPLATES = fileURLToPath(new URL('../../../web/pages/', import.meta.url));

/** Codes of messages about what did not work. */
const TROUBLES = new Set([
  'test-failed',
  'codes-refused',
  'step-ended',
  'session-over',
  'ended-before',
  'not-ended',
  'not-waiting',
]);

/** Messages that differ where no mail server is set up. */
const UNSENT_NOTICES = new Map(
  Object.entries({
    'address-asked':
      'The email to the new address is not sent: this server has no mail server. Whoever runs it finds the mail in the folder outbox of its data.',
    'codes-refused': 'Too many wrong codes. Try again in an hour.',
    invited: 'The invitation is open, but not sent.',
    'invited-again':
      'The invitation has a new link, which is not sent: whoever runs this server can print one (qrpress admin invite). The earlier link no longer works.',
  }),
);

/** Messages after a form, by the code in the query. */
const NOTICES = new Map(
  Object.entries({
    'signed-out': 'You are signed out.',
    'session-over': 'You were signed out. Sign in to continue where you were.',
    'signed-out-everywhere': 'You are signed out on every device.',
    'password-set': 'Your new password is set. Sign in with it.',
    'password-changed': 'Your password is changed. Your other devices are signed out.',
    'name-changed': 'Your name is changed.',
    'address-asked': 'We sent an email to the new address. It says what to do next.',
    'address-changed': 'Your email address is changed.',
    'session-ended': 'That browser is signed out.',
    'recovery-code-used': 'You are signed in. The recovery code that you used no longer works.',
    'second-factor-off': 'Two-factor authentication is off.',
    connected: 'Your company account is connected. You can sign in with it.',
    disconnected: 'The company account is disconnected. Your other devices are signed out.',
    'step-ended': 'That took too long. Sign in again.',
    'codes-refused': 'Too many wrong codes. We sent you an email. Try again in an hour.',
    'account-deleted': 'Your account is deleted.',
    renamed: 'The name is saved.',
    'links-withdrawn': 'The links of this job no longer work. Below is a new one.',
    revoked: 'The key is revoked. It no longer works.',
    cancelled: 'The job is cancelled.',
    'ended-before': 'The job had already ended.',
    'not-ended': 'A job in progress cannot be deleted. Cancel it first.',
    'jobs-deleted': 'The jobs and their files are deleted.',
    deleted: 'The job and its files are deleted.',
    'style-saved': 'The style is saved.',
    'style-deleted': 'The style is deleted.',
    asked: 'Your message is sent. The administrators of this server see it until they grant credits.',
    'webhook-deleted': 'The webhook is deleted.',
    'webhook-changed': 'The webhook is changed.',
    'webhook-paused': 'The webhook is paused.',
    'webhook-resumed': 'The webhook is resumed. Waiting events are sent now.',
    'sent-now': 'The event is sent now.',
    'given-up': 'The event is given up.',
    'not-waiting': 'The event no longer waits. See its state below.',
    'test-delivered': 'The test was delivered.',
    'test-failed': 'The test failed. See the answer below.',
    invited: 'The invitation is sent.',
    'invited-again': 'The invitation is sent again. The link in the earlier email no longer works.',
    withdrawn: 'The invitation is withdrawn.',
    'role-changed': 'The role is changed.',
    removed: 'The member is removed. API keys that they may have copied work until you revoke them.',
    'handed-over': 'Ownership is transferred. You are an admin now.',
    shared: 'The organisation has another owner.',
    left: 'You have left the organisation.',
    'joined-member': 'Welcome. You are a member now.',
    'joined-admin': 'Welcome. You are an admin now.',
    'joined-owner': 'Welcome. You are an owner now.',
    'operator-withdrawn': 'They are no longer an operator. Their account stays.',
    'allowance-set': 'The monthly credits are saved.',
    suspended: 'The organisation is suspended.',
    resumed: 'The organisation is resumed. It can make codes again.',
  }),
);

export class View implements PageView {
  readonly #eta = new Eta({ views: TEMPLATES, cache: true, autoTrim: [false, 'nl'] });
  readonly #guard: FormGuard;
  readonly #assetVersion: string;

  readonly #brand: Brand;
  readonly #hasMailServer: boolean;

  constructor(guard: FormGuard, assetVersion: string, brand: Brand, hasMailServer: boolean) {
    this.#guard = guard;
    this.#brand = brand;
    this.#hasMailServer = hasMailServer;
    this.#assetVersion = assetVersion;
  }

  show(ctx: Context, template: string, { title, section, notice, status, ...data }: Page): void {
    ctx.status = status ?? (data.form?.isValid === false ? 422 : 200);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = this.#eta.render(template, { site: this.#site(ctx, { title, section, notice }), ...data });
  }

  /** The data that every template finds under `it.site`. */
  #site(ctx: Context, { title, section = '', notice }: Pick<Page, 'title' | 'section' | 'notice'>) {
    const guard = this.#guard;
    const done = String(ctx.query['done'] ?? '');
    const unsent = this.#hasMailServer ? undefined : UNSENT_NOTICES.get(done);
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
      notice: notice ?? unsent ?? NOTICES.get(done),
      isTrouble: TROUBLES.has(done) || unsent !== undefined,
      assetVersion: this.#assetVersion,
      brand: this.#brand,
      hasMailServer: this.#hasMailServer,
      base: membership === undefined ? '' : organisationPath(membership.organisationId),
      limits: LIMITS,
      linkLifetime,
      keptMinutes: KEPT_PAGE_MINUTES,
    };
  }
}
