import { ApiError } from '../api-error.ts';
import type { Handler, RequestBody, RouteTable } from '../router.ts';
import { readTransactions } from '../transactions/operation.ts';
import { optionalText, requiredText, text } from './parameters.ts';

/** The session that sends does not hear of its own transactions. */
function others(body: RequestBody) {
  return { exceptSession: optionalText(body, 'session') };
}

function replay(side: 'undo' | 'redo'): Handler {
  return (body, { kernel }) => {
    const rootId = text(body, 'rootID');
    const outcome = kernel.transactions.replay(rootId, side);
    if (!outcome) return { canUndo: false, canRedo: false };
    if ('failed' in outcome) return { failed: true, msg: `${side} failed: ${outcome.failed}` };
    const { transaction, rootIds } = outcome;
    kernel.transactions.announce([transaction], rootIds, rootIds.length > 1 ? {} : others(body), true);
    const { canUndo, canRedo } = kernel.transactions.undoLog.state(rootId);
    const { doOperations, undoOperations } = transaction;
    return { doOperations, undoOperations, mutatedRootIDs: rootIds, canUndo, canRedo, isUndo: side === 'undo' };
  };
}

export const transactionRoutes: RouteTable = {
  '/api/transactions': {
    writes: true,
    handle: (body, { kernel }) => {
      if (body.transactions === undefined) requiredText(body, 'transactions');
      const transactions = readTransactions(body.transactions);
      if (!transactions) throw new ApiError(-1, 'parses request failed');
      const touched = new Set<string>();
      for (const transaction of transactions) {
        const rootIds = kernel.transactions.perform(transaction, { undoable: true });
        if (!('failed' in rootIds)) for (const id of rootIds) touched.add(id);
      }
      kernel.transactions.announce(transactions, [...touched], others(body));
      return transactions;
    },
  },

  '/api/transactions/undoState': (body, { kernel }) => kernel.transactions.undoLog.state(requiredText(body, 'rootID')),
  '/api/transactions/undo': { writes: true, handle: replay('undo') },
  '/api/transactions/redo': { writes: true, handle: replay('redo') },

  '/api/transactions/clearHistory': (body, { kernel }) => {
    kernel.transactions.undoLog.clear(optionalText(body, 'rootID'));
    return null;
  },
};
