import type { FeatureViews } from '../../../ui/state/features.ts';
import { SKILLS } from '../skills-port.ts';
import SkillSettings from './SkillSettings.svelte';

export const views: FeatureViews = { name: SKILLS.name, sections: [{ place: 'reach', View: SkillSettings }] };
