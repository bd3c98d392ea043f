/**
 * Lets the window render and handle input before long work continues. No timer: in a hidden window timers fire once per second, or
 * once per minute.
 */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
