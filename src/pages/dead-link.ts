/** The page for people whose link does not work: a damaged or expired download link, or a wrong address. */

import type { Context } from 'koa';
import type { ApiError } from '../contract/errors.js';
import type { View } from './view.js';

interface Words {
  title: string;
  message: string;
}

/** By the error code that a program would get. */
const WORDS: Readonly<Record<string, Words>> = {
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
    title: 'These QR codes were deleted',
    message: 'Finished jobs are kept for a limited time. Ask the person who sent you the link to make the codes again.',
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

export function showDeadLink(ctx: Context, view: View, error: ApiError): void {
  const isLink = ctx.path.startsWith('/d/');
  const words = WORDS[isLink && error.code === 'not_found' ? 'gone' : error.code];
  const { title, message } = words ?? { title: 'This did not work', message: error.message };
  view.show(ctx, 'error', { title, status: error.status }, { message, issues: [] });
}
