import { ToolError } from '../../tools/contract/errors.ts';
import { NOTHING_ATTACHED, withContext, withFile } from '../session/contexts.ts';
import type { Attached, ChatContext } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';
import type { SessionDeps } from '../turn/session-deps.ts';
import type { AttachTo } from './controller-port.ts';

/** What will be sent with a chat's next question: attached notes and files, and text queued during an answer. */
export class MessageQueue {
  text: string | null = null;
  private readonly typed: DraftStore;
  private release = (): void => undefined;

  constructor(typed: DraftStore) {
    this.typed = typed;
  }

  get attached(): Attached {
    return this.typed.attached;
  }

  /** `id`: that of a context or a file. */
  detach(id: string): void {
    const { contexts, attachments } = this.attached;
    this.typed.keepAttached({
      contexts: contexts.filter(({ contextId }) => contextId !== id),
      attachments: attachments.filter((file) => file.id !== id),
    });
  }

  add(text: string): void {
    this.text = this.text === null ? text : `${this.text}\n\n${text}`;
    const { release } = this;
    this.release = this.typed.hold(this.text);
    release();
  }

  takeAttached(): Attached {
    const { attached } = this;
    this.typed.keepAttached(NOTHING_ATTACHED);
    return attached;
  }

  /** Moves queued text back into the composer; false if there is none. */
  withdraw(): boolean {
    const waiting = this.takeText();
    if (waiting) this.typed.putBack(waiting.text);
    waiting?.taken();
    return waiting !== null;
  }

  /** `taken` is called when a chat has saved them. */
  takeText(): { readonly text: string; readonly taken: () => void } | null {
    const { text, release } = this;
    this.text = null;
    this.release = () => undefined;
    return text === null ? null : { text, taken: release };
  }
}

interface AttachParts extends Pick<SessionDeps, 'assets' | 'newId'> {
  readonly typed: DraftStore;
  /** The draft that an attachment is for, and the one that is shown by then. */
  readonly places: () => readonly [string, string];
  readonly changed: () => void;
}

export function attachTo({ typed, places, changed, assets, newId }: AttachParts, signal: AbortSignal): AttachTo {
  const change = (becomes: (attached: Attached) => Attached): void => {
    typed.attachTo(...places(), becomes);
    changed();
  };
  return {
    addContext: (context) => change((attached) => withContext(attached, context)),
    attach: async ({ bytes, ...file }) => {
      if (!assets) throw new ToolError('internal', 'nothing can be attached here', 'ask without the file');
      const asset = await assets.save(file.name, bytes, file.mime, signal);
      change((attached) => withFile(attached, { ...file, id: newId(), size: bytes.length, asset }));
    },
  };
}

/** Attaches what is still being read when its question is sent. Rejects like the reading, after restoring the text and calling `taken`. */
export async function attachBeside(
  reading: Promise<readonly ChatContext[]>,
  to: Pick<AttachTo, 'addContext'>,
  putBack: () => void,
  taken: () => void,
): Promise<void> {
  try {
    for (const context of await reading) to.addContext(context);
  } catch (error) {
    putBack();
    taken();
    throw error;
  }
}
