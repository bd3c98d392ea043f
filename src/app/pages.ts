// The pages of the panel and what is drawn of the features: one file, loaded when the page is idle.
import { views as activity } from '../features/activity/view/views.ts';
import { views as chatAsNote } from '../features/chat-as-note/view/views.ts';
import { views as claimCheck } from '../features/claim-check/view/views.ts';
import { views as computer } from '../features/computer/view/views.ts';
import { views as flashcards } from '../features/flashcards/view/views.ts';
import { views as guests } from '../features/guests/view/views.ts';
import { views as mcpClient } from '../features/mcp-client/view/views.ts';
import { views as meaning } from '../features/meaning/view/views.ts';
import { views as memory } from '../features/memory/view/views.ts';
import { views as orders } from '../features/orders/view/views.ts';
import { views as planFirst } from '../features/plan-first/view/views.ts';
import { views as programs } from '../features/programs/view/views.ts';
import { views as projects } from '../features/projects/view/views.ts';
import { views as provenance } from '../features/provenance/view/views.ts';
import { views as skills } from '../features/skills/view/views.ts';
import { views as smallChanges } from '../features/small-changes/view/views.ts';
import { views as tour } from '../features/tour/view/views.ts';
import { views as usage } from '../features/usage/view/views.ts';
import { views as web } from '../features/web/view/views.ts';
import type { FeatureViews } from '../ui/state/features.ts';

export * from '../ui/panel/pages.ts';

export const VIEWS: readonly FeatureViews[] = [
  provenance, //
  smallChanges,
  planFirst,
  claimCheck,
  chatAsNote,
  projects,
  guests,
  computer,
  web,
  mcpClient,
  programs,
  meaning,
  memory,
  skills,
  flashcards,
  activity,
  orders,
  usage,
  tour,
];
