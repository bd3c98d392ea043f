import type { IProtyle } from 'siyuan';
import { blockIn, isMobile } from '../../../app/editor/editor-place.ts';
import type { EditorRequest, PanelHost } from '../../../app/panel-host.ts';
import { type PlacedCard, placeCard, placeSheet } from '../view/card-layer.ts';

/** Below the last block of the request, or below the document's title; a sheet on phones. */
export function placeFor(host: PanelHost, request: EditorRequest, protyle: IProtyle | undefined): PlacedCard & { readonly sheet: boolean } {
  const content = protyle?.contentElement;
  const text = protyle?.wysiwyg?.element;
  if (!protyle || !content || !text || isMobile(host)) return { ...placeSheet(), sheet: true };
  if (request.kind === 'document') {
    const title = protyle.title?.element;
    const find = (): HTMLElement | null => title ?? null;
    return { ...placeCard({ content, text, find, selector: '.protyle-title' }), sheet: false };
  }
  const id = request.ids.at(-1) ?? '';
  const selector = `.protyle-wysiwyg [data-node-id="${CSS.escape(id)}"]`;
  return { ...placeCard({ content, text, find: () => blockIn(protyle, id), selector }), sheet: false };
}
