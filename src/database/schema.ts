/** The tables, as Kysely sees them: the same on SQLite and MySQL. Times are Unix milliseconds, amounts are credits. */

import type { Generated, Selectable } from 'kysely';

export interface OrganisationTable {
  id: string;
  name: string;
  /** The address that the download link goes to. */
  owner_email: string;
  /** Credits available to spend; never below 0; equals the sum of the organisation's ledger entries. */
  balance: number;
  /** Balance below which the organisation's webhooks are told; null: they are not. */
  low_balance: number | null;
  /** Granted at the beginning of each month; null: as many as the service gives. */
  monthly_credits: Generated<number | null>;
  /** Last month whose allowance was granted, such as 2026-01; empty before the first. */
  allowance_month: Generated<string>;
  created_at: number;
}

/** Organisations that have limits of their own; null: the limit of the service. */
export interface OrganisationLimitTable {
  organisation_id: string;
  /** Requests a minute of each key that make or check a job. */
  creates_per_minute: number | null;
  /** Other requests a minute of each key, to each endpoint. */
  reads_per_minute: number | null;
  /** Pieces of each kind of work at once, in each process. */
  at_once: number | null;
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

/** Why a job failed: the `reason` of its status. */
export type JobFailure = 'cancelled' | 'nothing_drawn' | 'not_stored' | 'deadline';

export type JobStatus = 'processing' | 'zipping' | 'complete' | 'failed';

export interface JobTable {
  id: string;
  /** Random name of the job in signed URLs; says nothing about the id. */
  token: string;
  organisation_id: string;
  /** The name that its request gave it, for people. */
  name: string | null;
  status: JobStatus;
  /** 0 or 1. */
  send_email: number;
  /** The member who gets that mail; null: the owner. */
  mail_person_id: Generated<string | null>;
  /** JSON of the list of warnings; null where there is none. */
  warnings: string | null;
  /** Items whose codes are to be read back, spread evenly over the job. */
  verify_items: number;
  /** Items that were read back, and those of them that could not be read. */
  verified: number;
  unread: number;
  /** JSON of the list of the first hundred of these; null where there is none. */
  unread_items: string | null;
  total: number;
  completed: number;
  failed: number;
  credits_charged: number;
  credits_refunded: number;
  /** Bytes of the spool; 0 where each chunk has one of its own. */
  spool_bytes: number;
  /** Once complete, bytes of the headers that are made from the segment indexes when the archive is read; 0 where they are stored with the end. */
  header_bytes: number | null;
  /** Once complete, bytes stored of the archive's end: with the whole central directory where `header_bytes` is 0. */
  end_bytes: number | null;
  /** Once complete, bytes of the whole archive. */
  archive_bytes: number | null;
  /** Why it failed. */
  failure: JobFailure | null;
  /** Attempts at finishing the archive; the end of the last one counts, and its lease is held by this worker until then. */
  finish_attempt: number;
  finish_worker: string | null;
  finish_leased_until: number | null;
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
  /** Bytes of the segment's index, files in it, and bytes of their headers in the archive; 0 until done. */
  index_bytes: number;
  entries: number;
  header_bytes: number;
  /** Items that could not be rendered. */
  failed_items: number;
  /** Attempts so far; the last one's files are the chunk's, and its lease is held by this worker until then. */
  attempt: number;
  worker: string | null;
  leased_until: number | null;
}

/** A blob that is too small to be worth a file: of attempt 0, of a job that was drawn while it was checked. */
export interface SmallBlobTable {
  job_id: string;
  /** The part of the blob's key behind the job's prefix. */
  name: string;
  content: Uint8Array;
}

/** An address that an organisation's events are posted to. */
export interface WebhookTable {
  id: string;
  organisation_id: string;
  url: string;
  /** Names with commas between. */
  events: string;
  /** `whsec_` and base64: it signs, so it cannot be hashed. */
  secret: string;
  /** The one before it, which signs as well until then. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  created_at: number;
}

/** An event for a webhook: on its way, delivered, or given up. */
export interface WebhookDeliveryTable {
  id: string;
  webhook_id: string;
  event: string;
  /** JSON, as it is sent. */
  body: string;
  /** Attempts so far. */
  attempts: number;
  /** Also the end of the lease of whoever delivers it; null: delivered, or given up. */
  next_attempt_at: number | null;
  delivered_at: number | null;
  /** Result of the last attempt, for people. */
  last_outcome: string | null;
  created_at: number;
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
  /** Argon2id, in PHC form; null: they sign in by the identity provider. */
  password_hash: string | null;
  /** Secret of the authenticator app, base32; null: there is no second factor. */
  totp_secret: string | null;
  /** Time step of the last code that was accepted: a code works once. */
  totp_used_step: number | null;
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

export type LinkPurpose = 'sign-up' | 'reset' | 'operator' | 'second-factor' | 'address';

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
  /** The client's, at sign-in. */
  address: string;
  /** The `User-Agent` at sign-in. */
  browser: string;
  created_at: number;
  expires_at: number;
}

/** A code that stands in for the authenticator app, once. */
export interface RecoveryCodeTable {
  person_id: string;
  /** SHA-256, hex. */
  code_hash: string;
}

/** A person of an OpenID Connect provider, and who they are here. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  person_id: string;
  created_at: number;
}

/** A form that must not be done twice. */
export interface SentFormTable {
  /** SHA-256 of the sender's id and the form's, hex. */
  id_hash: string;
  expires_at: number;
}

/** How codes look, as an organisation keeps it. */
export interface StyleTable {
  id: string;
  organisation_id: string;
  /** At most one of an organisation's. */
  name: string;
  /** JSON of the small part of a body, without the logo's file. */
  meta: string;
  /** Data URL of a PNG file. */
  logo: string | null;
  created_at: number;
}

/** Append-only. */
export interface AuditEntryTable {
  id: Generated<number>;
  organisation_id: string | null;
  person_id: string | null;
  action: string;
  /** The thing or the person that it was done to, for people. */
  subject: string;
  /** The client's address; empty: the command line. */
  address: string;
  created_at: number;
}

export interface Schema {
  organisations: OrganisationTable;
  organisation_limits: OrganisationLimitTable;
  api_keys: ApiKeyTable;
  ledger_entries: LedgerEntryTable;
  jobs: JobTable;
  chunks: ChunkTable;
  small_blobs: SmallBlobTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  idempotency_records: IdempotencyRecordTable;
  mails: MailTable;
  people: PersonTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  one_time_links: OneTimeLinkTable;
  sessions: SessionTable;
  identities: IdentityTable;
  recovery_codes: RecoveryCodeTable;
  sent_forms: SentFormTable;
  styles: StyleTable;
  audit_entries: AuditEntryTable;
}
