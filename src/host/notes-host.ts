import type { ChatDocument } from '../chat/ports/chat-document.ts';
import type { WhyKeptBack } from '../chat/ports/kept-back.ts';
import type { ReadBlock } from '../chat/ports/read-block.ts';
import type { CardReview } from '../tools/contract/card-review.ts';
import type { ToolError } from '../tools/contract/errors.ts';
import type { EditingProbe, NotesPort, WriteHistory } from '../tools/contract/ports.ts';
import type { NoteRights } from '../tools/contract/provenance.ts';
import type { SavedAnswers } from '../tools/contract/saved-answers.ts';
import type { FormulaCheck } from '../tools/safe-content/formulas.ts';
import { type Access, createAccess } from './access/access.ts';
import { createWhyKeptBack } from './access/kept-back.ts';
import { createNoteRights } from './access/note-rights.ts';
import { KernelSavedAnswers } from './answers/saved-answers.ts';
import type { Random } from './blocks/block-dom.ts';
import { hashOfContent } from './blocks/block-hash.ts';
import type { MarkdownEngine } from './blocks/markdown-engine.ts';
import { createChatDocument } from './chat-document/bound-document.ts';
import { createStepKinds } from './documents/structure-steps.ts';
import { createStructureWriter } from './documents/structure-writer.ts';
import type { HostBase } from './host-base.ts';
import { HandEdits } from './journal/hand-edits.ts';
import { listBeforeCall } from './kernel/asked-once.ts';
import { copyAsset } from './kernel/assets.ts';
import type { KernelRoutes } from './kernel/kernel-routes.ts';
import { createStructureRoutes } from './kernel/structure-routes.ts';
import { createTransactionLog, type PushSource } from './kernel/transaction-log.ts';
import { createNotesReading, type NotesReading } from './notes-reading.ts';
import { type ChangePlanner, createChangePlanner } from './planning/change-planner.ts';
import { createStructurePlanner, type StructurePlanner } from './planning/structure-planner.ts';
import { createBlockViewer } from './reading/block-view.ts';
import { KernelCardReview } from './reading/card-review.ts';
import { RememberedReads } from './reading/remembered-reads.ts';
import { createBlockWriter } from './transactions/block-writer.ts';
import { createPlanStore } from './transactions/prepared-plan.ts';
import { createStructureUndo } from './undo/structure-undo.ts';
import { createWriteHistory } from './undo/undo.ts';
import { LockedPlans } from './writing/locked-plans.ts';
import { createLock, createWritePath, type WritePath } from './writing/write-path.ts';

export interface NotesHostDeps {
  readonly base: HostBase;
  readonly engine: MarkdownEngine;
  readonly probe: EditingProbe;
  readonly random: Random;
  /** Absent without a push socket: then only hashes detect changes by others. */
  readonly pushes?: PushSource;
  /** Receives failures that did not affect a write itself, such as a journal entry that could not be closed. */
  readonly onProblem?: (error: ToolError) => void;
  readonly checkFormula?: FormulaCheck;
  /** Session id of our transactions. It is no editor's, so that every editor redraws what we write. */
  readonly session: string;
}

/** Reads, writes and undoes; includes the base that it builds on. */
export interface NotesHost extends HostBase {
  readonly notes: NotesPort;
  /** The rights over text that was read earlier. */
  readonly rights: NoteRights;
  readonly history: WriteHistory;
  readonly chatDocument: ChatDocument;
  readonly readBlock: ReadBlock;
  readonly whyKeptBack: WhyKeptBack;
  readonly cards: CardReview;
  readonly answers: SavedAnswers;
  readonly hands: Pick<HandEdits, 'copied' | 'heard' | 'settled'>;
  readonly contentHash: typeof hashOfContent;
  close(): void;
}

interface ToolNotesDeps {
  readonly base: Pick<HostBase, 'notebooks' | 'meaningServer'>;
  readonly reading: NotesReading;
  readonly planner: ChangePlanner;
  readonly structurePlanner: StructurePlanner;
  readonly writePath: WritePath;
  readonly locks: LockedPlans;
}

/** The second check (docs/architecture.md, "Two checks"): tools get this port, never the kernel; each part asks `access`. */
function toolNotes({ base, reading, planner, structurePlanner: structure, writePath, locks }: ToolNotesDeps): NotesPort {
  const { notebooks, meaningServer } = base;
  const { resolve: _own, ...documents } = reading.reader;
  const { blocks } = planner;
  return {
    ...{ notebooks, meaningServer, ...documents, ...reading.search, ...reading.queries },
    planCreateDocument: (request, tool, signal) => locks.say(planner.planCreateDocument(request, tool, signal), signal),
    planInsert: (request, tool, signal) => locks.say(planner.planInsert(request, tool, signal), signal),
    planEdit: (request, tool, signal) => locks.say(planner.planEdit(request, tool, signal), signal),
    planDailyAppend: (request, tool, signal) => locks.say(planner.planDailyAppend(request, tool, signal), signal),
    planFlashcards: (request, tool, signal) => locks.say(structure.planFlashcards(request, tool, signal), signal),
    planDatabaseChange: (request, tool, signal) => locks.say(structure.planDatabaseChange(request, tool, signal), signal),
    planDatabase: (request, tool, signal) => locks.say(structure.planDatabase(request, tool, signal), signal),
    planAttributes: (request, tool, signal) => locks.say(structure.planAttributes(request, tool, signal), signal),
    planOrganize: (request, tool, signal) => locks.say(structure.planOrganize(request, tool, signal), signal),
    planDeleteDocuments: (request, tool, signal) => locks.say(structure.planDeleteDocuments(request, tool, signal), signal),
    planNotebook: (request, tool, signal) => locks.say(structure.planNotebook(request, tool, signal), signal),
    planMoveBlocks: (request, tool, signal) => locks.say(blocks.planMoveBlocks(request, tool, signal), signal),
    planDeleteBlocks: (request, tool, signal) => locks.say(blocks.planDeleteBlocks(request, tool, signal), signal),
    planNewCards: (request, tool, signal) => locks.say(blocks.planNewCards(request, tool, signal), signal),
    planRewrite: (request, tool, signal) => locks.say(blocks.planRewrite(request, tool, signal), signal),
    planAssetRename: (request, tool, signal) => locks.say(blocks.planAssetRename(request, tool, signal), signal),
    planTag: (request, tool, signal, progress) => locks.say(blocks.planTag(request, tool, signal, progress), signal),
    async apply(approved, origin, signal, progress) {
      await locks.assertSaid(approved, signal);
      return writePath.write(approved, origin, signal, progress);
    },
  };
}

/** Somebody who types pauses that long, in milliseconds. */
const PAUSE = 1500;

function whatWasWritten({ base, engine, pushes }: NotesHostDeps, accessOver: (over: KernelRoutes) => Access) {
  const { routes, policy, clock, journal } = base;
  const later = (work: () => void): void => void setTimeout(work, PAUSE);
  const onRights = (listener: () => void): (() => void) => policy.subscribe(listener);
  return {
    answers: new KernelSavedAnswers({ routes, clock, accessOver, engine, pushes, onRights, later }),
    hands: new HandEdits({ routes, journal, pushes }),
  };
}

export function createNotesHost(deps: NotesHostDeps): NotesHost {
  const { base, engine, random, probe } = deps;
  const { client, clock, routes, journal, assets, near } = base;
  const reads = new RememberedReads({ clock, turns: base.turns, pushes: deps.pushes });
  const accessOver = (over: KernelRoutes) => createAccess(over, base.policy);
  const access = accessOver(routes);
  const before = listBeforeCall();
  const pushes = createTransactionLog(deps.pushes, deps.session);
  const plans = createPlanStore();
  const inTurn = createLock();
  const lock: typeof inTurn = (write) => inTurn(() => reads.during(write));
  const { reader } = createNotesReading({ routes, accessOver, engine, clock, assets, before, near });
  const forTools = createNotesReading({ routes, accessOver, engine, clock, assets, before, near, remembered: (over) => reads.over(over) });
  const formulas = deps.checkFormula ? { checkFormula: deps.checkFormula } : {};
  const planner = createChangePlanner({ routes, accessOver, engine, reader, assets, clock, random, plans, pushes, ...formulas });
  const writer = createBlockWriter({ routes, app: 'marginalia', session: deps.session, engine });
  const structure = createStructureRoutes(client, deps.session);
  const kinds = createStepKinds({ routes, structure, access });
  const onProblem = deps.onProblem ? { onProblem: deps.onProblem } : {};
  const writePath = createWritePath({
    routes,
    access,
    accessOver,
    engine,
    reader,
    writer,
    structure: createStructureWriter({ routes, structure, access, kinds, journal, probe, clock, ...onProblem }),
    journal,
    plans,
    pushes,
    probe,
    clock,
    random,
    lock,
    copyFile: (copy, stop) => copyAsset(client, copy, stop),
    ...onProblem,
  });
  const structurePlanner = createStructurePlanner({ routes, structure, access, engine, clock, random, plans, pushes });
  const locks = new LockedPlans({ routes, storage: base.storage, plans });
  const notes = toolNotes({ base, reading: forTools, planner, structurePlanner, writePath, locks });
  const shared = { journal, probe, clock, random, lock };
  const history = createWriteHistory({ routes, access, writer, pushes, structure: createStructureUndo(kinds), kinds, engine, ...shared });
  const chatDocument = createChatDocument({ routes, access, engine, reader, writer, pushes, journal, clock, random, lock, ...formulas });
  const written = whatWasWritten(deps, accessOver);
  return {
    ...base,
    notes,
    ...written,
    contentHash: hashOfContent,
    rights: createNoteRights(routes, accessOver, before),
    history,
    chatDocument,
    readBlock: forTools.readBlock,
    whyKeptBack: createWhyKeptBack(routes, base.policy),
    cards: new KernelCardReview({ routes, access, viewer: createBlockViewer({ engine, readable: access }), blocks: notes.blocks }),
    close() {
      for (const each of [written.answers, written.hands, pushes, reads]) each.close();
    },
  };
}
