/** One operation as requests give it and answers repeat it; fields of databases ride along in `rest`. */
export interface Operation {
  action: string;
  data: unknown;
  id: string;
  rootID: string;
  parentID: string;
  previousID: string;
  nextID: string;
  deckID: string;
  blockIDs: string[] | null;
  context: Record<string, unknown> | null;
  [field: string]: unknown;
}

export interface TransactionData {
  timestamp: number;
  doOperations: Operation[];
  undoOperations: Operation[] | null;
}

/** The zero values that the kernel's struct writes for what a request left out. */
const EMPTY: Operation = {
  action: '',
  data: null,
  id: '',
  rootID: '',
  parentID: '',
  previousID: '',
  nextID: '',
  retData: null,
  blockIDs: null,
  blockID: '',
  deckID: '',
  avID: '',
  srcIDs: null,
  srcs: null,
  isDetached: false,
  name: '',
  type: '',
  format: '',
  keyID: '',
  rowID: '',
  isTwoWay: false,
  backRelationKeyID: '',
  removeDest: false,
  layout: '',
  groupID: '',
  targetGroupID: '',
  viewID: '',
  ignoreDefaultFill: false,
  context: null,
};

export function operation(fields: { readonly action: string } & Readonly<Record<string, unknown>>): Operation {
  return { ...EMPTY, ...fields };
}

/** Reads the `transactions` of a request; a value that is no list of objects gives undefined. */
export function readTransactions(value: unknown): TransactionData[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const operations = (list: unknown): Operation[] | undefined =>
    Array.isArray(list) && list.every((o) => o && typeof o === 'object' && typeof o.action === 'string') ? list.map(operation) : undefined;
  const transactions: TransactionData[] = [];
  for (const item of value) {
    const doOperations = operations(item?.doOperations ?? []);
    if (!doOperations) return undefined;
    transactions.push({ timestamp: Date.now(), doOperations, undoOperations: operations(item.undoOperations) ?? null });
  }
  return transactions;
}

export const cloneOperations = (list: readonly Operation[]): Operation[] => list.map((o) => ({ ...o }));
