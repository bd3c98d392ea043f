import type { StartFeature } from '../../app/panel-feature.ts';
import { NEVER } from '../../tools/util/abort.ts';

/** Small changes of text, in notebooks that the person chose, are written without a question and marked as unread. */
export const start: StartFeature = ({ settings, notes }) => ({
  async letsThrough(plan, groups, earlier) {
    const { smallChanges, memory, skills } = settings.get();
    if (!smallChanges.notebooks.includes(plan.notebook.id) || plan.document.id === memory.document) return false;
    const { isInstruction, isSmall } = await import('./small-change.ts');
    if (!isSmall(plan, groups, smallChanges, earlier)) return false;
    return skills.note === '' || !(await isInstruction(plan, skills.note, notes.notes, NEVER));
  },
  inPanel: () => ({ name: 'small-changes' }),
});
