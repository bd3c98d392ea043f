import type { StreamPart, ToolCallingProtocol } from '../contract.ts';

/** Joins adjacent pieces of one text or one argument: the sum of a stream's parts. */
function sum(parts: readonly StreamPart[]): readonly StreamPart[] {
  const joined: StreamPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else if (part.type === 'argument' && last?.type === 'argument' && last.index === part.index && last.key === part.key)
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** The parts of an answer that arrives in these pieces. */
export function streamed(protocol: ToolCallingProtocol, pieces: readonly string[], stopped = false): readonly StreamPart[] {
  const stream = protocol.stream();
  return sum([...pieces.flatMap((piece) => stream.take(piece)), ...stream.end(stopped)]);
}

/** What a person sees of the answer. */
export function shownText(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The text in two pieces, at every position; then one character at a time; then in pieces of 2, 3, 5, … */
export function* cutsOf(text: string): Generator<readonly string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  for (const size of [1, 2, 3, 5, 8, 13, 21]) {
    yield Array.from({ length: Math.ceil(text.length / size) }, (_, number) => text.slice(number * size, (number + 1) * size));
  }
}
