/** How a model is told about tools and calls them: natively or in text; `auto`: natively if it can. */
export const TOOL_PROTOCOLS = ['auto', 'native', 'vcp', 'json'] as const;
export type ToolProtocol = (typeof TOOL_PROTOCOLS)[number];
