import type { FeatureViews } from '../../../ui/state/features.ts';
import AppendView from './AppendView.svelte';
import SaveAnswerView from './SaveAnswerView.svelte';
import SaveNoteView from './SaveNoteView.svelte';

export const views: FeatureViews = { name: 'chat-as-note', pages: { save: SaveNoteView, append: AppendView, saveAnswer: SaveAnswerView } };
