import { FindState } from '../find/find-state.svelte.ts';
import { MessageTexts } from '../find/message-texts.ts';
import { Drawer } from '../markdown/drawing.svelte.ts';
import { renderWords } from '../markdown/render-labels.ts';
import type { ActivityPort } from '../ports/activity-port.ts';
import { CitationPreviewState } from './citation-preview.svelte.ts';
import { NoteNames } from './note-names.svelte.ts';
import { PanelState, type PanelStateDeps } from './panel-state.svelte.ts';

/** @param previewId of the element that shows a cited block; unique in the page. */
export function createPanelState(
  parts: Pick<PanelStateDeps, 'controller' | 'host' | 't' | 'speech'> & { readonly activity?: ActivityPort | undefined },
  previewId: string,
): PanelState {
  const { host, t, activity } = parts;
  const find = new FindState(new MessageTexts(renderWords(t)));
  const names = new NoteNames(activity);
  return new PanelState({ ...parts, preview: new CitationPreviewState(host, previewId), drawer: new Drawer(host), find, names });
}
