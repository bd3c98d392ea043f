import type { ToolGroup } from '../../../tools/contract/types.ts';
import type { FilesPort } from './files-port.ts';
import { createListFiles } from './list-files.ts';
import { createReadFile } from './read-file.ts';
import { createWriteFile } from './write-file.ts';

export function createFilesGroup(files: FilesPort): ToolGroup {
  return { name: 'files', tools: [createReadFile(files), createListFiles(files), createWriteFile(files)] };
}
