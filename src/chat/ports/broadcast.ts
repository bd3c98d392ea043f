/** Texts between all programs on one kernel: the panels of all devices that use it, and services. What is sent while it is down is lost. */
export interface Broadcast {
  send(text: string): void;
  /** Calls back with what others send. */
  subscribe(listener: (text: string) => void): void;
  /** Calls back when it was down and is there again. */
  onBack(listener: () => void): void;
}
