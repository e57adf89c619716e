/** The tables, as Kysely sees them: the same on SQLite and MySQL. Times are Unix milliseconds, amounts are credits. */

import type { Generated, Selectable } from 'kysely';

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
  /** The person who made it; null: the command line. */
  created_by: string | null;
  created_at: number;
  /** To the minute; null: not yet. */
  last_used_at: number | null;
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
  /** The key, or the person, whose doing it was; both null: the service's own, or the command line's. */
  key_id: string | null;
  person_id: string | null;
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
  /** Bytes of the spool; 0 where each chunk has one of its own. */
  spool_bytes: number;
  /** Bytes of the archive's tail, once complete, where it is stored with the headers of all segments. */
  tail_bytes: number | null;
  /** Otherwise, of the headers, which are made of the chunks' directories when they are read, and of what is stored of the tail. */
  header_bytes: number | null;
  end_bytes: number | null;
  /** Bytes of the whole archive. */
  archive_bytes: number | null;
  /** Why it failed, for people. */
  failure: string | null;
  /** Attempts at the tail; the last one's file is the tail's, and its lease is held by this worker until then. */
  tail_attempt: Generated<number>;
  tail_worker: string | null;
  tail_leased_until: number | null;
  created_at: number;
  ended_at: number | null;
  /** When archive and input are deleted, and signed URLs end. */
  expires_at: number;
}

/** A job as it is read. */
export type JobRow = Selectable<JobTable>;

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
  /** Of the segment's directory, with the files in it and the bytes of their headers; 0 until done, and where an older process did it. */
  directory_bytes: Generated<number>;
  entries: Generated<number>;
  header_bytes: Generated<number>;
  /** Items that could not be rendered. */
  failed_items: number;
  /** Attempts so far; the last one's files are the chunk's, and its lease is held by this worker until then. */
  attempt: Generated<number>;
  worker: string | null;
  leased_until: number | null;
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

/** Somebody who has shown that their address is theirs. */
export interface PersonTable {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  /** Argon2id, in PHC form. */
  password_hash: string;
  /** 0 or 1: whether they run the service. */
  is_operator: number;
  created_at: number;
}

export type Role = 'owner' | 'admin' | 'member';

export interface MembershipTable {
  organisation_id: string;
  person_id: string;
  role: Role;
  created_at: number;
}

/** An open invitation; one that was accepted or withdrawn has no row. At most one for an organisation and address. */
export interface InvitationTable {
  id: string;
  organisation_id: string;
  /** In lower case. */
  email: string;
  role: Role;
  /** SHA-256 of the link's token, hex. */
  token_hash: string;
  /** The person who sent it; null: the command line. */
  invited_by: string | null;
  created_at: number;
  expires_at: number;
}

export type LinkPurpose = 'sign-up' | 'reset' | 'operator';

export interface OneTimeLinkTable {
  /** SHA-256 of the link's token, hex. */
  token_hash: string;
  purpose: LinkPurpose;
  /** Null: for whoever follows it. */
  person_id: string | null;
  /** The address that it was mailed to, where no person has it yet. */
  email: string | null;
  expires_at: number;
  used_at: number | null;
}

/** A browser that is signed in. */
export interface SessionTable {
  /** SHA-256 of the cookie's value, hex. */
  key_hash: string;
  person_id: string;
  created_at: number;
  expires_at: number;
}

/** A form that must not be done twice. */
export interface SentFormTable {
  /** SHA-256 of the sender's id and the form's, hex. */
  id_hash: string;
  expires_at: number;
}

/** Append-only. */
export interface AuditEntryTable {
  id: Generated<number>;
  organisation_id: string | null;
  person_id: string | null;
  action: string;
  /** What or whom it was done to, for people. */
  subject: string;
  /** The client's address; empty: the command line. */
  address: string;
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
  people: PersonTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  one_time_links: OneTimeLinkTable;
  sessions: SessionTable;
  sent_forms: SentFormTable;
  audit_entries: AuditEntryTable;
}
