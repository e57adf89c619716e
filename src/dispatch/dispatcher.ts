/** Which piece of which job runs where and when: the small interface behind which stands a queue in this process (or a shared one). */

/** A piece of a job's work, as data that any process can take up. The database says what is still to be done; a task is a hint. */
export interface Task {
  organisationId: string;
  jobId: string;
  /** Position of the chunk to render; absent: the archive is to be finished. */
  chunk?: number;
  /** Whether nothing else may run beside it here: it is suspected of having killed the farm. */
  alone?: boolean;
}

/** Does a task, from what the database says of it; never rejects, and doing it twice is doing it once. */
export type TaskHandler = (task: Task) => Promise<void>;

export interface Dispatcher {
  /** Queues tasks. After `close` they are dropped: the next start finds them in the database. */
  submit(tasks: readonly Task[]): void;
  /** Starts no more tasks, and resolves when those under way have ended. */
  close(): Promise<void>;
}
