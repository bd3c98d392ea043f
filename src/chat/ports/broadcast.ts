/** Messages between all programs on one kernel: panels on all devices, and services. Messages sent while it is down are lost. */
export interface Broadcast {
  send(text: string): void;
  subscribe(listener: (text: string) => void): void;
  onBack(listener: () => void): void;
}
