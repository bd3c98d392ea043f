import { ANSWER_LEFT_OUT, LEFT_OUT, type NoteSource, type Withheld } from '../../tools/contract/provenance.ts';
import { sourcesOf } from '../../tools/executor/variable-rights.ts';
import { Lineage, sourcesOfContext, withoutDeleted } from '../session/lineage.ts';
import { summaryOf } from '../session/summary.ts';
import type { AttachedContext, Node, Payload, SavedVariable } from '../session/types.ts';

/** What of a chat may be written into a note. */
export interface NoteContents {
  readonly thread: readonly Node[];
  readonly variables: readonly SavedVariable[];
  /** Other notebooks whose text is included; '' for a notebook that an older version did not record. */
  readonly foreign: readonly string[];
}

/** Written by a model that had seen notes. */
const isWritten = (node: Node): boolean => node.role === 'assistant' || summaryOf(node) !== undefined;

/** `path`: root to leaf, including tombstones. `notebook`: the note's. */
export function noteContents(
  path: readonly Node[],
  variables: readonly SavedVariable[],
  notebook: string,
  withheld: Withheld,
): NoteContents {
  const lineage = new Lineage(path);
  const thread = withoutDeleted(path);
  const byId = new Map(path.map((node) => [node.id, node]));
  const foreign = new Set<string>();
  const others = (sources: readonly NoteSource[]): readonly string[] =>
    sources.map((source) => source.notebook ?? '').filter((id) => id !== notebook);
  for (const node of thread) {
    const sources = isWritten(node) ? lineage.of(node) : (node.context ?? []).flatMap(sourcesOfContext);
    for (const id of others(sources)) foreign.add(id);
  }
  const isOwn = (variable: SavedVariable): boolean => {
    const node = variable.node === undefined ? undefined : byId.get(variable.node);
    const written = node ? lineage.of(node) : [];
    return others([...sourcesOf(variable), ...written]).length === 0 && !withheld.holds([...sourcesOf(variable), ...written]);
  };
  return {
    thread: thread.map((node) => released(node, lineage, withheld)),
    // The name of an excluded variable shows that it is missing.
    variables: variables.map((variable) => (isOwn(variable) ? variable : { ...variable, notebooks: [...(variable.notebooks ?? []), ''] })),
    foreign: [...foreign],
  };
}

/** Removes everything that may not be read now, also from the invisible attributes of the note. */
function released(node: Node, lineage: Lineage, withheld: Withheld): Node {
  const payload = node.versions[node.currentVersionId];
  if (withheld.empty || !payload) return node;
  const context = node.context?.map((one) => (withheld.holds(sourcesOfContext(one)) ? leftOut(one) : one));
  const hidden = isWritten(node) && lineage.isWithheld(node, payload, withheld);
  const version = hidden ? withoutText(payload) : payload;
  return { ...node, ...(context ? { context } : {}), versions: { ...node.versions, [payload.id]: version } };
}

/** Keeps only where the context came from: any other field may contain its text, including fields of later versions. */
function leftOut({ contextId, kind, id, sources }: AttachedContext): AttachedContext {
  return { contextId, kind, id, title: '', text: LEFT_OUT, sources };
}

function withoutText({ id, author, created, status, isPrivate }: Payload): Payload {
  const origin = isPrivate === undefined ? {} : { isPrivate };
  return { id, author, created, status, ...origin, message: { role: 'assistant', content: ANSWER_LEFT_OUT } };
}
