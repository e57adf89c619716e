/** Turns what a page throws into a page that says so. */

import type { Context, Middleware } from 'koa';
import { AccountError } from '../account/account-error.js';
import { ApiError } from '../errors.js';
import type { View } from './view.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible',
  410: 'The link has ended',
  413: 'Too large',
  429: 'Too many attempts',
  503: 'Not now',
};

/** Where the room says what an operator should know; a pino logger is one. */
export interface PageLog {
  info: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}

export function pageErrors(view: View, log: PageLog): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new AccountError('not_found', 'There is nothing at this address.');
      }
    } catch (error) {
      answer(ctx, error, view, log);
    }
  };
}

function answer(ctx: Context, error: unknown, view: View, log: PageLog): void {
  const { status, message } = explain(error);
  if (status === 500) {
    log.error({ path: ctx.path, err: error }, 'page failed');
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
  // What koa-body, or the parser of forms with files, refuses has a status of its own.
  const { status: own, httpCode } = error as { status?: unknown; httpCode?: unknown };
  const status = own ?? httpCode;
  if (status === 413) {
    return { status, message: 'What you sent is larger than what is taken here.' };
  }
  return typeof status === 'number' && status >= 400 && status < 500
    ? { status, message: 'What you sent cannot be read.' }
    : { status: 500, message: 'The fault is ours, and it was noted. Try again later.' };
}
