import { keepCaret } from '../../../app/editor/editor-caret.ts';
import { editorFor } from '../../../app/editor/editor-place.ts';
import { SaidError } from '../../../app/in-words.ts';
import { caretElement } from '../../../app/note-choices.ts';
import type { PanelEnvironment, PanelFrame } from '../../../app/panel-environment.ts';
import type { MarginMark } from '../../../app/panel-host.ts';
import type { SavedAnswers } from '../../../tools/contract/saved-answers.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { createOutsideContext, type OutsideContext } from '../../../ui/state/outside-context.ts';
import type { WrittenBlock, WrittenPort } from '../provenance-port.ts';
import type { MarginPlace } from '../view/margin-place.ts';
import { mountMarginCard } from '../view/mount-margin-card.ts';
import { MARKED } from './margin-pointer.ts';

interface WrittenRequestDeps extends Pick<PanelEnvironment, 'host' | 'noteOf' | 'show' | 'handle' | 't' | 'ending' | 'signal'> {
  readonly frame: PanelFrame;
  readonly answers: SavedAnswers;
  readonly written: Omit<WrittenPort, 'checkAgain'>;
}

/** Pixels over and under the pointer that a card in the margin leaves free. */
const HALF_LINE = 10;

/** Shows who wrote a block in cards beside it, one at a time, and asks whether what it says still holds. */
export class WrittenRequests {
  private readonly deps: WrittenRequestDeps;
  private shared: OutsideContext | undefined;
  private card: { readonly id: string; close(): void } | undefined;

  constructor(deps: WrittenRequestDeps) {
    this.deps = deps;
    deps.ending.addEventListener('abort', () => {
      this.card?.close();
      this.shared?.destroy();
    });
  }

  /** Without a mark: of the block with the caret, or of what a model wrote around it. Throws SaidError. */
  showWriter(mark: MarginMark | undefined): void {
    const { host, t } = this.deps;
    const at = mark ? undefined : caretElement(host);
    const block = mark?.block ?? at?.closest<HTMLElement>(MARKED) ?? at;
    if (!block) throw new SaidError(t('written.noCaret'));
    this.draw(mark ?? { block, y: block.getBoundingClientRect().top + 10, by: 'keys' });
  }

  /** Asks once what is to be changed in a block whose sources changed; what is accepted then counts as checked. */
  async checkAgain(id: string): Promise<void> {
    const { noteOf, host, frame, answers, written, t, signal } = this.deps;
    const blocks = await written.of([id]);
    const sources = blocks[0]?.sources;
    if (!sources) throw new SaidError(t('written.holds'));
    const protyle = await editorFor(host, await noteOf(id), signal);
    frame.host.openBlock(id);
    const onchecked = (): void => void answers.renew([id], signal).catch(() => undefined);
    const [origin] = await written.origins(blocks);
    const checked = { sources, question: origin?.question ?? '', onchecked };
    this.card?.close();
    await this.deps.handle({ action: 'check-answer', kind: 'block', ids: [id], ...(protyle ? { protyle } : {}), checked });
  }

  /** In place of an earlier card. */
  private draw({ block, y, by }: MarginMark): void {
    const { host, show, written } = this.deps;
    const port = { ...written, checkAgain: (each: string) => this.checkAgain(each) };
    const id = block.dataset.nodeId ?? '';
    // The pointer moved on the same mark.
    if (by === 'pointer' && this.card?.id === id) return;
    this.card?.close();
    const protyle = host.siyuan.getAllEditor().find(({ protyle: each }) => each.wysiwyg?.element.contains(block))?.protyle;
    const box = new DOMRect(block.getBoundingClientRect().left, y - HALF_LINE, 0, 2 * HALF_LINE);
    const place: MarginPlace = { id, box, by };
    const ways = {
      onchat: (call: WrittenBlock['call']) => inBackground(show({ answer: call })),
      onundo: ({ callId }: WrittenBlock['call']) => inBackground(show({ page: 'activity', ids: [callId] })),
    };
    const card = mountMarginCard({ place, written: port, context: this.context(), ways }, () => {
      giveBack();
      if (this.card?.id === id) this.card = undefined;
    });
    const giveBack = keepCaret({ element: card.element, sheet: by === 'finger' }, protyle, id);
    this.card = { id, close: card.close };
  }

  private context(): OutsideContext['context'] {
    const { frame, t } = this.deps;
    const { controller, host, settings } = frame;
    this.shared ??= createOutsideContext({ controller, host, settings, t }, 'marginalia-writer-preview');
    return this.shared.context;
  }
}
