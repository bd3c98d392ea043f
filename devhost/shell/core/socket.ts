import { hideMessage, showMessage } from '../ui/message.ts';
import { processMessage } from './http.ts';
import { app, siyuan } from './state.ts';
import { text } from './texts.ts';
import type { Answer } from './types.ts';

const retryAfter = 3000;

/**
 * A session of the kernel's push socket. The page has one of type "main" and one of type "protyle" per editor:
 * the kernel leaves out the session that sent a transaction, so each editor learns of the others only.
 */
export class Socket {
  readonly id: string;
  readonly type: string;
  app = app;
  reqId = 0;
  ws: WebSocket | undefined;
  private readonly onMessage: (answer: Answer) => void;
  private readonly onReconnect: () => void;
  private closed = false;
  private wasOpen = false;

  constructor(options: { id: string; type: string; onMessage: (answer: Answer) => void; onReconnect?: () => void }) {
    this.id = options.id;
    this.type = options.type;
    this.onMessage = options.onMessage;
    this.onReconnect = options.onReconnect ?? (() => {});
    this.connect();
  }

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const ws = new WebSocket(`${scheme}://${location.host}/ws?app=${app.appId}&id=${this.id}&type=${this.type}`);
    this.ws = ws;
    ws.onopen = () => {
      if (this.wasOpen) this.returned();
      this.wasOpen = true;
    };
    ws.onmessage = (event: MessageEvent<string>) => {
      if (!siyuan.config) return; // pushes before the configuration is known are not for this page
      const answer = JSON.parse(event.data) as Answer;
      if (this.type !== 'main') this.onMessage(answer);
      else if (processMessage(answer)) this.onMessage(answer);
    };
    ws.onclose = () => {
      if (this.closed) return;
      if (this.type === 'main' && this.wasOpen) showMessage(text('disconnected'), -1, 'error', 'kernel-gone');
      setTimeout(() => {
        if (!this.closed) this.connect();
      }, retryAfter);
    };
  }

  private returned(): void {
    if (this.type === 'main') {
      hideMessage('kernel-gone');
      showMessage(text('reconnected'), 3000);
    }
    this.onReconnect();
  }

  send(cmd: string, param: Record<string, unknown>, process = false): void {
    this.reqId = process ? 0 : Date.now();
    this.ws?.send(JSON.stringify({ cmd, reqId: this.reqId, param }));
  }

  close(): void {
    this.closed = true;
    this.ws?.close();
  }
}
