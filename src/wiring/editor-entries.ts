// What the plugin adds to the editor: slash commands and menu entries. Part of the start script, so it stays small.
import type { IEventBusMap, Plugin, Protyle } from 'siyuan';
import type { EditorRequest } from './panel-host.ts';

export interface EditorEntries {
  readonly slash: Plugin['protyleSlash'];
  readonly onBlockMenu: (event: CustomEvent<IEventBusMap['click-blockicon']>) => void;
  readonly onTitleMenu: (event: CustomEvent<IEventBusMap['click-editortitleicon']>) => void;
}

/** @param text a text of the start script by its key. @param handle what a choice in the editor leads to. */
export function createEditorEntries(text: (key: string) => string, handle: (request: EditorRequest) => void): EditorEntries {
  const slash = (action: 'ask' | 'summarize', filter: string[]): Plugin['protyleSlash'][number] => ({
    id: action,
    filter,
    html: `<div class="b3-list-item__first"><svg class="b3-list-item__graphic"><use xlink:href="#iconMarginalia"></use></svg><span class="b3-list-item__text">${text(`slash_${action}`)}</span></div>`,
    callback: (protyle: Protyle, node: HTMLElement) => {
      // Takes the typed command away and leaves the caret where it stood.
      protyle.insert(window.Lute.Caret);
      const block = node.dataset.nodeId;
      const root = protyle.protyle.block.rootID;
      if (action === 'summarize' && root) handle({ action, kind: 'document', id: root });
      else if (block) handle({ action, kind: 'block', id: block });
    },
  });
  const item = (label: string, request: EditorRequest) => ({
    icon: 'iconMarginalia',
    label: text(label),
    click: () => handle(request),
  });
  return {
    slash: [slash('ask', ['ask', '提问', 'tiwen']), slash('summarize', ['summarize', '总结', 'zongjie'])],
    onBlockMenu({ detail }) {
      const id = detail.blockElements[0]?.dataset.nodeId;
      if (id) detail.menu.addItem(item('askBlock', { action: 'ask', kind: 'block', id }));
    },
    onTitleMenu({ detail }) {
      const id = detail.data.id;
      if (!id) return;
      detail.menu.addItem(item('askDocument', { action: 'ask', kind: 'document', id }));
      if (detail.data.ial?.['custom-marginalia-session'])
        detail.menu.addItem(item('openChat', { action: 'open-chat', kind: 'document', id }));
    },
  };
}
