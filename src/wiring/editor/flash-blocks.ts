import type { NotesHost } from '../../host/notes-host.ts';
import type { WriteReport } from '../../tools/contract/ports.ts';

/** How long a block that was written stays marked, and how long its text may take to reach the editor, in milliseconds. */
const SHOWN_MS = 1200;
const ARRIVAL_MS = 2000;
const POLL_MS = 100;
/** More marks than that are no hint any more. */
const MOST = 40;

const blocksIn = (id: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`.protyle-wysiwyg [data-node-id="${CSS.escape(id)}"]`)].filter(
    (block) => block.getClientRects().length > 0,
  );

/** A mark over the block, not on it: the editor draws the block anew, and must not save it. */
function mark(block: HTMLElement): void {
  const box = block.getBoundingClientRect();
  const frame = block.closest('.protyle-content')?.getBoundingClientRect();
  if (frame && (box.bottom < frame.top || box.top > frame.bottom)) return;
  const [top, bottom] = frame ? [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)] : [box.top, box.bottom];
  const layer = document.createElement('div');
  layer.className = 'marginalia-flash';
  layer.setAttribute('aria-hidden', 'true');
  const place = `top:${top}px;left:${box.left}px;width:${box.width}px;height:${bottom - top}px`;
  layer.style.cssText = `position:fixed;z-index:5;pointer-events:none;border-radius:4px;background:var(--b3-theme-primary);opacity:.18;${place}`;
  document.body.append(layer);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!still) layer.animate([{ opacity: 0.18 }, { opacity: 0.18, offset: 0.5 }, { opacity: 0 }], SHOWN_MS);
  setTimeout(() => layer.remove(), SHOWN_MS);
}

/** Marks blocks once, where an editor shows them; those that arrive late, when they do. */
async function flashBlocks(ids: readonly string[]): Promise<void> {
  const missing = new Set(ids.slice(0, MOST));
  for (let waited = 0; missing.size > 0 && waited <= ARRIVAL_MS; waited += POLL_MS) {
    // The editor hears of a write a moment after it was answered.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    for (const id of missing) {
      const shown = blocksIn(id);
      if (shown.length === 0) continue;
      missing.delete(id);
      shown.forEach(mark);
    }
  }
}

/** The same notes; what is written to them flashes once in the editors that show it. */
export function flashing(host: NotesHost): NotesHost {
  return {
    ...host,
    notes: {
      ...host.notes,
      apply: async (...approved): Promise<WriteReport> => {
        const report = await host.notes.apply(...approved);
        void flashBlocks(report.blockIds);
        return report;
      },
    },
  };
}
