// What features add to the editor, one line each. Part of the start script. In the menus they stand in this order.
import { entries as chatAsNote } from '../../features/chat-as-note/panel/entries.ts';
import { entries as editorCards } from '../../features/editor-cards/panel/entries.ts';
import { entries as projects } from '../../features/projects/panel/entries.ts';
import { entries as provenance } from '../../features/provenance/panel/entries.ts';
import type { EditorFeature } from './editor-feature.ts';

export const EDITOR_FEATURES: readonly EditorFeature[] = [
  editorCards, //
  provenance,
  chatAsNote,
  projects,
];
