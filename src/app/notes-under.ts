import type { AccessPolicy } from '../host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../host/host-base.ts';
import type { NotesHost } from '../host/notes-host.ts';
import { lazyPart } from '../tools/util/lazy.ts';
import { deviceId } from './device-storage.ts';
import { lazyNotes, type Notes } from './lazy-notes.ts';

/** The same notes under other rights; their writes would be in the same journal. */
export const notesUnder =
  (base: HostBase, open: (over: HostBase) => Promise<NotesHost>) =>
  (policy: AccessPolicy): Notes => {
    const { client, clock, journal, turns, near } = base;
    const over = { ...createHostBase({ client, policy, clock, device: deviceId() }), journal, turns, near };
    const load = lazyPart(() => open(over));
    return lazyNotes(over, load);
  };
