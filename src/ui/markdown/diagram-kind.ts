export type DiagramKind = 'mermaid' | 'echarts';

/** Why the source is shown. */
export type DiagramFailure = 'unreadable' | 'slow' | 'long' | 'rare' | 'missing';

const KINDS: readonly DiagramKind[] = ['mermaid', 'echarts'];

export const diagramKind = (language: string): DiagramKind | undefined => KINDS.find((kind) => kind === language.toLowerCase());
