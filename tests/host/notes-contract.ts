import type { NotebookRight } from '../../src/tools/contract/notebook-right.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { NotesPort, WriteHistory, WriteOrigin, WriteReport } from '../../src/tools/contract/ports.ts';
import type { NoteRights } from '../../src/tools/contract/provenance.ts';
import { paragraph } from './block-support.ts';
import { origin, signal, startBench } from './support.ts';

/** The ports over one set of notes, and what the user and other programs do there. */
export interface ContractNotes {
  readonly notes: NotesPort;
  readonly rights: NoteRights;
  readonly history: WriteHistory;
  /** At `write`. */
  readonly notebook: string;
  addNotebook(name: string, right: NotebookRight): Promise<string>;
  setRight(notebook: string, right: NotebookRight): void;
  closeNotebook(notebook: string): Promise<void>;
  /** Makes a document and answers its id; in `notebook` unless another one is given. */
  document(path: string, markdown: string, notebook?: string): Promise<string>;
  /** Keeps a block or document from the assistant, or lets it be read again. */
  guard(id: string, on?: boolean): Promise<void>;
  /** The user gives a paragraph another text. */
  change(id: string, text: string): Promise<void>;
  /** The user deletes a block. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export const ABSENT = '20200101000000-zzzzzzz';

let messages = 0;
/** Of a message of its own, so that it is undone alone. */
export const freshOrigin = (): WriteOrigin => {
  messages += 1;
  // A real kernel keeps the journals of other runs.
  return { ...origin, nodeId: `contract-${process.pid}-${Date.now().toString(36)}-${messages}` };
};

/** Everything that a reader sees of a document, without the times. */
export async function readWhole({ notes }: ContractNotes, id: string) {
  // What SiYuan says of a title among the attributes comes from a cache; the reading has it, too.
  const { updated: _, title: __, ...attributes } = (await notes.attributes(id, signal)).attributes;
  return { ...(await notes.document({ id }, { start: 0, blocks: 99 }, signal)), attributes };
}

export const textsOf = async (world: ContractNotes, id: string): Promise<string[]> =>
  (await world.notes.document({ id }, { start: 0, blocks: 99 }, signal)).blocks.map(({ markdown }) => markdown);

export const idsOf = async (world: ContractNotes, id: string): Promise<string[]> =>
  (await world.notes.document({ id }, { start: 0, blocks: 99 }, signal)).blocks.map((block) => block.id);

/** What every test of the contract runs over. */
export async function openHost(): Promise<ContractNotes> {
  const bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
  const { notes, rights, history } = bench.host;
  return {
    notes,
    rights,
    history,
    notebook: bench.notebook,
    async addNotebook(name, right) {
      const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name });
      bench.policy.setRight(notebook.id, right);
      return notebook.id;
    },
    setRight: (notebook, right) => bench.policy.setRight(notebook, right),
    closeNotebook: (notebook) => bench.api('/api/notebook/closeNotebook', { notebook }),
    document: (path, markdown, notebook = bench.notebook) => bench.api('/api/filetree/createDocWithMd', { notebook, path, markdown }),
    guard: async (id, on = true) => {
      await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': on ? 'none' : '' } });
      // What is not indexed yet counts as set later.
      await bench.api('/api/sqlite/flushTransaction', {});
    },
    change: (id, text) => bench.transact([{ action: 'update', id, data: paragraph(id, text) }]),
    remove: (id) => bench.transact([{ action: 'delete', id }]),
    close: () => bench.close(),
  };
}

export const APOLLO = [
  '# Plan',
  'Launch in May. #space#',
  '## Crew',
  'Anna flies. #space# #crew#',
  '- pack food\n- fuel the rocket\n  - twice',
  '# End',
  'Home again.',
];

/** What the tests of reading and searching look at: three documents below each other, one beside them, and two that are hidden. */
export async function addApollo(world: ContractNotes) {
  const apollo = await world.document('/Apollo', APOLLO.join('\n\n'));
  const ids = await idsOf(world, apollo);
  const crew = await world.document('/Apollo/Crew', `Anna and Li, see ((${ids[1]} "the launch")).`);
  const old = await world.document('/Apollo/Crew/Old', 'rust');
  const zeta = await world.document('/Zeta', 'Launch party.\n\nAsk for Apollo there. #space/party#');
  const hidden = await world.addNotebook('Hidden', 'none');
  await world.document('/Hidden', 'Launch hidden. #space# #hidden#', hidden);
  await world.guard(await world.document('/Zeta/Guarded', `Launch guarded. #space# ((${ids[1]} "it"))`));
  return { apollo, crew, old, zeta, ids };
}

/** Notes of its own for each test, and what is written there by a message and undone. `path`: of the notes, which are numbered. */
export function writingIn(world: () => ContractNotes, path: string) {
  let counter = 0;
  const apply = (plan: ChangePlan, from: WriteOrigin): Promise<WriteReport> => world().notes.apply(approvePlan(plan), from, signal);
  return {
    apply,
    async make(markdown: string) {
      counter += 1;
      const id = await world().document(`${path} ${counter}`, markdown);
      return { id, blocks: await idsOf(world(), id) };
    },
    async edit(id: string, block: string, markdown: string, from: WriteOrigin): Promise<WriteReport> {
      const { blocks } = await world().notes.document({ id }, { start: 0, blocks: 99 }, signal);
      const expectHash = blocks.find((each) => each.id === block)?.hash ?? '';
      return apply(await world().notes.planEdit({ id: block, expectHash, markdown }, 't', signal), from);
    },
    insert: async (anchor: string, markdown: string, from: WriteOrigin): Promise<WriteReport> =>
      apply(await world().notes.planInsert({ anchor, position: 'append', markdown }, 't', signal), from),
    undo: ({ sessionId, nodeId }: WriteOrigin, callId?: string) => world().history.undo(sessionId, nodeId, signal, callId),
    redo: ({ sessionId, nodeId }: WriteOrigin, callId?: string) => world().history.redo(sessionId, nodeId, signal, callId),
    stateOf: ({ sessionId, nodeId }: WriteOrigin) => world().history.state(sessionId, nodeId),
    resolve: ({ sessionId, nodeId }: WriteOrigin, id: string, choice: 'undo' | 'keep', shown?: string | null) =>
      world().history.resolve(sessionId, nodeId, id, choice, signal, shown),
  };
}
