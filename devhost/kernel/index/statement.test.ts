import { describe, expect, it } from 'vitest';
import { hasLimit, isMultiple, isQuery, isUnparsed } from './statement.ts';

describe('statements', () => {
  it('tells several from one', () => {
    expect(isMultiple('SELECT 1; DELETE FROM blocks')).toBe(true);
    expect(isMultiple("SELECT ';' ; -- end; of it\n ;")).toBe(false);
    expect(isMultiple('SELECT 1 /* ; */')).toBe(false);
    expect(isMultiple("SELECT \";\" FROM [a;b] WHERE `c;d` = 'it''s;'")).toBe(false);
  });

  it('knows a query by its first word', () => {
    expect(isQuery('  -- note\n /* x */ select 1')).toBe(true);
    expect(isQuery('WITH x AS (SELECT 1) SELECT * FROM x')).toBe(true);
    expect(isQuery('SELEC nonsense')).toBe(false);
    expect(isQuery('selection')).toBe(false);
    expect(isQuery('ATTACH x AS y')).toBe(false);
  });

  it('knows what the kernel cannot parse', () => {
    expect(isUnparsed("SELECT b.id FROM blocks_fts f JOIN blocks b ON b.rowid = f.rowid WHERE f.blocks_fts MATCH 'x'")).toBe(true);
    expect(isUnparsed("SELECT id FROM blocks WHERE content LIKE 'x' ESCAPE '\\'")).toBe(true);
    expect(isUnparsed("SELECT id FROM blocks_fts WHERE blocks_fts MATCH 'JOIN'")).toBe(false);
  });

  it('finds the LIMIT of the outermost query only', () => {
    expect(hasLimit('SELECT * FROM blocks limit 3')).toBe(true);
    expect(hasLimit('SELECT * FROM (SELECT 1 LIMIT 3)')).toBe(false);
    expect(hasLimit("SELECT 'LIMIT' -- LIMIT 3")).toBe(false);
  });
});
