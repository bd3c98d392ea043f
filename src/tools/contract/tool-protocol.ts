/** How a model is told of tools and calls them: natively, or in text; `auto`: natively where it can. */
export const TOOL_PROTOCOLS = ['auto', 'native', 'vcp', 'json'] as const;
export type ToolProtocol = (typeof TOOL_PROTOCOLS)[number];
