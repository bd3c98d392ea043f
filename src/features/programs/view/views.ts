import type { FeatureViews } from '../../../ui/state/features.ts';
import { PROGRAMS } from '../programs-port.ts';
import ProgramsSettings from './ProgramsSettings.svelte';
import ProgramsView from './ProgramsView.svelte';

export const views: FeatureViews = {
  name: PROGRAMS.name,
  pages: { programs: ProgramsView },
  sections: [{ place: 'reach', View: ProgramsSettings }],
};
