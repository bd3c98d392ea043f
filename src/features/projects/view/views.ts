import type { FeatureViews } from '../../../ui/state/features.ts';
import { PROJECTS } from '../projects-port.ts';
import ProjectsView from './ProjectsView.svelte';

export const views: FeatureViews = { name: PROJECTS.name, pages: { projects: ProjectsView } };
