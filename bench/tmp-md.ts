import { testEngine } from '../src/host/testing/lute.ts';
import { readFileSync } from 'node:fs';
const T = readFileSync('/work/siyuan/run/nb.token','utf8').trim();
const U = process.argv[2] ?? 'http://127.0.0.1:6917';
const api = async (p: string, b: object): Promise<any> => (await (await fetch(U+p,{method:'POST',headers:{Authorization:'Token '+T,'Content-Type':'application/json'},body:JSON.stringify(b)})).json()).data;
const e = testEngine();
const docs = (await api('/api/query/sql',{stmt:"select id from blocks where type='d' and (hpath like '/Shelf %/Note 10%' or hpath='/Long/1000') limit 60",mode:'readonly'})).map((r:any)=>r.id);
let same=0, diff=0; const shown: Record<string, number> = {};
for (const d of docs) {
  const rows: any[] = await api('/api/query/sql',{stmt:`select id,type,markdown from blocks where root_id='${d}' and type<>'d' limit 100000`,mode:'readonly'});
  const doms = await api('/api/block/getBlockDOMs',{ids: rows.map(r=>r.id)});
  for (const r of rows) {
    const ours = e.toMarkdown(doms[r.id] ?? '');
    if (ours.trimStart() === (r.type==='t' ? e.toMarkdown(e.toDom(r.markdown)) : r.markdown)) same++; else { diff++; shown[r.type]=(shown[r.type]??0)+1; if (shown[r.type]! < 4) console.log(r.type, JSON.stringify(ours).slice(0,3000), '\n   !=', JSON.stringify(r.markdown).slice(0,3000)); }
  }
}
console.log({same,diff,shown});
