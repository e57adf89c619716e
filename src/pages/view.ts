/** Renders a page: its template, the frame around it, and what every page knows. */

import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Context } from 'koa';
import { isManager } from '../account/membership-store.js';
import { type Formats, formatsFor } from './formats.js';
import type { FormGuard } from './form-guard.js';
import { pageState } from './page-state.js';

// From the package's root, so that sources and compiled files find the same templates.
const TEMPLATES = fileURLToPath(new URL('../../web/pages/', import.meta.url));

/** What was done by the form that led here, by its code in the query. */
const NOTICES = new Map(
  Object.entries({
    'signed-up': 'Welcome. Your address is confirmed, and 500 credits are waiting for you.',
    'signed-out': 'You are signed out.',
    'signed-out-everywhere': 'You are signed out on every device.',
    'password-set': 'Your new password is set. Sign in with it.',
    'password-changed': 'Your password is changed, and your other devices are signed out.',
    renamed: 'The new name is saved.',
    revoked: 'The key is revoked. It no longer works.',
    invited: 'The invitation is on its way.',
    withdrawn: 'The invitation is withdrawn.',
    'role-changed': 'The role is changed.',
    removed: 'The member is removed. Keys that they made still work: revoke those that they may have kept.',
    'handed-over': 'The organisation has a new owner. You are an admin now.',
    left: 'You have left the organisation.',
    joined: 'Welcome. You are a member now.',
    founded: 'The organisation is ready.',
    granted: 'The credits are granted.',
  }),
);

export interface PageOptions {
  /** Title of the document and the page. */
  title: string;
  /** HTTP status. */
  status?: number;
  /** Which entry of the navigation is the current one. */
  section?: string;
}

/** What every template finds under `it.site`. */
interface Site extends Required<Pick<PageOptions, 'title' | 'section'>> {
  csrf: string;
  formats: Formats;
  person: { name: string; email: string; isOperator: boolean } | undefined;
  organisations: { id: string; name: string }[];
  organisation: { id: string; name: string; role: string; isManager: boolean; isOwner: boolean } | undefined;
  notice: string | undefined;
  /** Changes with the stylesheet and scripts, which browsers keep for a year. */
  assetVersion: string;
  /** Where the organisation's pages are. */
  base: string;
}

export class View {
  readonly #eta = new Eta({ views: TEMPLATES, cache: true, autoTrim: [false, 'nl'] });
  readonly #guard: FormGuard;
  readonly #assetVersion: string;

  constructor(guard: FormGuard, assetVersion: string) {
    this.#guard = guard;
    this.#assetVersion = assetVersion;
  }

  /** Answers with the page of a template. */
  show(ctx: Context, template: string, options: PageOptions, data: object = {}): void {
    ctx.status = options.status ?? 200;
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = this.#eta.render(template, { site: this.#site(ctx, options), ...data });
  }

  #site(ctx: Context, { title, section = '' }: PageOptions): Site {
    const { person, memberships = [], membership } = pageState(ctx);
    return {
      title,
      section,
      csrf: this.#guard.token(ctx),
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
        isManager: isManager(membership.role),
        isOwner: membership.role === 'owner',
      },
      notice: NOTICES.get(String(ctx.query['done'] ?? '')),
      assetVersion: this.#assetVersion,
      base: membership === undefined ? '' : organisationPath(membership.organisationId),
    };
  }
}

/** Formats for who asks. */
export function pageFormats(ctx: Context): Formats {
  return formatsFor(ctx.acceptsLanguages());
}

export function organisationPath(organisationId: string): string {
  return `/account/o/${organisationId}`;
}
