import { withCovers, withoutDeleted } from '../session/lineage.ts';
import { ownSettings } from '../session/own-settings.ts';
import { pathOf } from '../session/thread.ts';
import type { Node, Payload, SavedVariable, Session } from '../session/types.ts';
import { emptySession } from '../store/turn-log.ts';

function variableNames(node: Node): readonly string[] {
  const records = Object.values(node.versions).flatMap((payload) => payload.toolChainResult?.toolCallHistory ?? []);
  return records.flatMap(({ result }) => [result.cacheVarArgs, result.cacheVarResult].filter((name) => name !== undefined));
}

/** The same messages with new ids: ids are unique everywhere, and two chats with one message would both claim its notes. */
function renamed(nodes: readonly Node[], newId: () => string): ReadonlyMap<string, Node> {
  const ids = new Map(nodes.map((node) => [node.id, newId()]));
  return new Map(
    nodes.map((node): [string, Node] => {
      const versionIds = new Map(Object.keys(node.versions).map((id) => [id, newId()]));
      const versions = Object.values(node.versions).map((payload): [string, Payload] => {
        const id = versionIds.get(payload.id) ?? payload.id;
        return [id, { ...payload, id }];
      });
      const made: Node = {
        ...node,
        id: ids.get(node.id) ?? node.id,
        parent: node.parent === null ? null : (ids.get(node.parent) ?? null),
        versions: Object.fromEntries(versions),
        currentVersionId: versionIds.get(node.currentVersionId) ?? node.currentVersionId,
      };
      return [node.id, withCovers(made, (id) => ids.get(id))];
    }),
  );
}

/** The message that wrote it, in the chat that has it now. */
function writtenIn(variable: SavedVariable, copies: ReadonlyMap<string, Node>): SavedVariable {
  const node = variable.node === undefined ? undefined : copies.get(variable.node)?.id;
  return node === undefined ? variable : { ...variable, node };
}

export interface Extraction {
  readonly title: string;
  readonly now: number;
  readonly newId: () => string;
}

/** Copies the branch with all versions, its settings and its variables, but without consent, which was given for the other chat. */
export function extractBranch(session: Session, leafId: string, { title, now, newId }: Extraction): Session {
  const thread = withoutDeleted(pathOf(session, leafId));
  const names = new Set(thread.flatMap(variableNames));
  const isSet = (type: string): boolean => type === 'LLMAdd' || type === 'UserAdd';
  // Tombstones are dropped: what followed one now follows the message before it.
  const chained = thread.map((node, index) => ({ ...node, parent: thread[index - 1]?.id ?? null }));
  const copies = renamed(chained, newId);
  const nodes = [...copies.values()];
  return {
    ...emptySession({ id: newId(), title, created: now }),
    tags: session.tags,
    ...ownSettings(session),
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    rootId: nodes[0]?.id ?? null,
    leafId: nodes.at(-1)?.id ?? null,
    variables: session.variables
      .filter(({ name, type, node }) => names.has(name) || (isSet(type) && (node === undefined || copies.has(node))))
      .map((variable) => writtenIn(variable, copies)),
  };
}
