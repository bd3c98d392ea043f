import type { FeatureViews } from '../../../ui/state/features.ts';
import SmallChangeNote from './SmallChangeNote.svelte';
import SmallChangeSettings from './SmallChangeSettings.svelte';

export const views: FeatureViews = {
  name: 'small-changes',
  sections: [{ place: 'rights', View: SmallChangeSettings }],
  AnswerNote: SmallChangeNote,
};
