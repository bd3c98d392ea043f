import { type NotebookLevels, narrowedPolicy } from '../../app/workspace/narrowed-policy.ts';
import { systemClock } from '../../app/workspace/system-clock.ts';
import type { AccessPolicy } from '../../host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../../host/host-base.ts';
import { OUR_SESSIONS, type PushSource } from '../../host/kernel/transaction-log.ts';
import { createNotesHost, type NotesHost } from '../../host/notes-host.ts';
import type { EditingProbe } from '../../tools/contract/ports.ts';
import { openMarkdownEngine } from './lute.ts';
import { followNotes } from './notes-changes.ts';
import { openPushes } from './pushes.ts';
import { newId, random } from './random.ts';
import type { WorkspaceHost } from './workspace-host.ts';
import type { WorkspaceOptions } from './workspace-types.ts';

/** Nobody types in this program; the hashes and pushes of each write detect what people type in SiYuan meanwhile. */
const NOBODY_TYPES: EditingProbe = { caretBlocks: () => [], whenLeft: async () => undefined, ask: async () => 'write' };

const REFUSED =
  'SiYuan closes the socket of its pushes: it has an access code, and an API token does not open that socket. What is written in SiYuan meanwhile is seen only when it is read';

const openOver = (base: HostBase, pushes: PushSource): NotesHost =>
  createNotesHost({
    ...{ base, random, pushes, probe: NOBODY_TYPES, engine: openMarkdownEngine() },
    session: `${OUR_SESSIONS}service-${newId()}`,
  });

/** The notes, which learn through the kernel what other programs do. */
export function openNotes(
  { base, rights, connect }: WorkspaceHost,
  { device, onProblem }: Pick<WorkspaceOptions, 'device' | 'onProblem'>,
  signal: AbortSignal,
) {
  const pushes = openPushes({ connect, id: newId(), onRefused: () => onProblem?.(REFUSED), signal });
  const notes = openOver(base, pushes);
  /** The same notes under narrower rights; their writes are in the same journal, and end like the others. */
  const under = (policy: AccessPolicy): NotesHost => {
    const { client, journal, turns } = base;
    const over = createHostBase({ client, policy, clock: systemClock, device });
    const made = openOver({ ...over, journal, turns }, openPushes({ connect, id: newId(), signal }));
    signal.addEventListener('abort', () => made.close(), { once: true });
    return made;
  };
  const at = (levels?: NotebookLevels): NotesHost => (levels ? under(narrowedPolicy(rights, levels)) : notes);
  return { notes, at, under, changes: followNotes(pushes, systemClock.now) };
}
