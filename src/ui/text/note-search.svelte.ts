import type { NoteChoice } from '../ports/host-ui.ts';
import type { PanelContext } from '../state/context.ts';

/** Debounce of the search while typing, in milliseconds. */
const PAUSE = 200;

/** Notes by the words of their titles: those changed last where there are no words. Made while a component is. */
export class NoteSearch {
  query: string = $state('');
  readonly words = $derived(this.query.trim());
  /** undefined until the first search. */
  found: readonly NoteChoice[] | undefined = $state.raw();

  constructor({ host, panel }: Pick<PanelContext, 'host' | 'panel'>, isOpen: () => boolean = () => true) {
    $effect(() => {
      if (!isOpen()) return undefined;
      const asked = this.words;
      let stale = false;
      const look = async (): Promise<void> => {
        const notes = await host.findNotes(asked);
        if (!stale) this.found = notes;
      };
      const timer = setTimeout(() => panel.run(look()), asked === '' ? 0 : PAUSE);
      return () => {
        stale = true;
        clearTimeout(timer);
      };
    });
  }
}
