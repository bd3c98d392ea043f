import type { Attachment } from 'svelte/attachments';
import type { PanelContext } from '../state/context.ts';
import { attachFiles } from './attach-files.ts';
import { canDrop, dragged } from './dragged.ts';

/** Lets files, blocks, documents and tabs be dropped on the panel. While something droppable is over it, the panel shows a target. */
export function dropTarget(context: PanelContext): Attachment<HTMLElement> {
  const { panel, controller, host, t } = context;
  const attachNotes = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return panel.say(t('drop.nothing'));
    const to = controller.composer();
    for (const read of await host.readDragged(ids)) to.addContext(read);
  };
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer || panel.page !== 'chat' || !canDrop(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = 'copy';
    panel.dropping = true;
  };
  const leave = (event: DragEvent & { currentTarget: EventTarget | null }): void => {
    const { relatedTarget, currentTarget } = event;
    if (relatedTarget instanceof Node && currentTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    panel.dropping = false;
  };
  const drop = (event: DragEvent): void => {
    panel.dropping = false;
    if (!event.dataTransfer || panel.page !== 'chat' || !canDrop(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    // Read now: a drag's data is gone after its event.
    const found = dragged(event.dataTransfer);
    if (found) panel.run(found.kind === 'files' ? attachFiles(found.files, context) : attachNotes(found.ids));
    panel.focusComposer();
  };
  const end = (): void => {
    panel.dropping = false;
  };
  return (element) => {
    element.addEventListener('dragenter', over);
    element.addEventListener('dragover', over);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', drop);
    // A drag that is cancelled over the panel fires no leave event.
    document.addEventListener('dragend', end);
    return () => {
      element.removeEventListener('dragenter', over);
      element.removeEventListener('dragover', over);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', drop);
      document.removeEventListener('dragend', end);
    };
  };
}
