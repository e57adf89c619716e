/** Turns exceptions of a page into an error page. */

import type { Context, Middleware } from 'koa';
import { AccountError } from '../account/account-error.js';
import { ApiError } from '../contract/errors.js';
import { asUnavailable } from '../database/failures.js';
import { BodyAbortedError } from '../intake/received-bytes.js';
import { type Log, loggedPath } from '../log.js';
import type { View } from './view.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'You cannot do this',
  404: 'Page not found',
  409: 'This did not work',
  410: 'This link has expired',
  413: 'This is too large',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

export function pageErrors(view: View, log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new AccountError('not_found', 'This page does not exist. Check the address, or go to your account.');
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

function answer(ctx: Context, thrown: unknown, view: View, log: Log): void {
  const unavailable = asUnavailable(thrown);
  const error = unavailable ?? thrown;
  const { status, message } = explain(error);
  if (status === 500 || unavailable !== undefined) {
    log.error({ path: loggedPath(ctx.path), err: thrown }, 'page failed');
  }
  if (error instanceof AccountError && error.retryAfterSeconds !== undefined) {
    ctx.set('Retry-After', String(error.retryAfterSeconds));
  } else if (error instanceof ApiError) {
    ctx.set(error.headers);
  }
  const issues = error instanceof ApiError ? ((error.members['issues'] as object[] | undefined) ?? []) : [];
  view.show(ctx, 'error', { title: TITLES[status] ?? 'Something went wrong', status }, { message, issues });
}

function explain(error: unknown): { status: number; message: string } {
  if (error instanceof AccountError || (error instanceof ApiError && error.status !== 500)) {
    return { status: error.status, message: error.message };
  }
  // Errors of koa-body have a status of their own.
  const { status } = error as { status?: unknown };
  if (status === 413) {
    return { status, message: 'What you sent is too large.' };
  }
  return typeof status === 'number' && status >= 400 && status < 500
    ? { status, message: 'What you sent could not be read. Go back and try again.' }
    : { status: 500, message: 'This is our fault. It was logged. Try again later.' };
}
