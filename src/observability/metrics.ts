/**
 * All metrics of a process, in one registry. Only this file uses prom-client; other rooms report events through small
 * interfaces of their own.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AdmissionFigures } from '../admission/table.js';
import { FORMATS } from '../contract/request-schema.js';
import type { DatabaseObserver } from '../database/connection.js';
import type { EngineObserver } from '../engine/instrumented-engine.js';
import type { EndedJob, QueueReport } from '../jobs/job-report-store.js';
import type { MailFigures } from '../outbox/mail-store.js';
import type { DeliveryFigures } from '../outbox/delivery-store.js';
import type { AttemptOutcome } from '../outbox/outbox.js';
import type { StorageObserver } from '../storage/instrumented-store.js';

/** Upper bounds of buckets, in seconds: from a look-up in memory to a body of 100 MB over a slow line. */
const REQUEST_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];
/** Likewise: from a query for one row to a wait for a lock. */
const QUERY_SECONDS = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Likewise: from a small file, or a chunk of one item, to an upload to a bucket, or a chunk of large pictures. */
const WORK_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Likewise: from a job of one item to a million items that wait behind other jobs. */
const JOB_SECONDS = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000];

/** Status of a request whose client went away before an answer began. No answer has it. */
export const CLIENT_LEFT = 499;

interface EndedRequest {
  /** `_OTHER` for a method that is not served. */
  method: string;
  /** Pattern of the route. Never the path, of which there could be any number. Undefined when no route matched. */
  route: string | undefined;
  status: number;
  /** From the request's headers to the last byte of its response. */
  seconds: number;
}

export interface RequestObserver {
  begun: () => void;
  ended: (request: EndedRequest) => void;
}

/** The response of `GET /metrics`. */
export type Scrape = () => Promise<{ type: string; text: string }>;

export class Metrics {
  readonly #registry = new Registry();
  /** Set figures that are read from memory at each scrape. */
  readonly #readings: (() => void)[] = [];

  readonly #build = this.#gauge('build_info', 'Always 1; the labels name the versions', 'version', 'node', 'cpu_path');

  constructor() {
    collectDefaultMetrics({ register: this.#registry, prefix: 'qrpress_' });
  }

  readonly scrape: Scrape = async () => {
    for (const read of this.#readings) {
      read();
    }
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  };

  /** Sets the labels of `build_info`. */
  describe({ version, cpuPath }: { version: string; cpuPath: string }): void {
    this.#build.set({ version, node: process.versions.node, cpu_path: cpuPath }, 1);
  }

  /** @param onRefused called when a request was limited or shed */
  requests(onRefused: () => void): RequestObserver {
    const duration = this.#histogram(
      'http_request_duration_seconds',
      'From the headers of a request to the last byte of its answer; 499: the client left before it began',
      REQUEST_SECONDS,
      'method',
      'route',
      'status',
    );
    const inFlight = this.#gauge('http_requests_in_flight', 'Requests whose responses are not yet sent in full');
    const refused = this.#counter('http_requests_refused_total', 'Requests that were limited or shed', 'reason');
    refused.inc({ reason: 'rate_limited' }, 0);
    refused.inc({ reason: 'unavailable' }, 0);
    return {
      begun: () => inFlight.inc(),
      ended: ({ method, route = 'unmatched', status, seconds }) => {
        inFlight.dec();
        const shown = status === CLIENT_LEFT ? String(status) : `${Math.floor(status / 100)}xx`;
        duration.observe({ method, route, status: shown }, seconds);
        const reason = { 429: 'rate_limited', 503: 'unavailable' }[status];
        if (reason !== undefined && route !== '/readyz') {
          refused.inc({ reason });
          onRefused();
        }
      },
    };
  }

  /** Metrics of checks of bodies, and of chunks of jobs. @param onRendered called with the number of items that were drawn */
  engine(onRendered: (items: number) => void): EngineObserver {
    const check = this.#histogram(
      'intake_check_duration_seconds',
      'Checking a received body',
      REQUEST_SECONDS,
      'outcome',
    );
    const bytes = this.#counter('intake_body_bytes_total', 'Decoded bytes of bodies that were checked');
    const checked = this.#counter('intake_items_total', 'Items of valid bodies', 'format');
    const chunk = this.#histogram(
      'chunk_duration_seconds',
      'Rendering a chunk, including its wait for a thread',
      WORK_SECONDS,
    );
    const rendered = this.#counter('items_rendered_total', 'Items rendered by this process');
    const failed = this.#counter('items_failed_total', 'Items that this process could not render');
    const readBack = this.#counter('codes_read_back_total', 'Codes of items that this process read back', 'outcome');
    const segments = this.#counter('segment_bytes_total', 'Bytes of ZIP segments rendered by this process');
    for (const format of FORMATS) {
      checked.inc({ format }, 0);
    }
    for (const outcome of ['read', 'unread']) {
      readBack.inc({ outcome }, 0);
    }
    return {
      checked: (seconds, outcome, bodyBytes) => {
        check.observe({ outcome }, seconds);
        bytes.inc(bodyBytes);
      },
      items: (format, count) => checked.inc({ format }, count),
      rendered: (seconds, report) => {
        chunk.observe(seconds);
        rendered.inc(report.completed);
        onRendered(report.completed);
        failed.inc(report.failed);
        segments.inc(report.segmentBytes);
      },
      readBack: ({ verified, unread }) => {
        readBack.inc({ outcome: 'read' }, verified - unread);
        readBack.inc({ outcome: 'unread' }, unread);
      },
    };
  }

  storage(): StorageObserver {
    const duration = this.#histogram(
      'storage_operation_duration_seconds',
      'Operations on blobs',
      WORK_SECONDS,
      'operation',
    );
    const errors = this.#counter('storage_errors_total', 'Operations on blobs that failed', 'operation');
    return {
      done: (operation, seconds) => duration.observe({ operation }, seconds),
      failed: (operation) => errors.inc({ operation }),
    };
  }

  database(): DatabaseObserver {
    const duration = this.#histogram('database_query_duration_seconds', 'Queries, by kind', QUERY_SECONDS, 'kind');
    const errors = this.#counter(
      'database_errors_total',
      'Failed queries, including those that were run again; kind connect: those that found no connection',
      'kind',
    );
    errors.inc({ kind: 'select' }, 0);
    errors.inc({ kind: 'connect' }, 0);
    const open = this.#gauge('database_connections', 'Connections of the pool; SQLite has none', 'state');
    const waits = this.#counter('database_pool_waits_total', 'Queries that found no free connection');
    const connections = (all: number, inUse: number) => {
      open.set({ state: 'open' }, all);
      open.set({ state: 'in_use' }, inUse);
    };
    connections(0, 0);
    return {
      query: (kind, seconds, isError) => {
        duration.observe({ kind }, seconds);
        if (isError) errors.inc({ kind });
      },
      connectFailed: () => errors.inc({ kind: 'connect' }),
      connections,
      wait: () => waits.inc(),
    };
  }

  jobs() {
    const accepted = this.#counter('jobs_accepted_total', 'Jobs accepted by this process');
    const items = this.#counter('job_items_accepted_total', 'Items of jobs accepted by this process');
    const ended = this.#counter('jobs_ended_total', 'Jobs ended by this process', 'outcome');
    const duration = this.#histogram('job_duration_seconds', 'From acceptance to the end of a job', JOB_SECONDS);
    const refunded = this.#counter('credits_refunded_total', 'Credits returned for ended jobs');
    const lost = this.#counter('leases_lost_total', 'Times that another process took over work of this process');
    for (const outcome of ['complete', 'failed', 'cancelled']) {
      ended.inc({ outcome }, 0);
    }
    return {
      accepted: (total: number) => {
        accepted.inc();
        items.inc(total);
      },
      leaseLost: () => lost.inc(),
      ended: ({ outcome, seconds, creditsRefunded }: EndedJob) => {
        ended.inc({ outcome });
        duration.observe(seconds);
        refunded.inc(creditsRefunded);
      },
    };
  }

  /** Waiting work of the whole service. It is read from the database, so every process reports the same. */
  queue(): (figures: QueueReport) => void {
    const unfinished = this.#gauge('jobs_unfinished', 'Unfinished jobs of the whole service', 'status');
    const waiting = this.#gauge('chunks_waiting', 'Unrendered chunks of the whole service');
    const age = this.#gauge('queue_age_seconds', 'Age of the oldest job of the whole service with an unrendered chunk');
    return (figures) => {
      unfinished.set({ status: 'processing' }, figures.processing);
      unfinished.set({ status: 'zipping' }, figures.zipping);
      waiting.set(figures.chunks);
      age.set(figures.oldestSeconds);
    };
  }

  engineCrashes() {
    const crashes = this.#counter('engine_crashes_total', 'Crashes of the engine process, each followed by a restart');
    const lost = this.#counter(
      'engine_tasks_lost_total',
      'Tasks in flight in a process that died; each runs again, alone',
    );
    return (tasksLost: number) => {
      crashes.inc();
      lost.inc(tasksLost);
    };
  }

  mail() {
    const sent = this.#counter('mails_sent_total', 'Mails delivered by this process');
    const failed = this.#counter('mail_delivery_failures_total', 'Failed delivery attempts of this process');
    const waiting = this.#gauge('mails_waiting', 'Undelivered mails of the whole service, at most 100,000');
    const givenUp = this.#gauge('mails_given_up', 'Mails of the whole service that were given up');
    const age = this.#gauge('mail_oldest_age_seconds', 'Age of the oldest undelivered mail of the whole service');
    return {
      sent: () => sent.inc(),
      failed: () => failed.inc(),
      figures: (figures: MailFigures) => {
        waiting.set(figures.waiting);
        givenUp.set(figures.givenUp);
        age.set(figures.oldestSeconds);
      },
    };
  }

  webhooks() {
    const attempts = this.#counter('webhook_attempts_total', 'Webhook calls made by this process', 'outcome');
    const waiting = this.#gauge(
      'webhook_deliveries_waiting',
      'Webhook deliveries of the whole service that wait for an attempt, at most 100,000',
    );
    const age = this.#gauge(
      'webhook_oldest_age_seconds',
      'Age of the oldest webhook delivery of the whole service that waits',
    );
    const overdue = this.#gauge(
      'webhook_overdue_seconds',
      'Time since the earliest unclaimed delivery of the whole service fell due; paused webhooks do not count',
    );
    const paused = this.#gauge('webhooks_paused', 'Webhooks of the whole service that are paused because calls fail');
    for (const outcome of ['delivered', 'failed', 'given_up']) {
      attempts.inc({ outcome }, 0);
    }
    return {
      attempted: (outcome: AttemptOutcome) => attempts.inc({ outcome }),
      figures: (figures: DeliveryFigures, pausedWebhooks: number) => {
        waiting.set(figures.waiting);
        age.set(figures.oldestSeconds);
        overdue.set(figures.overdueSeconds);
        paused.set(pausedWebhooks);
      },
    };
  }

  ledger() {
    const anomalies = this.#gauge('ledger_anomalies', 'Organisations whose latest ledger entries did not add up');
    const checked = this.#counter('ledger_checks_total', 'Organisations whose latest ledger entries were checked');
    return (found: number, looked: number) => {
      anomalies.set(found);
      checked.inc(looked);
    };
  }

  redisFallback(): () => void {
    const fallbacks = this.#counter('redis_fallbacks_total', 'Rate-limit counts kept in memory because Redis was away');
    return () => fallbacks.inc();
  }

  disk(): (freeBytes: number, sizeBytes: number) => void {
    const free = this.#gauge('disk_free_bytes', "Free bytes on the data folder's file system");
    const size = this.#gauge('disk_size_bytes', "Size of the data folder's file system");
    return (freeBytes, sizeBytes) => {
      free.set(freeBytes);
      size.set(sizeBytes);
    };
  }

  /** @returns sets the time in Unix milliseconds. Undefined: none was made */
  backup(): (time: number | undefined) => void {
    const last = this.#gauge('backup_timestamp_seconds', 'Time of the last backup of the whole service; 0: none');
    return (time = 0) => last.set(time / 1_000);
  }

  /** Time at which the figures of database and disk were last read. When it stands still, so do they. */
  collected(): () => void {
    const last = this.#gauge(
      'collection_timestamp_seconds',
      'Time at which the figures of database and disk were last read',
    );
    return () => last.setToCurrentTime();
  }

  /** Places taken of each kind of work, read at the moment of a scrape. */
  admission(figures: () => readonly AdmissionFigures[]): void {
    const taken = this.#gauge('admission_places_taken', 'Taken places, by kind of work', 'work');
    const refused = this.#counter('admission_refused_total', 'Refused work, by kind', 'work');
    const told = new Map<string, number>();
    const places = this.#gauge('admission_places', 'Places on this machine, by kind of work', 'work');
    this.#readings.push(() => {
      for (const { work, ...now } of figures()) {
        places.set({ work }, now.places);
        taken.set({ work }, now.taken);
        refused.inc({ work }, now.refused - (told.get(work) ?? 0));
        told.set(work, now.refused);
      }
    });
  }

  /** The engine's load, and whether Redis answers, read at the moment of a scrape. */
  read(load: () => { threads: number; tasks: number; isUp: boolean }, isConnected: () => boolean): void {
    const up = this.#gauge('engine_up', '0 while the engine process does not start, else 1');
    const threads = this.#gauge('engine_threads', 'Rendering threads');
    const busy = this.#gauge('engine_threads_busy', 'Rendering threads with a task');
    const queue = this.#gauge('engine_tasks_waiting', 'Tasks that wait for a thread');
    const connected = this.#gauge('redis_connected', '1 while Redis takes writes, or if none is configured');
    this.#readings.push(() => {
      const now = load();
      up.set(now.isUp ? 1 : 0);
      threads.set(now.threads);
      busy.set(Math.min(now.tasks, now.threads));
      queue.set(Math.max(0, now.tasks - now.threads));
      connected.set(isConnected() ? 1 : 0);
    });
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `qrpress_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name: `qrpress_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ): Histogram<Label> {
    return new Histogram({ name: `qrpress_${name}`, help, buckets, labelNames, registers: [this.#registry] });
  }
}
