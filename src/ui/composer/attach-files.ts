import { tokens } from '../labels/format.ts';
import type { MessageKey } from '../ports/i18n.ts';
import type { PanelContext } from '../state/context.ts';
import { MAX_TEXT, type Refusal, readFile } from './read-file.ts';

const REFUSALS: Readonly<Record<Refusal, MessageKey>> = {
  type: 'attach.type',
  large: 'attach.large',
  empty: 'attach.empty',
  scanned: 'attach.scanned',
  unreadable: 'attach.unreadable',
};

/** Attaches files that were chosen, pasted or dropped to the next question, and says which are not accepted. Rejects with ToolError. */
export async function attachFiles(files: readonly File[], { controller, panel, t }: PanelContext): Promise<void> {
  const to = controller.composer();
  for (const file of files) {
    const read = await readFile(file);
    if ('refused' in read) panel.say(t(REFUSALS[read.refused], { name: file.name }));
    else {
      await to.attach(read.attachment);
      if (read.cut) panel.say(t('attach.cut', { name: file.name, n: tokens(MAX_TEXT, t) }));
    }
  }
}
