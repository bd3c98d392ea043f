import * as v from 'valibot';

const guestSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40)),
  command: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  args: v.optional(v.array(v.string()), []),
  env: v.optional(v.record(v.string(), v.string()), {}),
  project: v.optional(v.string()),
});

/** An agent program of this machine. `env`: variables besides the few that every program gets; `project`: the note of the only project in whose chats it answers. */
export type GuestSetting = v.InferOutput<typeof guestSchema>;

const MOST = 20;

/** From what a device keeps, or a file that was written by hand: what is no agent is left out. */
export function readGuests(value: unknown): readonly GuestSetting[] {
  const guests = (Array.isArray(value) ? value : []).flatMap((each) => {
    const read = v.safeParse(guestSchema, each);
    return read.success ? [read.output] : [];
  });
  return [...new Map(guests.map((guest) => [guest.id, guest])).values()].slice(0, MOST);
}

const OURS_ALONE = ['--allowed-mcp-server-names', 'marginalia', '--allowed-tools'];

/**
 * Agents that speak the protocol, as their makers say how to start them; opencode leaves its own tools alone. Gemini CLI and Qwen Code do
 * not say whose tool they ask about: they load no other server and do not ask about ours, which ask by themselves. Gemini CLI loads none
 * at all in a folder that it does not trust: it gets an empty one of ours.
 */
export const KNOWN_GUESTS: readonly Omit<GuestSetting, 'id'>[] = [
  { name: 'Claude Code', command: 'npx', args: ['-y', '@agentclientprotocol/claude-agent-acp'], env: {} },
  { name: 'Codex', command: 'npx', args: ['-y', '@zed-industries/codex-acp', '-c', 'sandbox_mode="read-only"'], env: {} },
  { name: 'Gemini CLI', command: 'gemini', args: ['--acp', '--skip-trust', ...OURS_ALONE, 'mcp_marginalia_*'], env: {} },
  { name: 'Qwen Code', command: 'qwen', args: ['--acp', ...OURS_ALONE, 'mcp__marginalia'], env: {} },
  { name: 'opencode', command: 'opencode', args: ['acp'], env: { OPENCODE_PERMISSION: '{"*":"deny","marginalia_*":"allow"}' } },
];
