/** The files of a form that `readUpload` has received. */

import type { RouterContext } from '@koa/router';
import { LIMITS } from '../../contract/limits.js';

/** The largest logo that fits into a data URL: base64 uses four characters for three bytes. */
export const LOGO_BYTES = Math.floor((LIMITS.logoDataUrlCharacters - 'data:image/png;base64,'.length) / 4) * 3;

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
}

export function uploadOf(ctx: RouterContext, field: string): Upload | undefined {
  const upload = (ctx.state as UploadState).uploads?.get(field);
  return upload === undefined || upload.bytes === 0 ? undefined : upload;
}

/** The name of a file that was chosen and is empty. */
export function emptyFileOf(ctx: RouterContext, field: string): string | undefined {
  const upload = (ctx.state as UploadState).uploads?.get(field);
  return upload?.bytes === 0 && upload.name !== '' ? upload.name : undefined;
}

export function keepUploads(ctx: RouterContext, uploads: ReadonlyMap<string, Upload>): void {
  (ctx.state as UploadState).uploads = uploads;
}
