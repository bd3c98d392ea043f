import type { StartFeature } from '../../app/panel-feature.ts';
import { NEVER } from '../../tools/util/abort.ts';

/** Small changes of text, in notebooks that the person chose, are written without a question and marked as unread. */
export const start: StartFeature = ({ settings, notes }) => ({
  async letsThrough(plan, groups, earlier) {
    const { smallChanges, memory, skills } = settings.get();
    // A list of intended changes is of no notebook.
    if (smallChanges.notebooks.length === 0 || plan.notebook.id === '') return undefined;
    if (!smallChanges.notebooks.includes(plan.notebook.id)) return 'elsewhere';
    const { isInstruction, whyAsk } = await import('./small-change.ts');
    const isFollowed =
      plan.document.id === memory.document || (skills.note !== '' && (await isInstruction(plan, skills.note, notes.notes, NEVER)));
    return isFollowed ? 'followed' : (whyAsk(plan, groups, smallChanges, earlier) ?? 'through');
  },
  inPanel: () => ({ name: 'small-changes' }),
});
