/** One connection to a channel. */
export interface BroadcastMember {
  readonly channel: string;
  send(text: string): void;
}

/** Channels by name: what one member says, the others of its channel hear. Nothing is kept. */
export class BroadcastHub {
  private readonly members = new Set<BroadcastMember>();

  join(member: BroadcastMember): () => void {
    this.members.add(member);
    return () => this.members.delete(member);
  }

  say(from: BroadcastMember, text: string): void {
    for (const member of this.members) if (member !== from && member.channel === from.channel) member.send(text);
  }
}
