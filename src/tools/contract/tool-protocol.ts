/** How tools are described to a model, and how it calls them: natively or in text; `auto`: natively if it can. */
export const TOOL_PROTOCOLS = ['auto', 'native', 'vcp', 'json'] as const;
export type ToolProtocol = (typeof TOOL_PROTOCOLS)[number];
