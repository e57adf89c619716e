/** The files of a form that `readUpload` has received. */

import { readFile } from 'node:fs/promises';
import type { RouterContext } from '@koa/router';
import { LIMITS } from '../../contract/limits.js';

/** The largest logo that fits into a data URL: base64 uses four characters for three bytes. */
export const LOGO_BYTES = Math.floor((LIMITS.logoDataUrlCharacters - 'data:image/png;base64,'.length) / 4) * 3;

/** The largest list that a page has within it for the next step: with a logo it fits into the fields of a form. */
export const SENT_FILE_BYTES = 200_000;

/** A file that an earlier step received, as a field of the page: its contents in base64. */
export interface SentFile {
  name: string;
  content: string;
}

export interface Upload {
  path: string;
  /** The name given by the browser. */
  name: string;
  bytes: number;
  /** SHA-256 of the contents, hex. Set once the file has been read. */
  digest: string;
}

interface UploadState {
  uploads?: ReadonlyMap<string, Upload>;
  replacedFiles?: ReadonlyMap<string, SentFile>;
}

export function uploadOf(ctx: RouterContext, field: string): Upload | undefined {
  const upload = (ctx.state as UploadState).uploads?.get(field);
  return upload === undefined || upload.bytes === 0 ? undefined : upload;
}

/** The file in that field, unless it is too large for a page. */
export async function sentFile(ctx: RouterContext, field: string): Promise<SentFile | undefined> {
  const { name, path } = smallUploadOf(ctx, field) ?? {};
  return name === undefined || path === undefined ? undefined : { name, content: await readFile(path, 'base64') };
}

/** The file in that field, where the next step need not receive it again. */
export function smallUploadOf(ctx: RouterContext, field: string): Upload | undefined {
  const upload = uploadOf(ctx, field);
  const most = field === 'logo' ? LOGO_BYTES : SENT_FILE_BYTES;
  return upload !== undefined && upload.bytes <= most ? upload : undefined;
}

/** The name of a file that was chosen and is empty. */
export function emptyFileOf(ctx: RouterContext, field: string): string | undefined {
  const upload = (ctx.state as UploadState).uploads?.get(field);
  return upload?.bytes === 0 && upload.name !== '' ? upload.name : undefined;
}

/** The file of an earlier step in whose place another one was chosen. */
export function replacedFile(ctx: RouterContext, field: string): SentFile | undefined {
  return (ctx.state as UploadState).replacedFiles?.get(field);
}

export function keepUploads(
  ctx: RouterContext,
  uploads: ReadonlyMap<string, Upload>,
  replacedFiles: ReadonlyMap<string, SentFile>,
): void {
  Object.assign(ctx.state, { uploads, replacedFiles } satisfies UploadState);
}
