/** Shares one sync among concurrent callers: a disk sync takes milliseconds, however much there is to sync. */

/**
 * Wraps a sync so that calls share it. At most one sync runs at a time. A call that arrives while one runs waits for
 * the next, because the running one may have started before the caller's write.
 */
export function sharedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    running = sync().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) {
      return start();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
