/** Works on all items, at most `limit` at once; the results in their order. Rejects with the first failure, after which no more begin. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const waiting = items.entries();
  let failed = false;
  const run = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  return results;
}
