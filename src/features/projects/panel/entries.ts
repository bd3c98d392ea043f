import type { EditorFeature } from '../../../app/editor/editor-feature.ts';

export const entries: EditorFeature = {
  submenu: ({ kind, ids }, text) =>
    kind === 'document' && ids.length === 1 ? [{ action: 'make-project', label: text('projects.make') }] : [],
};
