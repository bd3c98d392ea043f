/** A server of other people's tools, as the settings name it: an address, or a program to start. */
export interface McpServerConfig {
  /** Up to 20 letters, digits and hyphens. */
  readonly name: string;
  readonly enabled: boolean;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Where what is sent to it goes, as a person is shown it. */
export const destinationOf = ({ url, command, args = [] }: McpServerConfig): string => url ?? `program: ${[command, ...args].join(' ')}`;
