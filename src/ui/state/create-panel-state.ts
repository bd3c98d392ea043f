import { FindState } from '../find/find-state.svelte.ts';
import type { ActivityPort } from '../ports/activity-port.ts';
import { CitationPreviewState } from './citation-preview.svelte.ts';
import { NoteNames } from './note-names.svelte.ts';
import { PanelState, type PanelStateDeps } from './panel-state.svelte.ts';

/** @param previewId of the element that shows a cited block; unique in the page. */
export function createPanelState(
  parts: Pick<PanelStateDeps, 'controller' | 'host' | 't' | 'speech'> & { readonly activity?: ActivityPort | undefined },
  previewId: string,
): PanelState {
  const { host, activity } = parts;
  const preview = new CitationPreviewState(host, previewId);
  const [names, sources] = [new NoteNames(activity), new NoteNames({ titles: (ids) => host.noteTitles(ids) })];
  return new PanelState({ ...parts, preview, find: new FindState(), names, sources });
}
