/** A job as the rest of the service sees it. */

import { LIMITS } from '../contract/limits.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';
import type { JobFailure, JobRow, JobStatus } from '../database/schema.js';
import { NOTHING_VERIFIED, type Verification } from '../engine/verify-chunk.js';
import type { SourcePlaces } from './source-places.js';

/** Reasons why a job failed, for people. */
export const FAILURE_TEXT: Readonly<Record<JobFailure, string>> = {
  cancelled: 'The job was cancelled.',
  nothing_drawn: 'No item could be drawn.',
  not_stored: 'The pictures could not be stored.',
  deadline: 'The job had not ended when it expired.',
};

/** A job's status for people: a cancelled job did not fail, and one without some of its codes is not quite complete. */
export type JobState = JobStatus | 'incomplete' | 'cancelled';

/** Every state, and its name on pages. */
export const STATE_NAMES: Readonly<Record<JobState, string>> = {
  processing: 'Processing',
  zipping: 'Making the ZIP file',
  complete: 'Complete',
  incomplete: 'Complete, some missing',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function stateOf({ status, failure, failed }: Pick<Job, 'status' | 'failure' | 'failed'>): JobState {
  if (status === 'complete' && failed > 0) {
    return 'incomplete';
  }
  return failure === 'cancelled' ? failure : status;
}

/** Characters of a job's name that no file's name may have somewhere, and those that show it in another order. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}/\\:*?"<>|]+/gu;

/** Names that Windows takes for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** Name of a job's file: the job's, if it has one. `fallback`: the name for clients that read ASCII only. */
export function filenameOf(
  { id, name }: Pick<Job, 'id' | 'name'>,
  extension: 'zip' | 'pdf' | 'csv' | 'ndjson',
): { filename: string; fallback: string } {
  const ofId = `qrpress-${id}.${extension}`;
  const fit = fitName(name ?? '', LIMITS.fileNameBytes - Buffer.byteLength(`.${extension}`));
  const filename = fit === '' ? ofId : `${fit}.${extension}`;
  return { filename, fallback: /^[ -~]+$/.test(filename) ? filename : ofId };
}

/**
 * A job's name as that of a file of so many bytes, without its extension. Empty when nothing of it is left. It follows the rules of
 * the names in the archive (`crates/filenames`).
 */
function fitName(name: string, bytes: number): string {
  const cleaned = name.replaceAll(UNFIT, '-').replaceAll(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE.test(cleaned) ? `_${cleaned}` : cleaned.replace(/^[=+\-@]/, '_');
  let fit = '';
  for (const { segment } of new Intl.Segmenter('en').segment(safe)) {
    if (Buffer.byteLength(fit + segment) > bytes) {
      break;
    }
    fit += segment;
  }
  return fit.replace(/[. ]+$/, '');
}

/** A warning of a job's check. */
export interface FoundWarning extends Warning {
  /** Indices of the first hundred items that it concerns. Empty or absent: it concerns all. */
  listed?: number[];
}

/** Times are Unix milliseconds. */
export interface Job {
  id: string;
  /** Random name of the job in signed URLs. Reveals nothing about the id. */
  token: string;
  organisationId: string;
  /** The name given in the request, for people. */
  name: string | null;
  status: JobStatus;
  sendEmail: boolean;
  /** The member who gets the mail. Null: the owner. */
  mailPersonId: string | null;
  warnings: FoundWarning[];
  /** Items to read back, spread evenly over the job. */
  verifyItems: number;
  /** Result of reading its codes back. Undefined when that was not requested. */
  verification: Verification | undefined;
  /** Items: `completed + failed` reaches `total` when the job ends. */
  total: number;
  completed: number;
  failed: number;
  creditsCharged: number;
  creditsRefunded: number;
  /** Faulty rows of its spreadsheet that were left out. */
  skippedRows: number;
  /** Null for a job that is made of no person's list. */
  sourcePlaces: SourcePlaces | null;
  /** The id of the job whose codes it makes anew, which may be deleted. */
  madeFrom: string | null;
  /** The item of that job which it corrects. Null: it corrects none. */
  correctedItem: number | null;
  /** Bytes of headers generated from the segment indexes on reading. 0 when all headers are stored with the end. */
  headerBytes: number;
  /** Bytes of the stored end. Null until complete. */
  endBytes: number | null;
  archiveBytes: number | null;
  /** Attempts at finishing the archive. The end that the last one wrote is read. */
  finishAttempt: number;
  /** Reason for which the job failed. */
  failure: JobFailure | null;
  createdAt: number;
  /** Time at which the first chunk that ended was begun. Null until then. */
  startedAt: number | null;
  endedAt: number | null;
  /** Time of the first download of the archive. */
  downloadedAt: number | null;
  expiresAt: number;
}

/** A job as people call it: by its name, or by the beginning of its id. */
export function titleOf({ id, name }: Pick<Job, 'id' | 'name'>): string {
  return name ?? `Job ${id.slice(0, 6)}`;
}

/** The scan check that the job was made with. */
export function verifyOf({ verifyItems, total }: Pick<Job, 'verifyItems' | 'total'>): NonNullable<JobMeta['verify']> {
  return verifyItems === 0 ? 'none' : verifyItems === total ? 'all' : 'sample';
}

/** The members of a job that the answer to its creation is made of. */
export type JobReceipt = Pick<Job, 'id' | 'token' | 'total' | 'creditsCharged' | 'warnings' | 'expiresAt'>;

export function receiptOf({ id, token, total, creditsCharged, warnings, expiresAt }: Job): JobReceipt {
  return { id, token, total, creditsCharged, warnings, expiresAt };
}

type VerificationRow = Pick<JobRow, 'verified' | 'unread' | 'unread_items' | 'unused_error_correction'>;

/** The readings so far. */
export function verificationFromRow(row: VerificationRow): Verification {
  const { unread_items: items, unused_error_correction: unused } = row;
  return {
    ...NOTHING_VERIFIED,
    verified: row.verified,
    unread: row.unread,
    ...(items !== null && { unreadItems: JSON.parse(items) as number[] }),
    ...(unused !== null && (JSON.parse(unused) as Pick<Verification, 'least' | 'distribution'>)),
  };
}

export function verificationColumns(verification: Verification): VerificationRow {
  const { verified, unread, unreadItems, least, distribution } = verification;
  return {
    verified,
    unread,
    unread_items: unreadItems.length > 0 ? JSON.stringify(unreadItems) : null,
    unused_error_correction: least === undefined ? null : JSON.stringify({ least, distribution }),
  };
}

export function jobFromRow(row: JobRow): Job {
  return {
    id: row.id,
    token: row.token,
    organisationId: row.organisation_id,
    name: row.name,
    status: row.status,
    sendEmail: row.send_email === 1,
    mailPersonId: row.mail_person_id,
    warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as FoundWarning[]),
    verifyItems: row.verify_items,
    verification: row.verify_items === 0 ? undefined : verificationFromRow(row),
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    creditsCharged: row.credits_charged,
    creditsRefunded: row.credits_refunded,
    skippedRows: row.skipped_rows,
    sourcePlaces: row.source_places === null ? null : (JSON.parse(row.source_places) as SourcePlaces),
    madeFrom: row.made_from,
    correctedItem: row.corrected_item,
    headerBytes: row.header_bytes ?? 0,
    endBytes: row.end_bytes,
    archiveBytes: row.archive_bytes,
    finishAttempt: row.finish_attempt,
    failure: row.failure,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    downloadedAt: row.downloaded_at,
    expiresAt: row.expires_at,
  };
}
