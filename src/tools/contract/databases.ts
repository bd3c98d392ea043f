/** The types of columns that can be added, by the names that a model gives them. */
export const NEW_COLUMN_TYPES = [
  'text',
  'number',
  'select',
  'multi-select',
  'date',
  'checkbox',
  'url',
  'email',
  'phone',
  'relation',
  'asset',
] as const;

/** Text, number or true/false; a list for several options, related rows or files; null for an empty cell. */
export type CellInput = string | number | boolean | readonly string[] | null;

export interface DatabaseColumn {
  readonly id: string;
  readonly name: string;
  /** SiYuan's name: `mSelect`, `mAsset`, … `block` is the column with the title of each row. */
  readonly type: string;
  readonly options: readonly string[];
}

export interface DatabaseRow {
  readonly id: string;
  /** The block that it is; null for a row of the database itself. */
  readonly blockId: string | null;
  /** Texts by column id; empty cells are missing. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A database (attribute view) of SiYuan: a table of typed columns in a note. Its rows are blocks of any note, or texts of its own. */
export interface DatabaseRef {
  readonly id: string;
  readonly name: string;
  readonly document: { readonly id: string; readonly title: string; readonly path: string };
  readonly notebook: { readonly id: string; readonly name: string };
  readonly columns: readonly DatabaseColumn[];
}

export interface DatabaseReading extends DatabaseRef {
  /** With its layout if that is no table: "Month (calendar)". */
  readonly view: string;
  readonly views: readonly string[];
  readonly rows: readonly DatabaseRow[];
  /** Rows of the view that may be read. */
  readonly total: number;
  readonly nextPage: number | null;
  /** Reasons why cells are blank, or the view's own filter is not applied. */
  readonly notes: readonly string[];
}

export interface DatabaseQuery {
  /** A database by its block, a note with databases in it, or a block that is a row. */
  readonly id: string;
  readonly view?: string | undefined;
  readonly query?: string | undefined;
  /** The only row to give, by its own id or the block that it is. */
  readonly row?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
}

export type CellInputs = Readonly<Record<string, CellInput>>;

export interface NewRow {
  readonly block?: string | undefined;
  readonly title?: string | undefined;
  readonly values?: CellInputs | undefined;
}

export interface NewColumn {
  readonly name: string;
  readonly type: string;
  readonly options?: readonly string[] | undefined;
  /** For a relation: the block of the other database. */
  readonly target?: string | undefined;
}

export type ColumnChange =
  | (NewColumn & { readonly op: 'add'; readonly after?: string | undefined })
  | { readonly op: 'rename'; readonly column: string; readonly name: string }
  | { readonly op: 'move'; readonly column: string; readonly after?: string | undefined }
  | { readonly op: 'remove'; readonly column: string };

export type DatabaseChange =
  | { readonly op: 'add_rows'; readonly rows: readonly NewRow[]; readonly newOptions: boolean }
  | {
      readonly op: 'set_cells';
      readonly rows: readonly { readonly row: string; readonly values: CellInputs }[];
      readonly newOptions: boolean;
    }
  | { readonly op: 'remove_rows'; readonly rows: readonly string[] }
  | { readonly op: 'columns'; readonly columns: readonly ColumnChange[] };

export interface NewDatabase {
  readonly anchor: string;
  readonly name: string;
  readonly columns: readonly NewColumn[];
}
