import type { Intent, WriteTarget } from './types.ts';

const verb = '(?:write|put|add|append|save|insert|note)';
const about = '(?:about|on|regarding|concerning|of|for)';

/** Outer quotes, politeness and closing marks do not belong to a name. */
function clean(text: string): string {
  return text
    .trim()
    .replace(/[\s,;:.?!]+$/, '')
    .replace(/[\s,]+(?:please|for me|thanks|thank you)$/i, '')
    .trim()
    .replace(/^["'«《](.*)["'»》]$/s, '$1')
    .trim();
}

function isPronoun(text: string): boolean {
  return /^(?:it|this|that|them|these|those|the above|the answer|the result|the results)?$/i.test(text);
}

function writeTarget(text: string): WriteTarget | null {
  const name = clean(text).replace(/^(?:my|the|our)\s+/i, '');
  if (/^(?:today'?s?(?:\s+(?:daily\s+)?(?:note|journal|diary|page))?|daily note|journal|diary)$/i.test(name)) return { kind: 'today' };
  const fresh = /^(?:a\s+)?new\s+(?:document|note|doc|page)(?:\s+(?:called|named|titled))?\s*(.+)$/i.exec(name);
  if (fresh?.[1]) return { kind: 'new-document', name: clean(fresh[1]) };
  const document = clean(name.replace(/^(?:document|doc|note|page)\s+(?=\S)/i, '').replace(/\s+(?:document|doc|note|page)$/i, ''));
  return document === '' || isPronoun(document) ? null : { kind: 'document', name: document };
}

/** "write a summary of X into Y": X may be missing. Returns null when the clause writes nothing anywhere. */
function readWrite(clause: string): { topic: string; write: WriteTarget } | null {
  const match = new RegExp(`^(?:please\\s+)?${verb}\\s+(.*?)\\s*\\b(?:into|in|to|onto|under)\\s+(.+)$`, 'is').exec(clause);
  if (!match) return null;
  const write = writeTarget(match[2] ?? '');
  if (!write) return null;
  const what = (match[1] ?? '').replace(/^(?:me\s+)?(?:a|an|the)?\s*(?:short\s+|brief\s+)?(?:summary|digest|note|overview|list)?\s*/i, '');
  const topic = clean(what.replace(new RegExp(`^${about}\\s+`, 'i'), '').replace(/^what my notes say about\s+/i, ''));
  return { topic: isPronoun(topic) ? '' : topic, write };
}

const askForms: readonly RegExp[] = [
  /^(?:so\s+|and\s+)?what (?:do|does|did) (?:my|our|the|these) (?:own\s+)?(?:notes?|notebooks?|documents?|diary)\s+(?:say|tell(?: me)?|have|hold|contain|know|mention)(?:\s+to say)?\s*(?:about|on|of|regarding)?\s+(.+)$/i,
  /^what (?:have|did) i (?:written|write|noted|note|recorded|record|learned|learn|read|collected) (?:down\s+)?(?:about|on|of)\s+(.+)$/i,
  /^what do i (?:know|have)(?: in my notes)? (?:about|on)\s+(.+)$/i,
  /^what(?:'s| is) (?:in|written in) my notes? (?:about|on)\s+(.+)$/i,
  /^(?:please\s+)?(?:tell me|look up)(?: what my notes say)? about\s+(.+?)(?:\s+(?:in|from) my notes)?$/i,
  /^summari[sz]e (?:what )?(?:my notes say about|my notes (?:about|on)|everything (?:about|on))\s+(.+)$/i,
  /^(?:and\s+)?(?:what|how) about\s+(.+)$/i,
];

const earlierForms: readonly RegExp[] = [
  /^(?:please\s+)?(?:show|tell|give) me more(?:\s+(?:about|on|of)\s+(.+))?$/i,
  /^(?:more|go on|continue|what else)$/i,
  /^what (?:else )?did you (?:find|read|see)(?:\s+(?:about|on)\s+(.+))?(?:\s+(?:earlier|before))?$/i,
  /\b(?:use|read|show|look at|open|from|in)\b.*\b(?:earlier|previous|last|first|saved)\s+(?:results?|search|answers?|findings|turn)\b(?:.*\b(?:about|on|for|mentions?)\s+(.+))?/i,
  /\b(?:earlier|previous)\s+results?\b(?:.*\b(?:about|on|for|mentions?)\s+(.+))?/i,
];

function firstMatch(forms: readonly RegExp[], clause: string): string | null {
  for (const form of forms) {
    const match = form.exec(clause);
    if (match) return clean(match[1] ?? '');
  }
  return null;
}

function readClause(clause: string): Intent | null {
  if (/\b(?:list|show|which|what)\b.*\bnotebooks\b(?!.*\b(?:say|about|mention)\b)/i.test(clause)) return { kind: 'list-notebooks' };
  const earlier = firstMatch(earlierForms, clause);
  if (earlier !== null) return { kind: 'earlier', topic: isPronoun(earlier) ? '' : earlier };
  const asked = firstMatch(askForms, clause);
  if (asked !== null) return { kind: 'ask', topic: isPronoun(asked) ? '' : asked, write: null, answer: true };
  const summary =
    /^(?:please\s+|can you\s+|could you\s+)*(?:summari[sz]e|sum up|what are the (?:main|key) points of|give me (?:a|the) summary of|write (?:me )?(?:a|the) summary of)\s+(.+)$/is.exec(
      clause,
    );
  if (summary) {
    const [, rest = ''] = summary;
    const name = clean(
      clean(rest)
        .replace(/^(?:the|my|our)\s+/i, '')
        .replace(/^(?:document|doc|note|page)\s+(?=\S)/i, ''),
    );
    return { kind: 'summarize', document: /\btoday'?s?\b.*\bnote\b/i.test(name) ? 'today' : name, write: null };
  }
  const find =
    /^(?:please\s+)?(?:find|search(?: my notes)?(?: for)?|look for|where (?:do|did) i (?:mention|write about))\s+(.+?)(?:\s+in (?:all )?my notes)?$/i.exec(
      clause,
    );
  return find ? { kind: 'find', query: clean((find[1] ?? '').replace(/^(?:all\s+)?notes?\s+(?:about|on)\s+/i, '')) } : null;
}

/** Sentences, and what follows "and write …" inside one. A full stop inside a name or number does not split. */
function clausesOf(text: string): string[] {
  return text
    .split(new RegExp(`(?<=[?!.;])\\s+|\\n+|\\s*,?\\s*\\b(?:and|then)\\s+(?:then\\s+)?(?=${verb}\\b)`, 'i'))
    .map((clause) =>
      clause
        .trim()
        .replace(/[?!.;]+$/, '')
        .trim(),
    )
    .filter((clause) => clause !== '');
}

export function readEnglish(text: string): Intent {
  let main: Intent | null = null;
  let written: { topic: string; write: WriteTarget } | null = null;
  for (const clause of clausesOf(text)) {
    const write = readWrite(clause);
    if (write) written ??= write;
    else main ??= readClause(clause);
  }
  if (!written) return main ?? { kind: 'help' };
  if (main?.kind === 'summarize') return { ...main, write: written.write };
  if (main?.kind === 'ask') return { ...main, topic: main.topic || written.topic, write: written.write };
  if (main?.kind === 'find') return { kind: 'ask', topic: main.query, write: written.write, answer: true };
  return { kind: 'ask', topic: written.topic, write: written.write, answer: false };
}
