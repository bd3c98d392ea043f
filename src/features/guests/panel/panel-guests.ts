import { hasNode } from '../../../app/groups/lazy-desktop.ts';
import type { GuestModels } from '../../../app/workspace/chat-model.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { type GuestSetting, KNOWN_GUESTS, readGuests } from '../guest-settings.ts';
import type { Guests } from '../guests.ts';
import type { GuestsPort } from '../guests-port.ts';

/** Agents are kept on the device: what is synced must not start programs. */
interface GuestStore {
  get(): string | undefined;
  /** Throws ToolError where there is no room. */
  set(text: string): void;
}

export interface PanelGuestsDeps {
  readonly store: GuestStore;
  readonly newId: () => string;
  /** They have changed. */
  readonly onChange: () => void;
  /** Rejects with `not_loaded`. */
  readonly load: () => Promise<(list: () => readonly GuestSetting[]) => Guests>;
  readonly signal: AbortSignal;
}

function listFrom(text: string | undefined): readonly GuestSetting[] {
  try {
    return readGuests(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}

/** Other agents on this machine; undefined where no programs run. */
export function panelGuests(deps: PanelGuestsDeps): { readonly models: GuestModels; readonly port: GuestsPort } | undefined {
  if (!hasNode()) return undefined;
  const { store, newId, signal } = deps;
  const list = (): readonly GuestSetting[] => listFrom(store.get());
  let open: Promise<Guests> | undefined;
  const opened = (): Promise<Guests> => {
    open ??= deps.load().then((make) => make(list));
    // What cannot be loaded now is tried again.
    void open.catch(() => {
      open = undefined;
    });
    return open;
  };
  signal.addEventListener('abort', () => inBackground(open?.then((guests) => guests.close())));
  const write = (guests: readonly GuestSetting[]): void => {
    store.set(JSON.stringify(guests));
    deps.onChange();
  };
  const port: GuestsPort = {
    list,
    known: () => KNOWN_GUESTS,
    save({ id, ...fields }) {
      const [guest] = readGuests([{ id: id ?? `agent-${newId()}`, ...fields }]);
      if (!guest) throw new ToolError('bad_arguments', 'this is no agent', 'give it a name and a program');
      const before = list();
      const at = before.findIndex((each) => each.id === guest.id);
      write(at < 0 ? [...before, guest] : before.with(at, guest));
    },
    remove: (id) => write(list().filter((guest) => guest.id !== id)),
  };
  return { models: { list, model: async (id) => (await opened()).model(id) }, port };
}
