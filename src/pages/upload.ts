/** Forms with files: read into a temporary folder, and out of it again when they are answered. */

import { rm } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { koaBody } from 'koa-body';
import { LIMITS } from '../limits.js';

/** A file as koa-body leaves it. */
interface UploadedFile {
  filepath: string;
  originalFilename: string | null;
  size: number;
}

const read = koaBody({
  multipart: true,
  urlencoded: true,
  json: false,
  text: false,
  formLimit: '1mb',
  formidable: {
    maxFileSize: LIMITS.ndjsonBodyBytes,
    // The items and the logo: every other file, however small, would be one more on the disk.
    maxFiles: 2,
    maxFields: 50,
    maxFieldsSize: 1_000_000,
    allowEmptyFiles: true,
    minFileSize: 0,
  },
}) as RouterMiddleware;

export const readUpload: RouterMiddleware = async (ctx, next) => {
  try {
    await read(ctx, next);
  } finally {
    await Promise.all(filesOf(ctx).map(([, file]) => rm(file.filepath, { force: true })));
  }
};

/** The file that was chosen in a field; undefined where none was. */
export function uploadOf(ctx: RouterContext, field: string): { path: string; name: string } | undefined {
  const file = filesOf(ctx).find(([name]) => name === field)?.[1];
  return file === undefined || file.size === 0 ? undefined : { path: file.filepath, name: file.originalFilename ?? '' };
}

function filesOf(ctx: RouterContext): [string, UploadedFile][] {
  const files = (ctx.request as { files?: Record<string, UploadedFile | UploadedFile[]> }).files ?? {};
  return Object.entries(files).flatMap(([name, file]) =>
    [file].flat().map((each) => [name, each] as [string, UploadedFile]),
  );
}
