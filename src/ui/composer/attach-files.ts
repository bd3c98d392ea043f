import type { AttachTo } from '../../chat/controller/controller-port.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { joinSentences, tokens } from '../labels/format.ts';
import type { MessageKey } from '../ports/i18n.ts';
import type { PanelContext } from '../state/context.ts';
import type { Refusal } from './read-file.ts';

/** Few questions come with a file. */
const loadReader = lazyPart(() => import('./read-file.ts'));

const REFUSALS: Readonly<Record<Refusal, MessageKey>> = {
  type: 'attach.type',
  large: 'attach.large',
  empty: 'attach.empty',
  scanned: 'attach.scanned',
  unreadable: 'attach.unreadable',
};

/** Files that were not attached, or only in part: names by message. */
type FileNotices = Map<MessageKey, string[]>;

/** Attaches chosen, pasted or dropped files to the next question, and lists the refused ones at once. Rejects with ToolError. */
export async function attachFiles(
  files: readonly File[],
  { controller, panel, t }: Pick<PanelContext, 'controller' | 'panel' | 't'>,
  to: Pick<AttachTo, 'attach'> = controller.composer(),
): Promise<void> {
  const { MAX_TEXT, readFile } = await loadReader();
  const notices: FileNotices = new Map();
  const addNotice = (key: MessageKey, name: string): unknown => notices.set(key, [...(notices.get(key) ?? []), name]);
  try {
    for (const file of files) {
      const read = await readFile(file);
      if ('refused' in read) addNotice(REFUSALS[read.refused], file.name);
      else {
        await to.attach(read.attachment);
        if (read.cut) addNotice('attach.cut', file.name);
      }
    }
  } finally {
    const said = [...notices].map(([key, names]) =>
      t(key, { name: names.join(t('plan.comma')), count: names.length, n: tokens(MAX_TEXT, t) }),
    );
    if (said.length > 0) panel.say(joinSentences(said));
  }
}
