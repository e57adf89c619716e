/** Error pages: for exceptions of a page, and for people whose download link or address does not work. */

import type { Context, Middleware } from 'koa';
import { AccountError } from '../../accounts/account-error.js';
import { ApiError } from '../../contract/errors.js';
import { asUnavailable } from '../../jobs/unavailable.js';
import { isDangling } from '../../database/transaction.js';
import { type Log, loggedPath } from '../../platform/log.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';
import { pageFormats } from './formats.js';
import type { PageView } from './page-dependencies.js';

const TITLES: Readonly<Record<number, string>> = {
  402: 'Not enough credits',
  403: 'You can’t do this',
  404: 'Page not found',
  409: 'This did not work',
  410: 'This link has expired',
  413: 'This is too large',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

export function pageErrors(view: PageView, log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new AccountError('not_found', 'This page does not exist. Check the address for typing errors.');
      }
    } catch (error) {
      if (error instanceof BodyAbortedError) {
        // The client is gone: there is nobody to show a page to.
        throw error;
      }
      answer(ctx, error, view, log);
    }
  };
}

function answer(ctx: Context, thrown: unknown, view: PageView, log: Log): void {
  const unavailable = asUnavailable(thrown);
  const error = isDangling(thrown) ? justDeleted() : (unavailable ?? thrown);
  const { status, message } = explain(ctx, error);
  if (status === 500 || unavailable !== undefined) {
    log.error({ path: loggedPath(ctx.path), err: thrown }, 'page failed');
  }
  const { headers = {}, members = {} }: Partial<ApiError> = error instanceof ApiError ? error : {};
  ctx.set(headers);
  // A browser would save the page as the file that was asked for.
  ctx.remove('Content-Disposition');
  const issues = (members['issues'] as object[] | undefined) ?? [];
  const {
    reason,
    title = TITLES[status] ?? 'Something went wrong',
    next: given,
  }: Partial<AccountError> = error instanceof AccountError ? error : {};
  const next = reason === 'sign_in_ended' ? { href: '/account/sign-in', label: 'Try again' } : given;
  const until =
    reason === 'too_many_passwords' ? Date.now() + 1_000 * Number(ctx.response.get('Retry-After')) : undefined;
  view.show(ctx, 'error', { title, status, message, issues, next, until });
}

function justDeleted(): AccountError {
  return new AccountError(
    'conflict',
    'Something that this needs was just deleted. Go back, reload the page, and try again.',
  );
}

function explain(ctx: Context, error: unknown): { status: number; message: string } {
  if (error instanceof ApiError && error.code === 'payload_too_large') {
    const limit = pageFormats(ctx).bytes(Number(error.members['limit']));
    return { status: error.status, message: `What you sent is larger than ${limit}.` };
  }
  if (error instanceof AccountError || (error instanceof ApiError && error.status !== 500)) {
    return { status: error.status, message: error.message };
  }
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500
    ? { status, message: 'What you sent could not be read. Go back and try again.' }
    : { status: 500, message: 'This is our fault. It was logged. Try again later.' };
}

/** Words for people in place of an error of the API, by the error's code. */
const WORDS: Readonly<Record<string, { title: string; message: string }>> = {
  invalid_signature: {
    title: 'This link is damaged',
    message: 'Part of it is missing or changed. Copy the whole link again from the email or page that you got it from.',
  },
  link_expired: {
    title: 'This link has expired',
    message: 'Ask the person who sent it to you for a new one. Members find it on the page of the job.',
  },
  not_ready: {
    title: 'Not ready yet',
    message: 'The QR codes are still being made. Reload this page in a minute.',
  },
  gone: {
    title: 'This link no longer works',
    message: 'The QR codes were deleted, or the link was withdrawn. Ask the person who sent it to you for a new one.',
  },
  not_found: {
    title: 'Page not found',
    message: 'This page does not exist. Check the address for typing errors.',
  },
};

/** True when the request comes from a person's browser. */
export function isForPeople(ctx: Context): boolean {
  return (
    ['GET', 'HEAD'].includes(ctx.method) && !ctx.path.startsWith('/api/') && ctx.accepts('json', 'html') === 'html'
  );
}

/** The page for a damaged or expired download link, or a wrong address. */
export function showDeadLink(ctx: Context, view: PageView, error: ApiError): void {
  const isLink = ctx.path.startsWith('/d/');
  const words = WORDS[isLink && error.code === 'not_found' ? 'gone' : error.code];
  const { title, message } = words ?? { title: 'This did not work', message: error.message };
  view.show(ctx, 'error', { title, status: error.status, message, issues: [] });
}
