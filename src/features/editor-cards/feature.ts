import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { ACTION_NAMES, DATABASE_ACTION_NAMES } from '../../chat/prompts/editor-actions.ts';
import type { openEditorCards } from './panel/open-editor-cards.ts';

/** Cards in the editor, on which an answer is written, and questions that menus and slash commands ask in the panel. */
export const start: StartFeature = () => ({
  inPanel(app) {
    let cards: Awaited<ReturnType<typeof openEditorCards>> | undefined;
    const load = untilClosed(async () => {
      const { openEditorCards } = await import('../../app/late-parts.ts');
      cards = await openEditorCards(app);
      return cards;
    }, app.ending);
    const actions = [...ACTION_NAMES, ...DATABASE_ACTION_NAMES, 'prompt', 'check-answer'];
    return {
      name: 'editor-cards',
      requests: Object.fromEntries(actions.map((action) => [action, async (request) => (await load()).run(request)])),
      commands: { toSuggestion: async () => cards?.focusNearest() },
    };
  },
});
