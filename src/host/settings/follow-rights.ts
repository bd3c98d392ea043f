import type { AccessPolicy } from '../access/access-policy.ts';
import type { SettingsStore } from './settings.ts';
import { OTHERS, type Settings } from './settings-format.ts';

/** Applies changes of rights by other windows and devices. */
export function followRights(store: Pick<SettingsStore, 'get' | 'subscribe'>, policy: AccessPolicy): void {
  let known: Settings['notebooks'] = {};
  const follow = ({ notebooks }: Settings): void => {
    // A notebook that lost its own right has the default right again.
    const { [OTHERS]: others = 'read' } = notebooks;
    const rights: Settings['notebooks'] = { ...Object.fromEntries(Object.keys(known).map((id) => [id, others])), ...notebooks };
    known = notebooks;
    for (const [notebook, right] of Object.entries(rights)) if (policy.right(notebook) !== right) policy.setRight(notebook, right);
  };
  follow(store.get());
  store.subscribe(follow);
}
