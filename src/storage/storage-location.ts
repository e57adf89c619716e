/** The place of the blobs, as `QRPRESS_STORAGE_URL` names it. */

import { fileURLToPath } from 'node:url';
import { isBlobKey } from './blob-store.js';

interface FolderLocation {
  kind: 'folder';
  /** Absolute path. */
  path: string;
}

export interface BucketLocation {
  kind: 'bucket';
  bucket: string;
  /** Prefix of the bucket's keys, without the `/` after it. May be empty. */
  prefix: string;
  /** Origin of an S3-compatible service. Undefined: AWS. */
  endpoint: string | undefined;
  /** Undefined: taken from the AWS environment variables and files. */
  region: string | undefined;
}

export type StorageLocation = FolderLocation | BucketLocation;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The region that S3-compatible services without regions expect. */
const DEFAULT_REGION = 'us-east-1';

/** @throws Error that says which forms are accepted */
export function parseStorageUrl(text: string): StorageLocation {
  // Without the slashes, a relative path would count as one from the root.
  const url = URL.canParse(text) && /^\w+:\/\//.test(text) ? new URL(text) : undefined;
  const location = url && (url.protocol === 'file:' ? folderOf(url) : bucketOf(url));
  if (location === undefined) {
    throw new Error(
      'expected file:///folder, or s3://bucket/prefix?endpoint=https://host&region=name without credentials',
    );
  }
  return location;
}

/** A location as people name it: a path, or bucket and prefix. */
export function placeOf(location: StorageLocation): string {
  return location.kind === 'folder'
    ? location.path
    : `s3://${[location.bucket, location.prefix].filter(Boolean).join('/')}`;
}

function folderOf(url: URL): FolderLocation | undefined {
  const isPlain =
    url.host === '' && url.search === '' && url.hash === '' && url.pathname !== '/' && !url.pathname.includes('%00');
  return isPlain ? { kind: 'folder', path: fileURLToPath(url) } : undefined;
}

function bucketOf(url: URL): BucketLocation | undefined {
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
  const isSound =
    url.protocol === 's3:' &&
    BUCKET.test(url.host) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    (prefix === '' || isBlobKey(prefix)) &&
    (endpoint === undefined || isOrigin(endpoint)) &&
    (region === undefined || /^[a-z0-9-]+$/.test(region)) &&
    Object.keys(others).length === 0;
  return isSound
    ? {
        kind: 'bucket',
        bucket: url.host,
        prefix,
        endpoint,
        region: region ?? (endpoint === undefined ? undefined : DEFAULT_REGION),
      }
    : undefined;
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && text.replace(/\/$/, '') === url.origin;
}
