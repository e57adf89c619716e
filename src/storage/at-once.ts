/** Much to be done, some of it at once. */

/** After an error nothing more is begun, and it is thrown when nothing is under way any more: what comes late cannot spoil a cleaning up. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  let isBroken = false;
  const workOn = async () => {
    for (const [index, item] of queue) {
      if (isBroken) {
        return;
      }
      try {
        await work(item, index);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}
