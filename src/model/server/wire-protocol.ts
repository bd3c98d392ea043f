const WIRE_PROTOCOLS = ['openai', 'openai-responses', 'anthropic-messages'] as const;
export type WireProtocol = (typeof WIRE_PROTOCOLS)[number];

/** As settings name it, in any case; '' is chat completions. Undefined: one that is not known here. */
export function readWireProtocol(name: string): WireProtocol | undefined {
  const wanted = name.trim().toLowerCase();
  return wanted === '' ? 'openai' : WIRE_PROTOCOLS.find((each) => each === wanted);
}
