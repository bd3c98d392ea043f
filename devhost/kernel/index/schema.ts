/**
 * The tables of SiYuan 3.7.3 (kernel/sql/database.go: names and order of columns). `blocks_fts` reads its text from `blocks`
 * and keeps only the inverted index; triggers hold the two together, also when the default mode of `/api/query/sql` deletes rows.
 * `fts_tokens()` is our stand-in for SiYuan's own tokenizer (fts-text.ts).
 */
export const BLOCK_COLUMNS = [
  'id',
  'parent_id',
  'root_id',
  'hash',
  'box',
  'path',
  'hpath',
  'name',
  'alias',
  'memo',
  'tag',
  'content',
  'fcontent',
  'markdown',
  'length',
  'type',
  'subtype',
  'ial',
  'sort',
  'created',
  'updated',
] as const;

/** Columns of the full-text index, in whose sizes a rank is measured; the others stand in `blocks_fts` unindexed. */
const TOKENIZED_COLUMNS: readonly string[] = ['name', 'alias', 'memo', 'tag', 'content', 'fcontent', 'ial'];

const ftsColumns = BLOCK_COLUMNS.map((column) => (TOKENIZED_COLUMNS.includes(column) ? column : `${column} UNINDEXED`)).join(', ');
const tokenNames = TOKENIZED_COLUMNS.join(', ');
const tokensOf = (row: 'new' | 'old'): string => TOKENIZED_COLUMNS.map((column) => `fts_tokens(${row}.${column})`).join(', ');

export const SCHEMA = `
CREATE TABLE stat (key, value);
CREATE TABLE blocks (${BLOCK_COLUMNS.join(', ')});
CREATE INDEX idx_blocks_id ON blocks(id);
CREATE INDEX idx_blocks_parent_id ON blocks(parent_id);
CREATE INDEX idx_blocks_root_id ON blocks(root_id);
CREATE VIRTUAL TABLE blocks_fts USING fts5(${ftsColumns}, content='blocks', content_rowid='rowid',
  tokenize="unicode61 remove_diacritics 0");
CREATE TRIGGER blocks_inserted AFTER INSERT ON blocks BEGIN
  INSERT INTO blocks_fts(rowid, ${tokenNames}) VALUES (new.rowid, ${tokensOf('new')});
END;
CREATE TRIGGER blocks_deleted AFTER DELETE ON blocks BEGIN
  INSERT INTO blocks_fts(blocks_fts, rowid, ${tokenNames}) VALUES ('delete', old.rowid, ${tokensOf('old')});
END;
CREATE TRIGGER blocks_updated AFTER UPDATE ON blocks BEGIN
  INSERT INTO blocks_fts(blocks_fts, rowid, ${tokenNames}) VALUES ('delete', old.rowid, ${tokensOf('old')});
  INSERT INTO blocks_fts(rowid, ${tokenNames}) VALUES (new.rowid, ${tokensOf('new')});
END;
CREATE TABLE spans (id, block_id, root_id, box, path, content, markdown, type, ial);
CREATE INDEX idx_spans_root_id ON spans(root_id);
CREATE TABLE assets (id, block_id, root_id, box, docpath, path, name, title, hash);
CREATE INDEX idx_assets_root_id ON assets(root_id);
CREATE TABLE attributes (id, name, value, type, block_id, root_id, box, path);
CREATE INDEX idx_attributes_block_id ON attributes(block_id);
CREATE INDEX idx_attributes_root_id ON attributes(root_id);
CREATE TABLE refs (id, def_block_id, def_block_parent_id, def_block_root_id, def_block_path, block_id, root_id, box, path, content, markdown, type);
CREATE INDEX idx_refs_root_id ON refs(root_id);
CREATE INDEX idx_refs_def_block_id ON refs(def_block_id);
CREATE INDEX idx_refs_def_block_root_id ON refs(def_block_root_id);
CREATE TABLE block_embeddings (id, root_id, box, path, embedding, model, content_len, updated, fail_count, last_tried, ignored_type);
CREATE TABLE file_annotation_refs (id, file_path, annotation_id, block_id, root_id, box, path, content, type);
`;

/** The tables that hold rows of a document, each with `root_id` and `box`. */
export const DOCUMENT_TABLES = ['blocks', 'spans', 'assets', 'attributes', 'refs', 'file_annotation_refs'] as const;
