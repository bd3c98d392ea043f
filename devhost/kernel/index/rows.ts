/** Rows of the tables that a document fills (schema.ts); every value is what SiYuan stores there. */
export interface BlockRow {
  readonly id: string;
  readonly parent_id: string;
  readonly root_id: string;
  readonly hash: string;
  readonly box: string;
  readonly path: string;
  readonly hpath: string;
  readonly name: string;
  readonly alias: string;
  readonly memo: string;
  readonly tag: string;
  readonly content: string;
  readonly fcontent: string;
  readonly markdown: string;
  readonly length: number;
  readonly type: string;
  readonly subtype: string;
  readonly ial: string;
  readonly sort: number;
  readonly created: string;
  readonly updated: string;
}

/** Where a row of the smaller tables belongs: its block and its document. */
export interface RowPlace {
  readonly block_id: string;
  readonly root_id: string;
  readonly box: string;
  readonly path: string;
}

interface SpanRow extends RowPlace {
  readonly id: string;
  readonly content: string;
  readonly markdown: string;
  readonly type: string;
  readonly ial: string;
}

export interface AttributeRow extends RowPlace {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** `b` of a block, `s` of a span. */
  readonly type: string;
}

interface AssetRow {
  readonly id: string;
  readonly block_id: string;
  readonly root_id: string;
  readonly box: string;
  readonly docpath: string;
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly hash: string;
}

/** Without the three columns about the definition's place, which the index looks up. */
interface RefRow extends RowPlace {
  readonly id: string;
  readonly def_block_id: string;
  readonly content: string;
  readonly markdown: string;
  readonly type: string;
}

export interface DocumentRows {
  readonly blocks: BlockRow[];
  readonly spans: SpanRow[];
  readonly attributes: AttributeRow[];
  readonly assets: AssetRow[];
  readonly refs: RefRow[];
}
