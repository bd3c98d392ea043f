import * as v from 'valibot';
import { storedChangeSchema } from '../databases/stored-change.ts';

/** Steps outside block transactions, journaled before the request and after it; the kernel's current state decides, so none runs twice. */
const resultSchema = v.picklist(['unknown', 'applied', 'partly', 'different', 'absent']);
const attributesSchema = v.record(v.string(), v.nullable(v.string()));
/** `parent` is a document id, or null at the top of the notebook. */
const placeSchema = v.object({ notebook: v.string(), parent: v.nullable(v.string()) });

const attributesStep = v.object({
  kind: v.literal('attributes'),
  blockId: v.string(),
  documentId: v.string(),
  before: attributesSchema,
  after: attributesSchema,
  result: resultSchema,
});
const cardStep = v.object({
  kind: v.literal('card'),
  blockId: v.string(),
  documentId: v.string(),
  /** Ids of the decks that have a card of the block, with commas between them; null for none. */
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
  result: resultSchema,
});
const databaseStep = v.object({
  kind: v.literal('database'),
  blockId: v.string(),
  documentId: v.string(),
  databaseId: v.string(),
  /** Blocks of other notebooks that show it, or a database that changes with it. */
  alsoAt: v.optional(v.array(v.string())),
  change: storedChangeSchema,
  result: resultSchema,
});
const renameStep = v.object({
  kind: v.literal('rename'),
  documentId: v.string(),
  before: v.string(),
  /** It had no title; SiYuan then shows a word in its own language. */
  untitled: v.boolean(),
  after: v.string(),
  result: resultSchema,
});
const moveStep = v.object({
  kind: v.literal('move'),
  documentId: v.string(),
  before: placeSchema,
  after: placeSchema,
  from: v.string(),
  to: v.string(),
  result: resultSchema,
});
export const removedDocumentSchema = v.object({
  id: v.string(),
  /** The kernel's path of ids. */
  path: v.string(),
  title: v.string(),
  hash: v.string(),
  /** The kernel's copy in its history, relative to the workspace; null until it is known. */
  copy: v.nullable(v.string()),
});
const deleteStep = v.object({
  kind: v.literal('delete'),
  documentId: v.string(),
  notebook: v.string(),
  /** The document and all below it, parents before children. */
  documents: v.array(removedDocumentSchema),
  result: resultSchema,
});
const notebookStep = v.object({
  kind: v.literal('notebook'),
  op: v.picklist(['create', 'rename', 'open', 'close', 'remove']),
  /** Null until the new notebook has its id. */
  notebook: v.nullable(v.string()),
  /** Names; null if there is no notebook. */
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
  /** For a creation: the notebooks that existed before, so that the new one can be identified after a lost answer. */
  others: v.array(v.string()),
  result: resultSchema,
});

export const structureSchema = v.object({
  steps: v.array(v.variant('kind', [attributesStep, cardStep, databaseStep, renameStep, moveStep, deleteStep, notebookStep])),
});

export type StructureEntry = v.InferOutput<typeof structureSchema>;
export type StructureStep = StructureEntry['steps'][number];
export type AttributesStep = v.InferOutput<typeof attributesStep>;
export type CardStep = v.InferOutput<typeof cardStep>;
export type DatabaseStep = v.InferOutput<typeof databaseStep>;
export type RenameStep = v.InferOutput<typeof renameStep>;
export type MoveStep = v.InferOutput<typeof moveStep>;
export type DeleteStep = v.InferOutput<typeof deleteStep>;
export type NotebookStep = v.InferOutput<typeof notebookStep>;
export type RemovedDocument = v.InferOutput<typeof removedDocumentSchema>;
export type DocumentPlacement = v.InferOutput<typeof placeSchema>;

/** Changes one block, or one document as a block, and leaves its text as it is. */
export const isOnBlock = (step: StructureStep): step is AttributesStep | CardStep | DatabaseStep =>
  step.kind === 'attributes' || step.kind === 'card' || step.kind === 'database';

/** The part of a database that a step changes: a database has many cells, and each is undone by itself. */
function partOf({ change, blockId }: DatabaseStep): string {
  switch (change.do) {
    case 'cell':
      return `${change.itemId}/${change.keyId}`;
    case 'add-row':
    case 'remove-row':
      return change.itemId;
    case 'add-column':
    case 'remove-column':
      return String(change.key.id);
    case 'rename-column':
      return change.keyId;
    case 'move-column':
      return `${change.keyId}/place`;
    case 'add-option':
      return `${change.keyId}/${change.name}`;
    case 'create':
      return blockId;
  }
}

/** The block, document or notebook that a step changes, or the part of a database; '' for a notebook whose id is not known. */
export function touchedId(step: StructureStep): string {
  if (step.kind === 'database') return partOf(step);
  if (isOnBlock(step)) return step.blockId;
  return step.kind === 'notebook' ? (step.notebook ?? '') : step.documentId;
}

export const shownId = (step: StructureStep): string => (step.kind === 'database' ? step.blockId : touchedId(step));

/** False only if the step is known not to have been carried out. */
export const mayStand = (step: StructureStep): boolean => step.result !== 'absent';
