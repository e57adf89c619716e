/** The outputs of jobs that their organisation reads: the archive, the manifest, single pictures, labels, and the settings. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError } from '../contract/errors.js';
import type { LabelLayout } from '../contract/label-request.js';
import type { JobMeta, PictureFormat } from '../contract/request-schema.js';
import type { Engine, ManifestForm } from '../engine/engine.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import { inJobSpan } from '../platform/tracing/spans.js';
import { settingsOfSpool } from '../engine/in-process.js';
import { entityTagOf } from '../platform/entity-tag.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRanges } from '../storage/file-range.js';
import { Archive, type ArchivePart, archiveValidators, type HeadersPart } from './archive/archive.js';
import type { ChunkPlace, ChunkStore, RenderedSegment } from './chunk-store.js';
import { findItems, type ItemPage, type ItemQuery } from './files/job-items.js';
import { labelFile, measureLabels, StoredSpool } from './files/labels.js';
import {
  type FirstPicture,
  firstPicture,
  manifest,
  type Picture,
  picture,
  type SegmentPlace,
} from './files/rendered-items.js';
import { archiveEndKey, chunkSpool, segmentIndexKey, segmentKey } from './files/job-files.js';
import type { Job } from './job.js';
import type { ArchiveSize } from './job-store.js';

/** All of it but the first picture belongs to complete jobs. @throws ApiError `not_ready` for others */
export class JobOutput {
  readonly #chunks: ChunkStore;
  readonly #sources: { storage: BlobStore; engine: Engine; scratch: string; ranges: FileRanges };
  /** Of all searches. */
  readonly #turns = new EventLoopTurns();

  /** @param scratch folder for temporary files */
  constructor(chunks: ChunkStore, sources: { storage: BlobStore; engine: Engine; scratch: string }) {
    this.#chunks = chunks;
    this.#sources = { ...sources, ranges: new FileRanges() };
  }

  /** The tag and the date of the archive. They need no query. @throws ApiError `not_ready` */
  archiveValidators(job: Job): ReturnType<typeof archiveValidators> {
    if (job.status !== 'complete' || job.endedAt === null) {
      throw notReady(job);
    }
    return archiveValidators({ jobId: job.id, endedAt: job.endedAt });
  }

  /** @throws ApiError `not_ready`; `not_found` when the job was deleted meanwhile */
  async openArchive(job: Job): Promise<Archive> {
    if (job.status !== 'complete' || job.endBytes === null) {
      throw notReady(job);
    }
    const end = { attempt: job.finishAttempt, headerBytes: job.headerBytes, endBytes: job.endBytes };
    const parts = await inJobSpan('open archive', job.id, () => archiveParts(this.#chunks, job.id, end));
    return new Archive(this.#sources, parts);
  }

  /** The entity tag of the manifest. It needs no query. @throws ApiError `not_ready` */
  manifestTag(job: Job, form: ManifestForm): string {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    return entityTagOf(`manifest ${form} ${job.id}`);
  }

  /** The manifest: every item with its files. */
  async openManifest(job: Job, form: ManifestForm): Promise<{ read: () => Readable }> {
    const chunks = await this.#placesOf(job);
    return { read: () => manifest({ ...this.#sources, holder: job.organisationId }, job.id, chunks, form) };
  }

  /** A page of the items, or those that a search finds. */
  async findItems(job: Job, query: ItemQuery): Promise<ItemPage> {
    const sources = { ...this.#sources, turns: this.#turns, holder: job.organisationId };
    return findItems(sources, job.id, await this.#placesOf(job), query);
  }

  /** The picture of an item. Undefined when there is none. */
  async findPicture(job: Job, item: number, format: PictureFormat): Promise<(Picture & { etag: string }) | undefined> {
    const [chunk] = await this.#placesOf(job, item);
    const found = chunk && (await picture(this.#sources, job.id, chunk, item, format));
    return found && { ...found, etag: entityTagOf(`picture ${item}.${format} ${job.id}`) };
  }

  /**
   * The codes on labels: the file, and a remark if modules are narrow.
   * @param signal ends the measuring of the codes
   * @throws ApiError `invalid_input` if a code does not fit its label, or would be too small
   */
  async openLabels(
    job: Job,
    layout: LabelLayout,
    signal?: AbortSignal,
  ): Promise<{ remark: string | undefined; read: () => Readable }> {
    const spool = new StoredSpool(this.#sources, job.id, await this.#placesOf(job));
    const labelled = { ...this.#sources, layout, spool, holder: job.organisationId };
    const remark = await measureLabels(labelled, signal);
    return { remark, read: () => labelFile(labelled) };
  }

  /** The first picture, as in the archive. There may be no archive yet. @param place of its chunk's segment */
  firstPicture({ id }: Job, place: SegmentPlace): Promise<FirstPicture> {
    return firstPicture(this.#sources.storage, id, place);
  }

  /** The settings of a body that draws codes like those of the job. */
  async settings(job: Job): Promise<JobMeta> {
    const [chunk] = await this.#placesOf(job, 0);
    if (chunk === undefined) {
      throw deleted();
    }
    const { key } = chunkSpool(job.id, chunk.position, chunk);
    return settingsOfSpool(await buffer(this.#sources.storage.read(key, 0, chunk.headerBytes - 1)));
  }

  /** The chunks of a complete job, or the one of an item. @throws ApiError `not_found` when the job was deleted meanwhile */
  async #placesOf(job: Job, item?: number): Promise<ChunkPlace[]> {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    const places = await this.#chunks.places(job.id, item);
    if (places.length === 0 && item === undefined) {
      throw deleted();
    }
    return places;
  }
}

function deleted(): ApiError {
  return new ApiError('not_found', 'The job was deleted.');
}

function notReady({ status }: Job): ApiError {
  const message =
    status === 'failed'
      ? 'The job failed, and will have no archive.'
      : `The job is ${status}; there is an archive once it is complete.`;
  return new ApiError('not_ready', message);
}

/** The stored end that counts, and the length of the headers not stored with it. */
interface ArchiveEnd extends Pick<ArchiveSize, 'headerBytes' | 'endBytes'> {
  attempt: number;
}

/**
 * The segments that count, in order, then their headers if not stored, then the end. @throws ApiError `not_found` when the job was
 * deleted meanwhile
 */
async function archiveParts(
  chunks: ChunkStore,
  jobId: string,
  { attempt: endAttempt, headerBytes, endBytes }: ArchiveEnd,
): Promise<ArchivePart[]> {
  const rendered = await chunks.rendered(jobId);
  if (rendered.length === 0) {
    throw deleted();
  }
  const segments = rendered.map(({ position, attempt, segmentBytes }) => ({
    key: segmentKey(jobId, position, attempt),
    bytes: segmentBytes,
  }));
  const headers = headerBytes === 0 ? [] : headerParts(jobId, rendered);
  return [...segments, ...headers, { key: archiveEndKey(jobId, endAttempt), bytes: endBytes }];
}

function headerParts(jobId: string, rendered: readonly RenderedSegment[]): HeadersPart[] {
  let offset = 0;
  return rendered.map(({ position, attempt, segmentBytes, headerBytes }) => {
    const describes = { segmentIndexKey: segmentIndexKey(jobId, position, attempt), segmentBytes, offset };
    offset += segmentBytes;
    return { describes, bytes: headerBytes };
  });
}
