import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { PanelContext } from '../state/features.ts';

/** All notebooks with their rights, read again when a setting or a right changes; undefined before the first reading. To be called by a component. */
export function shownNotebooks({ settings, options, panel }: Pick<PanelContext, 'settings' | 'options' | 'panel'>) {
  let all: readonly NotebookInfo[] | undefined = $state.raw();
  const load = async (): Promise<void> => {
    all = await settings.notebooks();
  };
  $effect(() => {
    void options.settings;
    panel.run(load());
  });
  return {
    get all() {
      return all;
    },
  };
}
