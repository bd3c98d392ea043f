import type { AnswerPart, Message, SignedThoughts } from '../../tools/contract/messages.ts';

type Fields = Readonly<Record<string, unknown>>;

export class ThoughtRecord {
  private parts: AnswerPart[] = [];
  private readonly from: Pick<SignedThoughts, 'protocol' | 'model'>;

  constructor(protocol: string, model: string) {
    this.from = { protocol, model };
  }

  add(part: AnswerPart): void {
    this.parts.push(part);
  }

  replace(parts: readonly AnswerPart[]): void {
    this.parts = [...parts];
  }

  get thoughts(): SignedThoughts | undefined {
    return this.parts.some((part) => 'thought' in part) ? { ...this.from, parts: this.parts } : undefined;
  }
}

/** The parts of an answer that go back to its model; undefined where another one wrote it, or signed nothing. */
export function partsFor(message: Message, protocol: string, model: string): readonly AnswerPart[] | undefined {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const thoughts = calls.find(({ extra_fields }) => extra_fields?.thoughts)?.extra_fields?.thoughts;
  return thoughts?.protocol === protocol && thoughts.model === model ? thoughts.parts : undefined;
}

/** An answer as its server wrote it: thoughts word for word, and where its text and its calls were, these. */
export function inOrder(parts: readonly AnswerPart[], text: readonly Fields[], calls: readonly Fields[]): readonly Fields[] {
  const open = { text: [...text], calls: [...calls] };
  const placed: Fields[] = [];
  const placeText = (beside: Fields): void => {
    placed.push(...open.text.splice(0).map((part) => ({ ...part, ...beside })));
  };
  const hasText = parts.some((part) => 'text' in part);
  for (const part of parts) {
    if ('thought' in part) placed.push(part.thought);
    else if ('text' in part) placeText(part.text);
    else {
      if (!hasText) placeText({});
      const call = open.calls.shift();
      if (call !== undefined) placed.push({ ...call, ...part.call });
    }
  }
  placeText({});
  return [...placed, ...open.calls];
}
