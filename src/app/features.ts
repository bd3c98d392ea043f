// The features of the panel: each is one line here and one in pages.ts. In the menu and in the settings they stand in this order.
import { start as activity } from '../features/activity/feature.ts';
import { start as chatAsNote } from '../features/chat-as-note/feature.ts';
import { start as claimCheck } from '../features/claim-check/feature.ts';
import { start as computer } from '../features/computer/feature.ts';
import { start as editorCards } from '../features/editor-cards/feature.ts';
import { start as flashcards } from '../features/flashcards/feature.ts';
import { start as guests } from '../features/guests/feature.ts';
import { start as mcpClient } from '../features/mcp-client/feature.ts';
import { start as meaning } from '../features/meaning/feature.ts';
import { start as memory } from '../features/memory/feature.ts';
import { start as orders } from '../features/orders/feature.ts';
import { start as planFirst } from '../features/plan-first/feature.ts';
import { start as programs } from '../features/programs/feature.ts';
import { start as projects } from '../features/projects/feature.ts';
import { start as provenance } from '../features/provenance/feature.ts';
import { start as skills } from '../features/skills/feature.ts';
import { start as smallChanges } from '../features/small-changes/feature.ts';
import { start as tester } from '../features/tester/feature.ts';
import { start as tour } from '../features/tour/feature.ts';
import { start as usage } from '../features/usage/feature.ts';
import { start as web } from '../features/web/feature.ts';
import type { StartFeature } from './panel-feature.ts';

export const FEATURES: readonly StartFeature[] = [
  editorCards, //
  provenance,
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
  tester,
  tour,
];
