/** A job as the rest of the service sees it. */

import type { JobRow, JobStatus } from '../database/schema.js';

/** Times are Unix milliseconds. */
export interface Job {
  id: string;
  /** Random name of the job in signed URLs; says nothing about the id. */
  token: string;
  organisationId: string;
  status: JobStatus;
  sendEmail: boolean;
  /** Items: `completed + failed` reaches `total` when the job ends. */
  total: number;
  completed: number;
  failed: number;
  creditsCharged: number;
  creditsRefunded: number;
  /** Bytes of the archive that are made of the chunks' directories when it is read; 0 where its tail holds all headers. */
  headerBytes: number;
  /** Bytes that are stored of its tail; null until complete. */
  tailBytes: number | null;
  archiveBytes: number | null;
  /** Attempts at the tail; the last one's is read. */
  tailAttempt: number;
  /** Why it failed, for people. */
  failure: string | null;
  createdAt: number;
  endedAt: number | null;
  expiresAt: number;
}

export function jobFromRow(row: JobRow): Job {
  return {
    id: row.id,
    token: row.token,
    organisationId: row.organisation_id,
    status: row.status,
    sendEmail: row.send_email === 1,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    creditsCharged: row.credits_charged,
    creditsRefunded: row.credits_refunded,
    headerBytes: row.header_bytes ?? 0,
    tailBytes: row.tail_bytes ?? row.end_bytes,
    archiveBytes: row.archive_bytes,
    tailAttempt: row.tail_attempt,
    failure: row.failure,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    expiresAt: row.expires_at,
  };
}
