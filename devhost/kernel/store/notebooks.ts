import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../api-error.ts';
import { ID_PATTERN } from '../tree/node.ts';
import { newId } from '../tree/time.ts';
import { readJson, writeFileAtomic } from './atomic-file.ts';

/** `.siyuan/conf.json` of a notebook (kernel/conf/box.go). */
export interface NotebookConf {
  name: string;
  sort: number;
  icon: string;
  closed: boolean;
  refCreateSaveBox: string;
  refCreateSavePath: string;
  docCreateSaveBox: string;
  docCreateSavePath: string;
  dailyNoteSavePath: string;
  dailyNoteTemplatePath: string;
  sortMode: number;
  encrypted: boolean;
  boxCrypt: null;
}

export interface Notebook {
  readonly id: string;
  readonly conf: NotebookConf;
}

/** "Sort as the document tree says". */
const SORT_AS_TREE = 15;

const newConf = (name: string): NotebookConf => ({
  name,
  sort: 0,
  icon: '',
  closed: true,
  refCreateSaveBox: '',
  refCreateSavePath: '',
  docCreateSaveBox: '',
  docCreateSavePath: '',
  dailyNoteSavePath: '/daily note/{{now | date "2006/01"}}/{{now | date "2006-01-02"}}',
  dailyNoteTemplatePath: '',
  sortMode: SORT_AS_TREE,
  encrypted: false,
  boxCrypt: null,
});

/** The notebooks of a workspace: folders of `data/` that hold a `.siyuan/conf.json`. */
export class Notebooks {
  private readonly dataFolder: string;

  constructor(dataFolder: string) {
    this.dataFolder = dataFolder;
    mkdirSync(dataFolder, { recursive: true });
  }

  folder(id: string): string {
    return join(this.dataFolder, id);
  }

  private confFile(id: string): string {
    return join(this.folder(id), '.siyuan', 'conf.json');
  }

  list(): Notebook[] {
    const ids = readdirSync(this.dataFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ID_PATTERN.test(entry.name) && existsSync(this.confFile(entry.name)))
      .map((entry) => entry.name);
    const books = ids.map((id) => ({ id, conf: this.conf(id) }));
    return books.sort((a, b) => a.conf.sort - b.conf.sort || a.id.localeCompare(b.id));
  }

  conf(id: string): NotebookConf {
    return { ...newConf('Untitled'), ...readJson<Partial<NotebookConf>>(this.confFile(id), {}) };
  }

  find(id: string): Notebook | undefined {
    return ID_PATTERN.test(id) && existsSync(this.confFile(id)) ? { id, conf: this.conf(id) } : undefined;
  }

  /** The notebook if it is there and open; else the kernel's own error. */
  opened(id: string): Notebook {
    const found = this.find(id);
    if (!found || found.conf.closed) throw new ApiError(-1, 'Query notebook failed');
    return found;
  }

  isOpen(id: string): boolean {
    return this.find(id)?.conf.closed === false;
  }

  create(name: string): Notebook {
    const id = newId();
    const conf = newConf(name.trim() === '' ? 'Untitled' : name);
    this.save(id, conf);
    return { id, conf };
  }

  save(id: string, conf: NotebookConf): void {
    writeFileAtomic(this.confFile(id), JSON.stringify(conf, null, '\t'));
  }

  remove(id: string): void {
    rmSync(this.folder(id), { recursive: true, force: true });
  }

  /** Places of documents among their siblings, by id. */
  sortFile(id: string): Record<string, number> {
    return readJson<Record<string, number>>(join(this.folder(id), '.siyuan', 'sort.json'), {});
  }

  saveSort(id: string, places: Readonly<Record<string, number>>): void {
    writeFileAtomic(join(this.folder(id), '.siyuan', 'sort.json'), JSON.stringify(places));
  }
}
