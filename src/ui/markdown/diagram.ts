// Diagrams of an answer, rendered where the model's text is powerless: in a frame without origin, network, links or windows.
import { randomHex } from '../../tools/util/hex.ts';
import type { DiagramFailure, DiagramKind } from './diagram-kind.ts';

/** Milliseconds from the first message to the frame until it is removed. */
const PATIENCE = 8000;

/** Runs in the inner frame, which has only this one channel. */
const RUNNER = `addEventListener('message', (event) => {
  const { kind, source, dark, program, width, nonce } = event.data;
  const [port] = event.ports;
  const out = document.getElementById('out');
  const tell = () => port.postMessage({ height: Math.ceil(out.getBoundingClientRect().height) });
  const fail = () => port.postMessage({ failed: true });
  addEventListener('error', fail);
  const script = document.createElement('script');
  script.nonce = nonce;
  script.textContent = program;
  document.head.append(script);
  const draw = async () => {
    if (kind === 'mermaid') {
      mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme: dark ? 'dark' : 'default' });
      out.innerHTML = (await mermaid.render('diagram', source)).svg;
    } else {
      out.style.height = '300px';
      const chart = echarts.init(out, dark ? 'dark' : null, { renderer: 'svg', width, height: 300 });
      chart.setOption({ animation: false, backgroundColor: 'transparent', ...JSON.parse(source) });
    }
    tell();
  };
  draw().catch(fail);
}, { once: true });`;

const escaped = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * Two nested frames: a frame may navigate itself to another address, which its own policy does not forbid; that of the
 * outer frame does.
 */
function frameHtml(nonce: string): string {
  const rules = `default-src 'none'; frame-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'`;
  const head = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${rules}">`;
  const style = `<style>html,body{margin:0;background:transparent;overflow:auto}#out svg{max-width:100%;height:auto}</style>`;
  const inner = `${head}${style}<div id="out"></div><script nonce="${nonce}">${RUNNER}</script>`;
  const outerStyle = '<style>html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;background:transparent}</style>';
  return `${head}${outerStyle}<iframe sandbox="allow-scripts" srcdoc="${escaped(inner)}"></iframe>`;
}

export interface DiagramRequest {
  readonly kind: DiagramKind;
  readonly source: string;
  readonly dark: boolean;
  readonly program: string;
}

/** The messages of the frame: a height in CSS pixels, or a failure. */
function heightIn(said: unknown): number | undefined {
  if (typeof said !== 'object' || said === null || !('height' in said)) return undefined;
  return typeof said.height === 'number' && Number.isFinite(said.height) && said.height > 0 ? said.height : undefined;
}

/** Resolves with the height of the diagram in CSS pixels, or why there is none. `frame` is empty and in the document. */
export function drawIn(frame: HTMLIFrameElement, request: DiagramRequest): Promise<number | DiagramFailure> {
  const nonce = randomHex(16);
  frame.setAttribute('sandbox', 'allow-scripts');
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (result: number | DiagramFailure): void => {
      clearTimeout(timer);
      port1.close();
      resolve(result);
    };
    const timer = setTimeout(() => end('slow'), PATIENCE);
    port1.onmessage = ({ data }) => end(heightIn(data) ?? 'unreadable');
    frame.addEventListener(
      'load',
      () => {
        const inner = frame.contentWindow?.[0];
        if (inner) inner.postMessage({ ...request, nonce, width: frame.clientWidth }, '*', [port2]);
        else end('missing');
      },
      { once: true },
    );
    frame.srcdoc = frameHtml(nonce);
  });
}
