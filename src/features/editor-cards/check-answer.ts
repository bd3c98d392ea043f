import type { ReadBlock } from '../../chat/ports/read-block.ts';
import type { CustomPrompt } from '../../chat/prompts/custom-prompts.ts';
import type { ChatContext } from '../../chat/session/types.ts';
import type { ChangedSource } from '../../tools/contract/saved-answers.ts';

/** `name`: of the task, for people; `question`: '' where nobody asked one. */
export function checkPrompt(name: string, sources: readonly ChangedSource[], question: string): CustomPrompt {
  const gone = sources.filter(({ now }) => now === null).length;
  const prompt = [
    `The last attached note is a part of an answer that was saved earlier${question === '' ? '' : '; the message is what was asked then'}.`,
    'The notes attached before it are what it cites and what has changed since: each with what it said then, and what it says now.',
    'Change only what the sources now say otherwise, and keep the other words, the form and the references. If all of it is still right,',
    'answer with the same text.',
    ...(gone > 0 ? [`${gone} of the cited blocks are gone: keep what was said of them, without its reference.`] : []),
  ].join(' ');
  return { id: 'check-answer', name, prompt, output: 'replace' };
}

/** The sources that are still there, under the rights of the moment. */
export async function sourceContexts(
  sources: readonly ChangedSource[],
  readBlock: ReadBlock,
  signal: AbortSignal,
): Promise<readonly ChatContext[]> {
  const contexts: ChatContext[] = [];
  for (const { id, before, now } of sources) {
    if (now === null) continue;
    const { markdown, document } = await readBlock(id, signal);
    contexts.push({ kind: 'block', id, title: document.title, text: `Then: ${before || '(not kept)'}\n\nNow: ${markdown}` });
  }
  return contexts;
}
