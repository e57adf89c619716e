/** One sync for all who ask at the same time: a disk's sync takes milliseconds, however much there is to sync. */

/**
 * Wraps a sync so that calls share it: a call that arrives while one is under way waits for the next one, since the
 * running one may have begun before the caller's write. At most one is under way at a time.
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
