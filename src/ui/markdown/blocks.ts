import { directionOf } from './direction.ts';

/** A run of rows, items, lines or inline text; the smallest unit that is rendered again. */
export interface Part {
  readonly key: number;
  /** Its source: if unchanged, the part is not made again. */
  readonly source: string;
  /** Sanitised HTML; of code the text itself. */
  readonly html: string;
}

interface Shared {
  readonly key: number;
}

interface HtmlBlock extends Shared {
  readonly kind: 'html';
  /** HTML before it was sanitised. */
  readonly source: string;
  readonly html: string;
}

export interface CodeBlock extends Shared {
  readonly kind: 'code';
  readonly language: string;
  /** Whole lines; the line end between two parts belongs to neither. */
  readonly parts: readonly Part[];
  /** More may come: it is not coloured yet. */
  readonly open: boolean;
}

/** Rows of `<li>`, which may arrive for a long time. */
export interface ListBlock extends Shared {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly start: number;
  readonly parts: readonly Part[];
}

export interface TableBlock extends Shared {
  readonly kind: 'table';
  readonly head: Part;
  readonly parts: readonly Part[];
}

/** A paragraph that is too long to be rendered again with each word; once the answer ends it is an HTML block. */
interface LongParagraph extends Shared {
  readonly kind: 'paragraph';
  readonly parts: readonly Part[];
}

/** A top-level block of an answer. A finished block keeps its object, so that nothing in it renders again. */
export type MarkdownBlock = HtmlBlock | CodeBlock | ListBlock | TableBlock | LongParagraph;

/** The maximum characters of a part: small enough to render each frame, large enough to keep the number of parts low. */
const PART_SIZE = 2000;

/**
 * Groups units (items, rows, lines) into parts. The end of a part depends only on its content, so that a text that
 * arrived in pieces has the same parts as the whole.
 */
export class PartList {
  readonly #parts: Part[] = [];
  readonly #draw: (source: string) => string;
  readonly #joint: string;
  readonly #old: readonly Part[];
  /** The last part has its source, and is rendered when it is needed. */
  #stale: string | undefined;

  /**
   * @param joint separates two units of one part
   * @param old earlier parts at this index, reused if they are the same
   */
  constructor(draw: (source: string) => string, joint: string, old: readonly Part[]) {
    this.#draw = draw;
    this.#joint = joint;
    this.#old = old;
  }

  push(unit: string): void {
    const last = this.#parts.at(-1);
    const source = this.#stale ?? last?.source;
    if (source === undefined || source.length >= PART_SIZE) {
      this.#settle();
      this.#parts.push({ key: this.#parts.length, source: unit, html: '' });
      this.#stale = unit;
    } else this.#stale = source + this.#joint + unit;
  }

  /** The parts so far, and those that `units` would add, without keeping them. */
  with(units: readonly string[]): readonly Part[] {
    this.#settle();
    if (units.length === 0) return [...this.#parts];
    const open = this.#parts.at(-1);
    const ahead = new PartList(this.#draw, this.#joint, this.#old);
    ahead.#parts.push(...this.#parts);
    if (open) ahead.#stale = open.source;
    for (const unit of units) ahead.push(unit);
    return ahead.with([]);
  }

  #settle(): void {
    const last = this.#parts.at(-1);
    const source = this.#stale;
    this.#stale = undefined;
    if (!last || source === undefined) return;
    const known = [last, this.#old[last.key]].find((part) => part?.source === source && part.html !== '');
    this.#parts[this.#parts.length - 1] = known ?? { key: last.key, source, html: this.#draw(source) };
  }
}

export function codeText(block: Pick<CodeBlock, 'parts'>): string {
  return block.parts.map((part) => part.html).join('\n');
}

/** The block as one piece of HTML (code: as text), as a full parse would write it. */
export function blockHtml(block: MarkdownBlock): string {
  const inside = 'parts' in block ? block.parts.map((part) => part.html).join('') : '';
  const direction = directionOf(inside);
  switch (block.kind) {
    case 'html':
      return block.html;
    case 'code':
      return `code ${block.language}: ${codeText(block)}`;
    case 'list':
      return block.ordered ? `<ol start="${block.start}"${direction}>${inside}</ol>` : `<ul${direction}>${inside}</ul>`;
    case 'table':
      return `<div class="mg-table"><table${directionOf(block.head.html + inside)}><thead>${block.head.html}</thead><tbody>${inside}</tbody></table></div>`;
    case 'paragraph':
      return `<p${direction}>${inside}</p>`;
  }
}
