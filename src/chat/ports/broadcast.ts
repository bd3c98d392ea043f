/** Messages between all programs on one kernel: panels on all devices, and services. Messages sent while it is down are lost. */
export interface Broadcast {
  send(text: string): void;
  /** Calls back with what others send. */
  subscribe(listener: (text: string) => void): void;
  /** Calls back when it is available again. */
  onBack(listener: () => void): void;
}
