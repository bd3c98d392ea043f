import { FindState } from '../find/find-state.svelte.ts';
import { MessageTexts } from '../find/message-texts.ts';
import { Drawer } from '../markdown/drawing.svelte.ts';
import { renderWords } from '../markdown/render-labels.ts';
import { CitationPreviewState } from './citation-preview.svelte.ts';
import { PanelState, type PanelStateParts } from './panel-state.svelte.ts';

/** @param previewId of the element that shows a cited block; unique in the page. */
export function createPanelState(parts: Pick<PanelStateParts, 'controller' | 'host' | 't' | 'speech'>, previewId: string): PanelState {
  const { host, t } = parts;
  const find = new FindState(new MessageTexts(renderWords(t)));
  return new PanelState({ ...parts, preview: new CitationPreviewState(host, previewId), drawer: new Drawer(host), find });
}
