import type { ActivityRecord, ActivityStore } from '../../chat/activity/activity.ts';
import { type ActivityFilesOptions, createActivityFiles } from '../../chat/activity/activity-files.ts';
import { toToolError } from '../../tools/contract/errors.ts';

export interface PanelRecordsOptions extends Pick<ActivityFilesOptions, 'storage' | 'notes' | 'days' | 'now'> {
  /** Where the service stores its own records. */
  readonly records: ActivityStore;
  /** Name of this service in the files that it writes. */
  readonly device: string;
  /** The name of this run. */
  readonly run: string;
  readonly log: (line: string) => void;
  /** How many records per day the panel gets. Default: 2,000. */
  readonly most?: number;
}

export interface PanelRecords {
  /** For the chats: the service's own records, which the panel gets as well. */
  readonly store: ActivityStore;
  /** Writes pending records. Never rejects. */
  flush(): Promise<void>;
}

const MOST = 2000;
/** Finished calls are written together, every few seconds, however many they are. */
const NOT_BEFORE = Number.POSITIVE_INFINITY;

/** The service's records, and its files in the workspace, in which the panel finds them under Activity. */
export function createPanelRecords({ records, device, run, log, most = MOST, ...options }: PanelRecordsOptions): PanelRecords {
  const files = createActivityFiles({
    ...options,
    device,
    writer: run,
    prefix: '',
    atOnce: NOT_BEFORE,
    // Nobody else uses this service's folder: what another run left there was cut off.
    others: async () => new Set(),
    exclusive: (work) => work(),
    later: (milliseconds, work) => void setTimeout(work, milliseconds).unref(),
  });
  const running = new Set<string>();
  let [day, count] = [0, 0];
  const isShown = ({ timestamp }: ActivityRecord): boolean => {
    const today = Math.floor(timestamp / 86_400_000);
    if (today !== day) [day, count] = [today, 0];
    count += 1;
    return count <= most;
  };
  const marked = (record: ActivityRecord): ActivityRecord => ({ ...record, program: 'service' });
  const store: ActivityStore = {
    list: (query) => records.list(query),
    get: (id) => records.get(id),
    remove: (which) => records.remove(which),
    async start(record) {
      await records.start(record);
      if (!isShown(record)) return;
      running.add(record.id);
      await files.start(marked(record));
    },
    async finish(record) {
      await records.finish(record);
      if (running.delete(record.id)) await files.finish(marked(record));
    },
    async cutOff(sessionId) {
      await records.cutOff(sessionId);
      await files.cutOff(sessionId);
    },
  };
  const flush = (): Promise<void> =>
    files.flush().catch((error: unknown) => log(`records of tool calls could not be written for the panel: ${toToolError(error).message}`));
  return { store, flush };
}
