/** The outputs of jobs that their organisation reads: the archive, the manifest, single pictures, labels, and the settings. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError } from '../contract/errors.js';
import type { LabelFit } from '../contract/label-fit.js';
import type { LabelLayout, LabelLook } from '../contract/label-request.js';
import type { JobMeta, PictureFormat } from '../contract/request-schema.js';
import type { Engine, ReplacedItem } from '../engine/engine.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import { keepLatest } from '../platform/keep-latest.js';
import { inJobSpan } from '../platform/tracing/spans.js';
import { settingsOfSpool } from '../engine/in-process.js';
import { entityTagOf } from '../platform/entity-tag.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRanges } from '../storage/file-range.js';
import { Archive, type ArchivePart, archiveValidators, type HeadersPart } from './archive/archive.js';
import type { ChunkPlace, ChunkStore, RenderedSegment } from './chunk-store.js';
import { findItems, type ItemFile, type ItemPage, type ItemQuery, type JobItem } from './files/job-items.js';
import { firstLabels, sheetPicture } from './files/label-picture.js';
import { labelFile, type Labelled, measureLabels, settleLook, StoredSpool } from './files/labels.js';
import {
  type FirstPicture,
  firstPicture,
  manifest,
  type ManifestOptions,
  type Picture,
  picture,
  type SegmentPlace,
} from './files/rendered-items.js';
import { archiveEndKey, chunkSpool, segmentIndexKey, segmentKey } from './files/job-files.js';
import type { Job } from './job.js';
import type { ArchiveSize } from './job-store.js';
import { areAllKnown } from './source-places.js';

/** A chunk whose segment is gone. Attempt 0 is that of a job that was drawn while it was checked, and such a job has not failed. */
const NOTHING_DRAWN = { segmentBytes: 0, readingsBytes: 0, attempt: 1 };

/** Labels whose look is settled and kept: a person sees a drawing of them, and then asks for the file. */
const KEPT_LOOKS = 1_000;

type FindJob = (organisationId: string, jobId: string) => Promise<Job | undefined>;

/** All of it but the first picture, the input and the settings belongs to complete jobs. @throws ApiError `not_ready` for others */
export class JobOutput {
  readonly #chunks: ChunkStore;
  readonly #sources: { storage: BlobStore; engine: Engine; scratch: string; ranges: FileRanges };
  /** Of all searches. */
  readonly #turns = new EventLoopTurns();
  /** The look of labels, by job and label. */
  readonly #looks = new Map<string, LabelLook>();
  readonly #find: FindJob;

  /** @param scratch folder for temporary files */
  constructor(
    chunks: ChunkStore,
    { find, ...sources }: { find: FindJob; storage: BlobStore; engine: Engine; scratch: string },
  ) {
    this.#chunks = chunks;
    this.#find = find;
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
  manifestTag(job: Job, { form, namesMissing }: ManifestOptions): string {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    return entityTagOf(`manifest ${form}${namesMissing ? ' with names' : ''} ${job.id}`);
  }

  /** The manifest: every item with its files. */
  async openManifest(job: Job, options: ManifestOptions): Promise<{ read: () => Readable }> {
    const chunks = await this.#placesOf(job);
    return { read: () => manifest({ ...this.#sources, holder: job.organisationId }, job.id, chunks, options) };
  }

  /**
   * The items that were not drawn, as lines of a body: of a failed job all. A blank line stands for each other item.
   * @throws ApiError `not_ready` for a job that has not ended, or was cancelled
   */
  async openMissing(job: Job): Promise<Readable> {
    const chunks = await this.#inputOf(job);
    const sources = { ...this.#sources, holder: job.organisationId };
    return manifest(sources, job.id, chunks, { form: 'missing', namesMissing: true });
  }

  /**
   * All items as lines of a body, drawn or not, each on the line of its place where all places are known.
   * @param replaced lines that take the place of some, each with its end
   * @throws ApiError `not_ready` for a job that was cancelled
   */
  async openItems(job: Job, replaced: readonly ReplacedItem[] = []): Promise<{ read: () => Readable }> {
    const chunks = await this.#inputOf(job.status === 'complete' ? job : { ...job, status: 'failed' });
    const sources = { ...this.#sources, holder: job.organisationId };
    const places = job.sourcePlaces && areAllKnown(job.sourcePlaces, job.total) ? job.sourcePlaces : null;
    const options = { form: 'items', namesMissing: false, places, replaced } as const;
    const undrawn = chunks.map((chunk) => ({ ...chunk, segmentBytes: 0, readingsBytes: 0 }));
    return { read: () => manifest(sources, job.id, undrawn, options) };
  }

  /** A page of the items, or those that a search finds. */
  async findItems(job: Job, query: ItemQuery): Promise<ItemPage> {
    const sources = { ...this.#sources, turns: this.#turns, holder: job.organisationId };
    return findItems(sources, job.id, await this.#placesOf(job), query);
  }

  /** A file of an item that `findItems` found. */
  readFile({ segment }: JobItem, { offset, bytes }: ItemFile): Readable {
    return this.#sources.storage.read(segment, offset, offset + bytes - 1);
  }

  /** The picture of an item. Undefined when there is none. */
  async findPicture(job: Job, item: number, format: PictureFormat): Promise<(Picture & { etag: string }) | undefined> {
    const [chunk] = await this.#placesOf(job, item);
    const found = chunk && (await picture(this.#sources, job.id, chunk, item, format));
    return found && { ...found, etag: entityTagOf(`picture ${item}.${format} ${job.id}`) };
  }

  /**
   * The codes on labels: the file, how they fit, and their look.
   * @param signal ends the measuring of the codes
   * @throws LabelMisfit if a code does not fit its label, would be too small, or is moved off the page
   */
  async openLabels(
    job: Job,
    layout: LabelLayout,
    signal?: AbortSignal,
  ): Promise<{ fit: LabelFit; look: LabelLook; read: () => Readable }> {
    const labelled = await this.#labelled(job, layout, signal);
    const fit = await measureLabels(labelled, layout, signal);
    return { fit, look: labelled.layout, read: () => labelFile(labelled) };
  }

  /** The first sheet of such a file as an SVG picture, with its first labels. Its codes are not measured. */
  async firstSheet(job: Job, layout: LabelLayout): Promise<string> {
    const [labelled, { style }] = [await this.#labelled(job, firstLabels(layout)), await this.settings(job)];
    const pdf = await buffer(labelFile(labelled));
    return sheetPicture(pdf, { sheet: layout.sheet, logo: style?.logo?.dataUrl, turns: this.#turns });
  }

  async #labelled(job: Job, layout: LabelLayout, signal?: AbortSignal): Promise<Labelled> {
    const labelled = await this.#unsettled(job, layout);
    const { sheet, sizeUm, caption, captionSizeTenths } = layout;
    const key = JSON.stringify([job.id, sheet.labelWidthUm, sheet.labelHeightUm, sizeUm, caption, captionSizeTenths]);
    const look = this.#looks.get(key) ?? (await settleLook(await this.#deciding(job, labelled), signal));
    keepLatest(this.#looks, key, look, KEPT_LOOKS);
    return { ...labelled, layout: { ...layout, ...look } };
  }

  async #unsettled(job: Job, layout: LabelLayout): Promise<Labelled<LabelLayout>> {
    const spool = new StoredSpool(this.#sources, job.id, await this.#placesOf(job));
    return { ...this.#sources, layout, spool, holder: job.organisationId };
  }

  /** The labels that decide the look of those of a job: for a corrected code, those of the job that it belongs to. */
  async #deciding(job: Job, labelled: Labelled<LabelLayout>): Promise<Labelled<LabelLayout>> {
    const { organisationId, madeFrom, correctedItem } = job;
    const original = madeFrom !== null && correctedItem !== null && (await this.#find(organisationId, madeFrom));
    return original && original.status === 'complete' ? this.#unsettled(original, labelled.layout) : labelled;
  }

  /** The first picture, as in the archive. There may be no archive yet. @param place of its chunk's segment */
  firstPicture({ id }: Job, place: SegmentPlace): Promise<FirstPicture> {
    return firstPicture(this.#sources.storage, id, place);
  }

  /** The settings of a body that draws codes like those of the job. @param asDrawn they join them, and get their size */
  async settings(job: Job, asDrawn = false): Promise<JobMeta> {
    const [chunk] = await this.#inputOf(job, 0);
    if (chunk === undefined) {
      throw deleted();
    }
    const { key } = chunkSpool(job.id, chunk.position, chunk);
    return settingsOfSpool(await buffer(this.#sources.storage.read(key, 0, chunk.headerBytes - 1)), asDrawn);
  }

  /** As `#placesOf`, also of a job that failed: its input is kept, what was drawn is not. */
  async #inputOf(job: Job, item?: number): Promise<ChunkPlace[]> {
    if (job.status !== 'failed' || job.failure === 'cancelled') {
      return this.#placesOf(job, item);
    }
    const places = await this.#placesOf({ ...job, status: 'complete' }, item);
    return places.map((place) => ({ ...place, ...NOTHING_DRAWN }));
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

/** The store has lost files of a job that is there. */
export class LostFilesError extends Error {
  override readonly name = 'LostFilesError';

  constructor(jobId: string, cause: unknown) {
    super(`files of the job ${jobId} are gone: see docs/run/backup.md#lost-archives`, { cause });
  }
}

/** True for an error since the store has lost a file. Each store's error has this code. */
export function isLost(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
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
