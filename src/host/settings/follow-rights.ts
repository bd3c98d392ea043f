import type { AccessPolicy } from '../access/access-policy.ts';
import type { SettingsStore } from './settings.ts';
import { OTHERS, type Settings } from './settings-format.ts';

/** Rights that another window or device gave or took count here from then on. */
export function followRights(store: Pick<SettingsStore, 'get' | 'subscribe'>, policy: AccessPolicy): void {
  let known: Settings['notebooks'] = {};
  const follow = ({ notebooks }: Settings): void => {
    // What had a right of its own and has none any more has that of all others.
    const { [OTHERS]: others = 'read' } = notebooks;
    const rights: Settings['notebooks'] = { ...Object.fromEntries(Object.keys(known).map((id) => [id, others])), ...notebooks };
    known = notebooks;
    for (const [notebook, right] of Object.entries(rights)) if (policy.right(notebook) !== right) policy.setRight(notebook, right);
  };
  follow(store.get());
  store.subscribe(follow);
}
