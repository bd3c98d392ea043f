import type { ActivityRecord, ActivityStore } from '../activity/activity.ts';

/** An in-memory store that logs its calls; `broken`: every call fails. */
export function memoryActivity(broken = false) {
  const records = new Map<string, ActivityRecord>();
  const announced: string[] = [];
  const announce = async (what: string): Promise<void> => {
    announced.push(what);
    if (broken) throw new Error('the disk is full');
  };
  const keep = (record: ActivityRecord): Promise<void> => {
    records.set(record.id, record);
    return announce(`${record.toolName} ${record.status}`);
  };
  const store: ActivityStore = {
    start: keep,
    finish: keep,
    cutOff: (id) => announce(`cut off ${id}`),
    list: async () => ({ records: [...records.values()], total: records.size }),
    get: async (id) => records.get(id) ?? null,
    remove: async () => 0,
  };
  return { store, records, announced };
}
