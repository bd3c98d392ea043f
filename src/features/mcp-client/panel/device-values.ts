import type { SecretStore } from '../../../host/settings/device-keys.ts';
import { isRecord } from '../../../tools/util/plain-value.ts';
import { filledIn, type McpServerSetting, placeOf, variablesIn } from '../settings/mcp-servers.ts';
import { readSignIn, type SignInStore } from '../sign-in/sign-in-format.ts';

/** What this device has of a server: values of its variables, and with them the consent to start it where it is a program. */
interface Held {
  /** What it was given for: the settings are synced, and somebody else may have changed them. */
  readonly place: string;
  readonly values: Readonly<Record<string, string>>;
  /** Of the exact address that it names. */
  readonly signIn?: unknown;
}

const referenceOf = (name: string): string => `local:mcp:${name.toLowerCase()}`;

function heldFrom(text: string | undefined): Held | undefined {
  if (!text) return undefined;
  try {
    const { place, values, signIn }: Partial<Held> = Object(JSON.parse(text));
    if (typeof place !== 'string' || !isRecord(values)) return undefined;
    return { place, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])), signIn };
  } catch {
    return undefined;
  }
}

/** Values and consent for servers, on this device alone, each bound to what it was given for. */
export class DeviceValues {
  private readonly secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.secrets = secrets;
  }

  /** Whether something was given for exactly this server. */
  isFor(server: McpServerSetting): boolean {
    return this.heldOf(server) !== undefined;
  }

  has(server: McpServerSetting, text: string): boolean {
    const held = this.heldOf(server);
    return variablesIn({ text }).every((variable) => Boolean(held?.values[variable]));
  }

  filled(server: McpServerSetting, texts: Readonly<Record<string, string>> = {}): Record<string, string> {
    const held = this.heldOf(server);
    return filledIn(texts, (variable) => held?.values[variable]);
  }

  /** Throws ToolError where the device has no room. What was given for another address or program is gone. */
  give(server: McpServerSetting, values: Readonly<Record<string, string>>): void {
    const { values: before, signIn } = this.heldOf(server) ?? {};
    this.put(server, { place: placeOf(server), values: { ...before, ...values }, signIn });
  }

  /** The login of a server at an address. */
  signInOf(server: Pick<McpServerSetting, 'name' | 'url'>): SignInStore {
    return {
      read: () => readSignIn(this.heldOf(server)?.signIn, server.url ?? ''),
      write: (signIn) => {
        const held = this.heldOf(server);
        if (held || signIn) this.put(server, { place: placeOf(server), values: held?.values ?? {}, signIn });
      },
    };
  }

  drop(name: string): void {
    if (this.secrets.get(referenceOf(name))) this.secrets.set(referenceOf(name), '');
  }

  private put({ name }: Pick<McpServerSetting, 'name'>, held: Held): void {
    this.secrets.set(referenceOf(name), JSON.stringify(held));
  }

  private heldOf(server: Pick<McpServerSetting, 'name' | 'url' | 'command' | 'args'>): Held | undefined {
    const held = heldFrom(this.secrets.get(referenceOf(server.name)));
    return held?.place === placeOf(server) ? held : undefined;
  }
}
