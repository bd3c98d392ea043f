/**
 * Lets the window draw and take input before long work goes on. No timer: in a window that nobody sees those fire once a second, or
 * once a minute.
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
