import type { DatabaseChange, DatabaseReading, NewDatabase } from '../../src/tools/contract/databases.ts';
import { origin, signal, type TestBench } from './support.ts';

/** Calls of the database tools over a host, and what is stored. */
export function databaseCalls(bench: TestBench) {
  let nodes = 0;
  // A real kernel keeps the journals of earlier runs.
  const run = Date.now().toString(36);
  const message = (): string => `table-${run}-${++nodes}`;
  const notes = () => bench.host.notes;
  const plan = (id: string, change: DatabaseChange) => notes().planDatabaseChange({ id, change }, 'db_write', signal);
  const read = async (
    id: string,
    more: { view?: string; query?: string; page?: number; pageSize?: number } = {},
  ): Promise<DatabaseReading> => {
    const [reading] = await notes().database({ id, page: 1, pageSize: 100, ...more }, signal);
    if (!reading) throw new Error(`no reading of ${id}`);
    return reading;
  };
  /** Approves and applies; returns the id of the message, for Undo. */
  const write = async (id: string, change: DatabaseChange): Promise<string> => {
    const nodeId = message();
    await bench.apply(await plan(id, change), undefined, { ...origin, nodeId });
    return nodeId;
  };
  const create = async (request: Partial<NewDatabase> & { anchor: string }) => {
    const made = await notes().planDatabase({ name: 'Tasks', columns: [], ...request }, 'db_create', signal);
    const nodeId = message();
    await bench.apply(made, undefined, { ...origin, nodeId });
    return { id: made.operations[0]?.blockId ?? '', nodeId, plan: made };
  };
  const undo = (nodeId: string) => bench.host.history.undo(origin.sessionId, nodeId, signal);
  const redo = (nodeId: string) => bench.host.history.redo(origin.sessionId, nodeId, signal);
  /** Rows as texts by column name, in the order of the view. */
  const table = async (id: string): Promise<readonly Readonly<Record<string, string>>[]> => {
    const { columns, rows } = await read(id);
    return rows.map(({ cells }) =>
      Object.fromEntries(columns.flatMap(({ id: column, name }) => (cells[column] === undefined ? [] : [[name, cells[column]]]))),
    );
  };
  const rowIds = async (id: string) => (await read(id)).rows.map((row) => row.id);
  return { plan, read, write, create, undo, redo, table, rowIds };
}
