import { join } from 'node:path';
import type { AttributeView } from '../databases/attribute-view.ts';
import { ID_PATTERN } from '../tree/node.ts';
import { readJson, writeFileAtomic } from './atomic-file.ts';

/** Databases of a workspace, one file each. */
export class AttributeViews {
  private readonly folder: string;

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, 'storage', 'av');
  }

  /** A copy that the caller may change. */
  load(id: string): AttributeView | undefined {
    return ID_PATTERN.test(id) ? (readJson<AttributeView | null>(join(this.folder, `${id}.json`), null) ?? undefined) : undefined;
  }

  save(view: AttributeView): void {
    writeFileAtomic(join(this.folder, `${view.id}.json`), JSON.stringify(view));
  }
}
