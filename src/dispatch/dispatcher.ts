/** The queue of the pieces of jobs that are to be done: one in this process, or one that several processes share. */

/** A piece of a job's work, as data that any process can take up. The database says what is still to be done; a task is a hint. */
export interface Task {
  organisationId: string;
  jobId: string;
  /** Position of the chunk to render; absent: the archive is to be finished. */
  chunk?: number;
  /** The span that it belongs below, as W3C Trace Context writes it; absent where nobody traces it. */
  traceparent?: string | undefined;
}

/**
 * Does a task, from what the database says of it; never rejects, and doing it twice is doing it once. Where another
 * process is about it, resolves with the time (Unix milliseconds) from which it is to be handled again.
 */
export type TaskHandler = (task: Task) => Promise<number | undefined>;

/** What waits in the queue, as an organisation sees it. */
export interface QueueFigures {
  /** Chunks of all; and the organisation's own, of which each job that waits counts as one. */
  chunks: number;
  own: number;
  /** Chunks that were started since the queue is there. */
  started: number;
}

export interface Dispatcher {
  /**
   * Begins to hand tasks to `handle`; to be called once, before anything is submitted.
   * @param lookForWork called when the queue may lack tasks that the database knows of
   */
  start(handle: TaskHandler, lookForWork: () => void): void;
  /**
   * Queues tasks, those that finish an archive before all chunks; one that is queued already stays as it is. Never fails: what gets lost is found in the database, by
   * whoever looks there next. After `close` tasks are dropped.
   */
  submit(tasks: readonly Task[]): void;
  /** Resolves when what was submitted waits where it is taken from, or is lost; never rejects. */
  sent(): Promise<void>;
  /** Undefined where nobody can tell. */
  figures(organisationId: string): Promise<QueueFigures | undefined>;
  /** Starts no more tasks, and resolves when those under way have ended. */
  close(): Promise<void>;
}
