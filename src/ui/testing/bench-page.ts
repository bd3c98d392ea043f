// The page of the rendering benchmark: the real panel compared with the simplest implementation. Not part of the plugin.
import './page.css';
import createDOMPurify from 'dompurify';
import { Marked } from 'marked';
import english from '../../../i18n/en_US.json';
import type { MessageView } from '../../chat/view/view.ts';
import { pagesFrom } from '../panel/lazy-pages.ts';
import { type MountedPanel, mountPanel } from '../panel/mount.ts';
import { createTranslate } from '../ports/i18n.ts';
import { answer, FakeController, userMessage } from './fake-controller.ts';
import { FakeHost, FakeSettings } from './fake-host.ts';
import { giantChat } from './giant-chat.ts';

pagesFrom(() => import('../panel/pages.ts'));

/** `naive`: the whole text through marked and DOMPurify into innerHTML, for every piece or message. */
export type BenchWay = 'ours' | 'naive';

export interface StreamRun {
  readonly chunks: readonly string[];
  readonly way: BenchWay;
  /** Of the naive way only every n-th piece is shown, since all of them take minutes; its work counts n times. */
  readonly sample?: number;
  /** Pieces every 4 ms. */
  readonly perTick: number;
  /** Messages that the chat has already. */
  readonly before: number;
}

export interface Streamed {
  /** Milliseconds between two frames, while the text arrived. */
  readonly frames: readonly number[];
  readonly shown: number;
}

interface Opened {
  /** Milliseconds until the messages were painted. */
  readonly ms: number;
  readonly nodes: number;
}

declare global {
  interface Window {
    runStream(run: StreamRun): Promise<Streamed>;
    openChat(count: number, way: BenchWay): Promise<Opened>;
  }
}

const marked = new Marked({ gfm: true });
const purify = createDOMPurify(window);
const naiveHtml = (text: string): string => purify.sanitize(marked.parse(text, { async: false }));

const painted = (): Promise<number> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))));
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4));

function dock(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'dock';
  document.body.append(element);
  return element;
}

function mount(target: HTMLElement, messages: readonly MessageView[]): { controller: FakeController; panel: MountedPanel } {
  const controller = new FakeController({ messages, title: 'Bench' });
  const panel = mountPanel(target, { controller, host: new FakeHost(), settings: new FakeSettings(), i18n: createTranslate(english) });
  return { controller, panel };
}

/** Something that takes text piece by piece and shows it. */
interface Reader {
  take(piece: string): void;
  end(): void;
  remove(): void;
}

function ours(target: HTMLElement, before: number): Reader {
  const { controller, panel } = mount(target, [...giantChat(before), userMessage('Go on'), answer([], { status: 'streaming' })]);
  controller.set({ running: true });
  return {
    take: (piece) => controller.stream(piece),
    end() {
      controller.setLast({ status: 'done' });
      controller.set({ running: false });
    },
    remove: () => panel.destroy(),
  };
}

function naive(target: HTMLElement, sample: number): Reader {
  const place = document.createElement('div');
  place.className = 'b3-typography';
  target.style.overflow = 'auto';
  target.append(place);
  let text = '';
  let taken = 0;
  return {
    take(piece) {
      text += piece;
      taken += 1;
      if (taken % sample > 0) return;
      place.innerHTML = naiveHtml(text);
      target.scrollTop = target.scrollHeight;
    },
    end: () => undefined,
    remove: () => place.remove(),
  };
}

window.runStream = async ({ chunks, way, perTick, before, sample = 1 }) => {
  const target = dock();
  const reader = way === 'ours' ? ours(target, before) : naive(target, sample);
  await painted();
  const frames: number[] = [];
  let last = performance.now();
  let going = true;
  const frame = (): void => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  performance.mark('bench-stream');
  for (let at = 0; at < chunks.length; at += perTick) {
    for (const chunk of chunks.slice(at, at + perTick)) reader.take(chunk);
    if ((at / perTick) % sample === 0) await tick();
  }
  going = false;
  reader.end();
  await painted();
  await tick();
  performance.mark('bench-stream-end');
  const shown = (target.textContent ?? '').length;
  reader.remove();
  target.remove();
  return { frames: frames.slice(1), shown };
};

window.openChat = async (count, way) => {
  const messages = giantChat(count);
  const target = dock();
  await painted();
  const empty = document.querySelectorAll('*').length;
  const started = performance.now();
  let panel: MountedPanel | undefined;
  if (way === 'ours') ({ panel } = mount(target, messages));
  else {
    for (const message of messages) {
      const place = document.createElement('article');
      const text = message.segments.map((segment) => (segment.kind === 'text' ? segment.text : '')).join('\n\n');
      place.innerHTML = naiveHtml(text);
      target.append(place);
    }
    target.style.overflow = 'auto';
    target.scrollTop = target.scrollHeight;
  }
  const ms = (await painted()) - started;
  const nodes = document.querySelectorAll('*').length - empty;
  panel?.destroy();
  target.remove();
  return { ms, nodes };
};
