/** The tables, as Kysely sees them: the same on SQLite and MySQL. Times are Unix milliseconds, amounts are credits. */

import type { Generated } from 'kysely';

export interface OrganisationTable {
  id: string;
  name: string;
  /** Where the download link goes. */
  owner_email: string;
  /** Credits available to spend; never below 0; equals the sum of the organisation's ledger entries. */
  balance: number;
  created_at: number;
}

export interface ApiKeyTable {
  id: string;
  organisation_id: string;
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** SHA-256 of the whole key, hex. The key itself is not stored. */
  hash: string;
  created_at: number;
  revoked_at: number | null;
}

export type LedgerEntryKind = 'grant' | 'charge' | 'refund';

/** Append-only. At most one charge and one refund a job. */
export interface LedgerEntryTable {
  id: Generated<number>;
  organisation_id: string;
  kind: LedgerEntryKind;
  /** Signed: a charge is negative. */
  amount: number;
  balance_after: number;
  job_id: string | null;
  reason: string;
  created_at: number;
}

export type JobStatus = 'processing' | 'zipping' | 'complete' | 'failed';

export interface JobTable {
  id: string;
  /** Random name of the job in signed URLs; says nothing about the id. */
  token: string;
  organisation_id: string;
  status: JobStatus;
  /** 0 or 1. */
  send_email: number;
  total: number;
  completed: number;
  failed: number;
  credits_charged: number;
  credits_refunded: number;
  /** Bytes of the spool file. */
  spool_bytes: number;
  /** Bytes of the archive's tail and of the whole archive, once complete. */
  tail_bytes: number | null;
  archive_bytes: number | null;
  created_at: number;
  ended_at: number | null;
  /** When archive and input are deleted, and signed URLs end. */
  expires_at: number;
}

export type ChunkStatus = 'pending' | 'done' | 'failed';

/** A run of a job's items that is rendered as one ZIP segment. */
export interface ChunkTable {
  job_id: string;
  /** Place in the job, from 0. */
  position: number;
  status: ChunkStatus;
  first_item: number;
  item_count: number;
  spool_offset: number;
  spool_bytes: number;
  /** 0 until done. */
  segment_bytes: number;
  /** Items that could not be rendered. */
  failed_items: number;
}

/** A request that carried an `Idempotency-Key`: under way, or answered with a job. */
export interface IdempotencyRecordTable {
  organisation_id: string;
  /** SHA-256 of the key, hex. */
  key_hash: string;
  /** The job that the request may become, or became. */
  job_id: string;
  /** SHA-256 of the request's form and body, hex; null while the request is under way. */
  fingerprint: string | null;
  /** From then on the key is free again: a day after the answer, moments after the last sign of a request under way. */
  expires_at: number;
}

/** A mail on its way; a delivered one has no row. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** Attempts that have failed. */
  attempts: number;
  /** Also the end of the lease of whoever delivers it; null: given up. */
  next_attempt_at: number | null;
  last_error: string | null;
  created_at: number;
}

export interface Schema {
  organisations: OrganisationTable;
  api_keys: ApiKeyTable;
  ledger_entries: LedgerEntryTable;
  jobs: JobTable;
  chunks: ChunkTable;
  idempotency_records: IdempotencyRecordTable;
  mails: MailTable;
}
