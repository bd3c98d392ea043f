import type { NotesHost } from '../../host/notes-host.ts';
import type { WriteReport } from '../../tools/contract/ports.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { isDrawn } from '../../ui/controls/is-drawn.ts';

/** How long a written block stays marked, and how long its text may take to reach the editor, in milliseconds. */
const SHOWN_MS = 1200;
const ARRIVAL_MS = 2000;
const POLL_MS = 100;
/** More marks than that are no longer a hint. */
const MOST = 40;

const blocksIn = (id: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`.protyle-wysiwyg [data-node-id="${CSS.escape(id)}"]`)].filter(isDrawn);

/** The rectangle of a block in the window; undefined if its editor does not show it. */
function placeOf(block: HTMLElement): string | undefined {
  const box = block.getBoundingClientRect();
  const frame = block.closest('.protyle-content')?.getBoundingClientRect();
  const [top, bottom] = frame ? [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)] : [box.top, box.bottom];
  return bottom < top ? undefined : `top:${top}px;left:${box.left}px;width:${box.width}px;height:${bottom - top}px`;
}

/**
 * A mark over the block, not on it: the editor redraws the block, and must not save the mark. It follows the block, which moves under it
 * when a card above gets smaller, or the editor is scrolled.
 */
function mark(block: HTMLElement): void {
  if (placeOf(block) === undefined) return;
  const layer = document.createElement('div');
  layer.className = 'marginalia-flash';
  layer.setAttribute('aria-hidden', 'true');
  const look = 'position:fixed;z-index:5;pointer-events:none;border-radius:4px;background:var(--b3-theme-primary);opacity:.18';
  document.body.append(layer);
  let shown = block;
  const follow = (): void => {
    if (!layer.isConnected) return;
    // Redrawn since.
    if (!shown.isConnected) shown = blocksIn(block.dataset.nodeId ?? '')[0] ?? shown;
    layer.style.cssText = `${look};${(shown.isConnected ? placeOf(shown) : undefined) ?? 'display:none'}`;
    requestAnimationFrame(follow);
  };
  follow();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!still) layer.animate([{ opacity: 0.18 }, { opacity: 0.18, offset: 0.5 }, { opacity: 0 }], SHOWN_MS);
  setTimeout(() => layer.remove(), SHOWN_MS);
}

/** How long a quiet mark stays in the margin of what was changed, and how often it follows a block that moves, in milliseconds. */
const MARGIN_MS = 60_000;
const FOLLOW_MS = 250;

/**
 * A line in the margin beside each of the blocks, for a while or until `signal` aborts: drawn over the editor, never in its text.
 * Returns the function that marks one more.
 */
function marginMarks(signal: AbortSignal): (id: string) => void {
  const lines = new Map<string, HTMLElement>();
  const follow = (): void => {
    for (const [id, line] of lines) {
      const [block] = blocksIn(id);
      const place = block && placeOf(block);
      line.style.cssText = `position:fixed;z-index:4;pointer-events:none;background:var(--b3-theme-primary);opacity:.6;border-radius:2px;${place ?? 'display:none'};width:2px;margin-left:-2px`;
    }
  };
  const begin = (): void => {
    const timer = setInterval(follow, FOLLOW_MS);
    document.addEventListener('scroll', follow, true);
    window.addEventListener('resize', follow);
    const end = (): void => {
      clearInterval(timer);
      clearTimeout(last);
      document.removeEventListener('scroll', follow, true);
      window.removeEventListener('resize', follow);
      signal.removeEventListener('abort', end);
      for (const line of lines.values()) line.remove();
    };
    const last = setTimeout(end, MARGIN_MS);
    signal.addEventListener('abort', end);
  };
  return (id) => {
    if (lines.size === 0) begin();
    for (const other of document.querySelectorAll<HTMLElement>('.marginalia-changed')) if (other.dataset.block === id) other.remove();
    const line = document.createElement('div');
    line.className = 'marginalia-changed';
    line.dataset.block = id;
    line.setAttribute('aria-hidden', 'true');
    document.body.append(line);
    lines.set(id, line);
    follow();
  };
}

/** Marks blocks where an editor shows them, at once and in its margin for a while; those that arrive late, when they do. */
async function flashBlocks(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const missing = new Set(ids.slice(0, MOST));
  const inMargin = marginMarks(signal);
  for (let waited = 0; missing.size > 0 && waited <= ARRIVAL_MS && !signal.aborted; waited += POLL_MS) {
    // The editor receives a write a moment after its answer.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    for (const id of missing) {
      const shown = blocksIn(id);
      if (shown.length === 0) continue;
      missing.delete(id);
      shown.forEach(mark);
      inMargin(id);
    }
  }
}

/** The same notes; blocks written to them are marked in the editors that show them, until `signal` aborts. */
export function flashing(host: NotesHost, signal: AbortSignal): NotesHost {
  return {
    ...host,
    notes: {
      ...host.notes,
      apply: async (...approved): Promise<WriteReport> => {
        const report = await host.notes.apply(...approved);
        inBackground(flashBlocks(report.blockIds, signal));
        return report;
      },
    },
  };
}
