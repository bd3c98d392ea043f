import type { ProjectedMessage, SpeakerLabels } from '../../chat/ports/chat-document.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { FormulaCheck } from '../../tools/safe-content/formulas.ts';
import { holdsMarkup, plainLabel } from '../../tools/safe-content/normal-text.ts';
import type { Access } from '../access/access.ts';
import { knownReferences } from '../access/known-references.ts';
import { type BlockElement, childBlocks, freshId, parseBlock, plainText, type Random, timestamp } from '../blocks/block-dom.ts';
import { hashText } from '../blocks/block-hash.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { SOURCE_ATTRIBUTE } from '../blocks/source-attributes.ts';
import { type ContentFilter, createContentFilter } from '../content/content-filter.ts';
import { encodeMessage } from './attributes.ts';

export interface MessageBlocksDeps {
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent if KaTeX is not available. */
  readonly checkFormula?: FormulaCheck;
}

interface MessageBlock {
  /** Not in any document yet. */
  readonly block: BlockElement;
  /** Names of variables whose values did not fit into attributes. */
  readonly omittedVariables: readonly string[];
}

/** A chat message as one super block: the speaker, the text, and attributes from which the message can be restored. */
export interface MessageBlocks {
  make(
    message: ProjectedMessage,
    chat: { readonly sessionId: string; readonly labels: SpeakerLabels },
    signal: AbortSignal,
  ): Promise<MessageBlock>;
}

const ATTR_DIV = '<div class="protyle-attr" contenteditable="false">\u200b</div>';

function asText(words: string): string {
  return (holdsMarkup(words) ? plainLabel(words) : words).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

class FilteredMessageBlocks implements MessageBlocks {
  private readonly deps: MessageBlocksDeps;
  private readonly filter: ContentFilter;

  constructor(deps: MessageBlocksDeps) {
    this.deps = deps;
    this.filter = createContentFilter(deps);
  }

  async make(
    message: ProjectedMessage,
    chat: { readonly sessionId: string; readonly labels: SpeakerLabels },
    signal: AbortSignal,
  ): Promise<MessageBlock> {
    const { clock, random } = this.deps;
    const id = freshId(clock, random);
    const inner = [this.head(message, chat.labels), ...(await this.blocksOf(message.markdown, signal))].join('');
    const open = `<div data-node-id="${id}" data-type="NodeSuperBlock" class="sb" data-sb-layout="row" updated="${timestamp(clock)}">`;
    const block = parseBlock(`${open}${inner}${ATTR_DIV}</div>`);
    if (!block) throw new Error('a message did not become one super block');
    // As whatever else a model writes: all below the line with the speaker.
    const byModel = message.role === 'assistant' || message.label === 'summary' ? childBlocks(block).slice(1) : [];
    for (const each of byModel) each.attribs[SOURCE_ATTRIBUTE] = `${chat.sessionId}/${message.nodeId}/note`;
    const { attributes, omittedVariables } = await encodeMessage(chat.sessionId, message, hashText(plainText(block)));
    Object.assign(block.attribs, attributes);
    return { block, omittedVariables };
  }

  /** Text that may not be written as blocks is shown as plain text: saving a chat never fails because of its content. */
  private async blocksOf(markdown: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = knownReferences(this.deps.access, signal);
    try {
      return (await this.filter.filter({ markdown: markdown.trim() === '' ? '…' : markdown, knownReferences: known })).blocks;
    } catch (error) {
      if (!(error instanceof ToolError) || !['unsafe_markdown', 'empty_text', 'too_large'].includes(error.code)) throw error;
      const longest = Math.max(2, ...[...markdown.matchAll(/`+/g)].map((run) => run[0].length));
      const fence = '`'.repeat(longest + 1);
      return (await this.filter.filter({ markdown: `${fence}text\n${markdown.slice(0, 300_000)}\n${fence}`, knownReferences: known }))
        .blocks;
    }
  }

  /** The speaker and the time. */
  private head({ label, role, time }: ProjectedMessage, labels: SpeakerLabels): string {
    const who = asText(labels[label ?? role]);
    const when = time === undefined || role === 'separator' ? '' : ` · ${asText(labels.at(time))}`;
    const { clock, random } = this.deps;
    const open = `<div data-node-id="${freshId(clock, random)}" data-type="NodeParagraph" class="p" updated="${timestamp(clock)}">`;
    return `${open}<div contenteditable="true" spellcheck="false"><span data-type="strong">${who}</span>${when}</div>${ATTR_DIV}</div>`;
  }
}

export function createMessageBlocks(deps: MessageBlocksDeps): MessageBlocks {
  return new FilteredMessageBlocks(deps);
}
