/** The tables as Kysely sees them, identical on SQLite and MySQL. Times are Unix milliseconds; amounts are credits. */

import type { ColumnType, Generated, Selectable } from 'kysely';

interface OrganisationTable {
  id: string;
  name: string;
  /** The name as it is searched. */
  folded_name: string;
  /** The address that download links are mailed to. */
  owner_email: string;
  /** Credits available to spend. Never below 0. Equals the sum of the organisation's ledger entries. */
  balance: number;
  /** Webhooks report a balance that falls below this. Null: no report. */
  low_balance: number | null;
  /** Credits granted each month. Null: the service's standard allowance. */
  monthly_credits: number | null;
  /** Last month whose allowance was granted, such as 2026-01. Empty before the first. */
  allowance_month: Generated<string>;
  /** Nobody makes jobs from then on. Null: not suspended. */
  suspended_at: number | null;
  created_at: number;
}

/** Rights of a key: everything, or reading and downloading. */
export type KeyAccess = 'full' | 'read';

interface ApiKeyTable {
  id: string;
  organisation_id: string;
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** SHA-256 of the whole key, hex. The key itself is not stored. */
  hash: string;
  /** The person who created it. Null: the command line. */
  created_by: string | null;
  created_at: number;
  access: Generated<KeyAccess>;
  /** The key does not work from then on. Null: it works until it is revoked. */
  expires_at: number | null;
  /** Seconds late. Null: never used. */
  last_used_at: number | null;
  /** The client's IP address at the last use. */
  last_used_address: string | null;
  revoked_at: number | null;
}

/** The last requests of an API key. */
interface KeyRequestTable {
  key_id: string;
  /** JSON array of `KeyRequest`, oldest first. */
  requests: string;
  /** The row is deleted then, unless the key is used again. */
  expires_at: number;
}

export type LedgerEntryKind = 'grant' | 'charge' | 'refund';

/** Append-only. At most one charge and one refund per job. */
interface LedgerEntryTable {
  id: Generated<number>;
  organisation_id: string;
  kind: LedgerEntryKind;
  /** Signed: a charge is negative, and so is a grant that takes credits back. */
  amount: number;
  balance_after: number;
  job_id: string | null;
  /** The API key or the person who caused the entry. Both null: the service itself or the command line did. */
  key_id: string | null;
  person_id: string | null;
  reason: string;
  created_at: number;
}

/** Credits used on one day with one key, or by one person: the sums of that day's charges and refunds. Grants are not counted. */
interface LedgerDayTable {
  id: Generated<number>;
  organisation_id: string;
  /** Start of the day in UTC. */
  day: number;
  /** The key, or the person who used no key. Empty: neither. */
  user_id: string;
  /** Charges minus refunds. Negative when refunds of earlier days' jobs are more. */
  credits: number;
  /** Charges. */
  jobs: number;
}

/** Reasons for which jobs fail: the `reason` of a status. */
export type JobFailure = 'cancelled' | 'nothing_drawn' | 'not_stored' | 'deadline';

export type JobStatus = 'processing' | 'zipping' | 'complete' | 'failed';

interface JobTable {
  id: string;
  /** Random name of the job in signed URLs. Reveals nothing about the id. */
  token: string;
  organisation_id: string;
  /** The name given in the request, for people. */
  name: string | null;
  /** The name as it is searched. */
  folded_name: string | null;
  status: JobStatus;
  /** 0 or 1. */
  send_email: number;
  /** The member who gets the completion mail. Null: the owner. */
  mail_person_id: string | null;
  /** JSON array of warnings. Null: none. */
  warnings: string | null;
  /** Number of items to read back, spread evenly over the job. */
  verify_items: number;
  /** Items that were read back, and how many of them failed to read. */
  verified: number;
  unread: number;
  /** JSON array of the first hundred unread items. Null: none. */
  unread_items: string | null;
  /** JSON object of the least unused error correction of the items read, and their distribution. Null: none was read. */
  unused_error_correction: string | null;
  total: number;
  completed: number;
  failed: number;
  credits_charged: number;
  credits_refunded: number;
  /** Charged less refunded: the database computes it. */
  credits_used: ColumnType<number, never, never>;
  /** Faulty rows of its spreadsheet that were left out. */
  skipped_rows: number;
  /** JSON object of the rows or lines in a person's list that are its items. Null: it has no such list. */
  source_places: string | null;
  /** The job whose codes it makes anew, if that still exists. Null: it is no other job's. */
  made_from: string | null;
  /** Index of the item of that job which it corrects. Null: it makes what was missing, or is of an earlier version. */
  corrected_item: number | null;
  /** Size of the spool. 0 when each chunk has its own spool. */
  spool_bytes: number;
  /**
   * When complete: bytes of the headers that are generated from the segment indexes while the archive is read. 0 when
   * they are stored with the end.
   */
  header_bytes: number | null;
  /**
   * When complete: stored bytes of the archive's end. They include the whole central directory when `header_bytes` is
   * 0.
   */
  end_bytes: number | null;
  /** When complete: bytes of the whole archive. */
  archive_bytes: number | null;
  /** Reason for which the job failed. */
  failure: JobFailure | null;
  /**
   * Attempts at finishing the archive. The end written by the last attempt counts. `finish_worker` holds that attempt's
   * lease until `finish_leased_until`.
   */
  finish_attempt: number;
  finish_worker: string | null;
  finish_leased_until: number | null;
  created_at: number;
  /** Start of the chunk that ended first. Null until then. */
  started_at: number | null;
  ended_at: number | null;
  /** First download of the archive. */
  downloaded_at: number | null;
  /** When archive and input are deleted and signed URLs expire. */
  expires_at: number;
}

export type JobRow = Omit<Selectable<JobTable>, 'credits_used'>;

type ChunkStatus = 'pending' | 'done' | 'failed';

/** A range of a job's items, rendered as one ZIP segment. */
interface ChunkTable {
  job_id: string;
  /** Position in the job, from 0. */
  position: number;
  status: ChunkStatus;
  first_item: number;
  item_count: number;
  spool_offset: number;
  spool_bytes: number;
  /** 0 until the chunk is done. */
  segment_bytes: number;
  /**
   * Bytes of the segment's index, number of files in the segment, and bytes of their headers in the archive. 0 until
   * the chunk is done.
   */
  index_bytes: number;
  /** 0: its codes were not read back. */
  readings_bytes: number;
  entries: number;
  header_bytes: number;
  /** Items that could not be rendered. */
  failed_items: number;
  /**
   * Attempts so far. The files of the last attempt are the chunk's. `worker` holds that attempt's lease until
   * `leased_until`.
   */
  attempt: number;
  worker: string | null;
  leased_until: number | null;
}

/** A blob too small to be worth a file. Belongs to attempt 0 of a job that was drawn while it was checked. */
interface SmallBlobTable {
  job_id: string;
  /** The blob's key without the job's prefix. */
  name: string;
  content: Uint8Array;
}

/** An address to which an organisation's events are posted. */
interface WebhookTable {
  id: string;
  organisation_id: string;
  url: string;
  /** Comma-separated names. */
  events: string;
  /** `whsec_` and base64. Stored in clear because it signs. */
  secret: string;
  /** The replaced secret, which also signs until `previous_secret_until`. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  /** Failed calls since the last one that was answered with 2xx. */
  failures: Generated<number>;
  /** Nothing is sent before this time. Null, or in the past: the webhook is not paused. */
  paused_until: number | null;
  /** When its owners were mailed last that it is paused. Null: never. */
  pause_told_at: number | null;
  /** When a person paused it. Null: nobody did, or it was resumed. */
  stopped_at: number | null;
  created_at: number;
}

/** A delivery of an event to a webhook: pending, delivered or given up. */
interface WebhookDeliveryTable {
  id: string;
  webhook_id: string;
  event: string;
  /** JSON, exactly as sent. */
  body: string;
  /** Attempts so far. */
  attempts: number;
  /** For a claimed delivery, the end of its lease. Null: delivered or given up. */
  next_attempt_at: number | null;
  delivered_at: number | null;
  /** Result of the last attempt, for people. */
  last_outcome: string | null;
  /** First characters of the body that the last attempt was answered with. Null: there was no answer. */
  last_answer: string | null;
  created_at: number;
}

/** A request with an `Idempotency-Key`: in flight, or answered with a job. */
interface IdempotencyRecordTable {
  organisation_id: string;
  /** SHA-256 of the key, hex. */
  key_hash: string;
  /** The job that the request becomes, if it succeeds. */
  job_id: string;
  /** Name of the process that serves or served the request. */
  worker: string;
  /** SHA-256 of the request's form and body, hex. Null while the request is in flight. */
  fingerprint: string | null;
  /** `JobReceipt` as JSON: the job may be deleted before the key is free. Null while the request is in flight. */
  receipt: string | null;
  /**
   * The key is free again from then on: a day after the answer, or moments after the last heartbeat of a request in
   * flight.
   */
  expires_at: number;
}

/** A pending mail or one that was given up. A delivered mail has no row. */
interface MailTable {
  id: string;
  /** The organisation in whose turn it is sent. Null: none, the letter concerns a person alone. */
  organisation_id: string | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** Failed attempts. */
  attempts: number;
  /** For a claimed mail, the end of its lease. Null: given up. */
  next_attempt_at: number | null;
  last_error: string | null;
  created_at: number;
}

/** A person who has proved that the email address is theirs. */
interface PersonTable {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  /** The name as it is searched. */
  folded_name: string;
  /** Argon2id in PHC format. Null: the person signs in through the identity provider. */
  password_hash: string | null;
  /** Secret of the authenticator app, base32. Null: no second factor. */
  totp_secret: string | null;
  /** Time step of the last accepted code, since a code works once. */
  totp_used_step: number | null;
  /** 0 or 1: whether the person operates the service. */
  is_operator: number;
  /** 0 or 1: whether the first organisation that the person creates gets welcome credits. */
  has_welcome: number;
  created_at: number;
}

export type Role = 'owner' | 'admin' | 'member';

interface MembershipTable {
  organisation_id: string;
  person_id: string;
  role: Role;
  created_at: number;
}

/** An invitation. A withdrawn one has no row. At most one per organisation and address. */
interface InvitationTable {
  id: string;
  organisation_id: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** SHA-256 of the link's token, hex. */
  token_hash: string;
  /** The person who sent it. Null: the command line. */
  invited_by: string | null;
  created_at: number;
  expires_at: number;
  /** Null: the invitation is open. */
  used_at: number | null;
}

export type LinkPurpose = 'sign-up' | 'reset' | 'operator' | 'second-factor' | 'connection' | 'address';

interface OneTimeLinkTable {
  /** SHA-256 of the link's token, hex. */
  token_hash: string;
  purpose: LinkPurpose;
  /** Null: anyone who has the link. */
  person_id: string | null;
  /** The address that the link was mailed to, when it does not belong to a person yet. */
  email: string | null;
  expires_at: number;
  used_at: number | null;
}

/** A signed-in browser. */
interface SessionTable {
  /** SHA-256 of the cookie's value, hex. */
  key_hash: string;
  person_id: string;
  /** The client's IP address at sign-in. */
  address: string;
  /** The `User-Agent` at sign-in. */
  browser: string;
  created_at: number;
  expires_at: number;
}

/** A one-time code that replaces the authenticator app. */
interface RecoveryCodeTable {
  person_id: string;
  /** SHA-256, hex. */
  code_hash: string;
}

/** Links a subject of an OpenID Connect provider to a person. */
interface IdentityTable {
  issuer: string;
  subject: string;
  person_id: string;
  created_at: number;
}

/** A form that must not be processed twice. */
interface SentFormTable {
  /** SHA-256 of the sender's id and the form's id, hex. */
  id_hash: string;
  expires_at: number;
}

/** A page that answered a form. */
interface KeptPageTable {
  /** SHA-256 of the token in the page's address, hex. */
  id_hash: string;
  /** Encrypted, with the token and the browser's key. */
  content: Buffer;
  expires_at: number;
}

/** A saved style for codes. */
interface StyleTable {
  id: string;
  organisation_id: string;
  /** Unique within the organisation. */
  name: string;
  /** JSON of the small members of a request body, without the logo's file. */
  meta: string;
  /** Data URL of a PNG file. */
  logo: string | null;
  created_at: number;
}

/** Append-only. */
interface AuditEntryTable {
  id: Generated<number>;
  organisation_id: string | null;
  person_id: string | null;
  /** The person's name at that time. Null: nobody was signed in, or the account is deleted. */
  person_name: string | null;
  /** The name as it is searched. */
  folded_name: string;
  action: string;
  /** The object or person affected, for people. */
  subject: string;
  /** The subject as it is searched. */
  folded_subject: string;
  /** The client's IP address. Empty: the command line. */
  address: string;
  created_at: number;
}

/** Work of a process in an hour, and the state that it saw. */
interface LoadHourTable {
  /** Start of the hour. */
  hour: number;
  /** Name of the process. */
  process: string;
  /** Jobs that it accepted, and their items. */
  jobs: number;
  items: number;
  /** Requests that it refused because something was full. */
  refused: number;
  least_disk_bytes: number;
  /** Items of the whole service. */
  most_queued_items: number;
}

/** One row: the clock by which jobs were deleted last. */
interface SweepClockTable {
  id: number;
  /** Time of the last sweep that deleted what had expired. */
  trusted_at: number;
  /** Since when the clock is too far ahead of it. Null: it is not. */
  doubted_at: number | null;
}

/** One row: the storage that has the database's files. */
interface OwnStorageTable {
  id: number;
  storage_id: string;
}

export interface Schema {
  organisations: OrganisationTable;
  api_keys: ApiKeyTable;
  key_requests: KeyRequestTable;
  ledger_entries: LedgerEntryTable;
  ledger_days: LedgerDayTable;
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
  kept_pages: KeptPageTable;
  styles: StyleTable;
  audit_entries: AuditEntryTable;
  load_hours: LoadHourTable;
  sweep_clock: SweepClockTable;
  own_storage: OwnStorageTable;
}
